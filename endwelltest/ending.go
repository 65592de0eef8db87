package endwelltest

import (
	"encoding/binary"
	"time"
)

// End ends the body as it should, before the script does.
func End() Step {
	return Step{func(x *exchange) {
		x.finish()
		x.over = true
	}}
}

// Hang keeps the connection open and says nothing more, until the client or the
// gateway goes. As the first step it does not even send a header.
func Hang() Step {
	return Step{func(x *exchange) {
		x.settle()
		<-x.ctx.Done()
	}}
}

// Abort breaks off the answer: over HTTP/1.1 the connection is closed without the
// end of the chunked body, which clients see as an unexpected EOF, over HTTP/2 the
// stream is reset.
func Abort() Step {
	return Step{func(x *exchange) {
		x.settle()
		x.abort()
	}}
}

// Hangup closes the connection cleanly as TCP has it, in the middle of the body,
// without a word of HTTP or TLS.
func Hangup() Step {
	return Step{func(x *exchange) {
		x.arrive()
		x.hangup()
	}}
}

// Reset tears down the connection with a TCP reset. Some systems then drop what
// their program has not read yet: where that matters, put a [Wait] before it.
func Reset() Step {
	return Step{func(x *exchange) {
		x.arrive()
		if tcp := x.tcp(); tcp != nil {
			_ = tcp.SetLinger(0)
			_ = tcp.Close()
		}
		x.abort()
	}}
}

// Raw answers with bytes of our own making in place of HTTP, and closes the
// connection: a status line that is none, a chunk without its end, or nothing. It is
// for HTTP/1.1 and for the first step that writes.
func Raw(bytes string) Step {
	return Step{func(x *exchange) {
		_, _ = x.conn.Write([]byte(bytes))
		x.hangup()
	}}
}

// GoAway says over HTTP/2 that the connection ends and that no request on it was
// served, with that error code, and closes it. Over HTTP/1.1, which has no such
// word, it is [Hangup].
func GoAway(code uint32) Step {
	return Step{func(x *exchange) {
		x.arrive()
		if x.request.ProtoMajor == 2 {
			frame := [17]byte{2: 8, 3: 7} // RFC 9113 §6.8: length, type, then the last stream, 0
			binary.BigEndian.PutUint32(frame[13:], code)
			_, _ = x.conn.Write(frame[:])
		}
		x.hangup()
	}}
}

// arrival is how long a fault of an HTTP/2 connection is held back after what was
// written: the server flushes the connection on its own, and a client may drop what
// it has not handed out when the connection fails.
const arrival = 20 * time.Millisecond

// arrive flushes before a fault of the connection.
func (x *exchange) arrive() {
	x.settle()
	if x.begun && x.request.ProtoMajor == 2 {
		x.wait(arrival, nil)
	}
}

// hangup sends a FIN. It does not close what the server still reads, since closing
// over unread bytes would send a reset.
func (x *exchange) hangup() {
	if tcp := x.tcp(); tcp != nil {
		_ = tcp.CloseWrite()
	}
	x.abort()
}
