package endwelltest

import "time"

// End ends the body as it should, before the script does.
func End() Step {
	return Step{play: func(x *exchange) {
		x.finish()
		x.over = true
	}}
}

// Hang keeps the connection open and says nothing more, until the client or the
// gateway goes. As the first step it does not even send a header.
func Hang() Step {
	return Step{play: func(x *exchange) {
		x.settle()
		<-x.ctx.Done()
	}}
}

// Abort breaks off the answer: over HTTP/1.1 the connection is closed without the
// end of the chunked body, which clients see as an unexpected EOF, over HTTP/2 the
// stream is reset.
func Abort() Step {
	return Step{play: func(x *exchange) {
		x.settle()
		x.abort()
	}}
}

// Hangup closes the connection cleanly as TCP has it, in the middle of the body,
// without a word of HTTP or TLS.
func Hangup() Step {
	return Step{play: func(x *exchange) {
		x.arrive()
		x.hangup()
	}}
}

// Reset tears down the connection with a TCP reset. Some systems then drop what
// their program has not read yet: where that matters, put a [Wait] before it.
func Reset() Step {
	return Step{play: func(x *exchange) {
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
// for HTTP/1.1 and for the first step that writes. After [Slowly] the bytes come one
// by one.
func Raw(bytes string) Step {
	return Step{play: func(x *exchange) {
		x.raw([]byte(bytes))
		x.hangup()
	}}
}

// raw writes below HTTP.
func (x *exchange) raw(b []byte) {
	if !x.slow {
		_, err := x.conn.Write(b)
		x.over = x.over || err != nil
		return
	}
	for i := range b {
		if x.stopped() {
			return
		}
		_, err := x.conn.Write(b[i : i+1])
		x.over = x.over || err != nil
		x.wait(x.pace, nil)
	}
}

// HalfOpen lets the connection die without a word, as when a machine or a NAT on the
// way is gone: nothing more is read or written, not even what was written and not yet
// sent, and it stays open until the gateway closes, also when the client has closed it.
//
// As the first step it does not read the body of the request either, so that a long
// upload blocks; [Gateway.Requests] then has no body.
func HalfOpen() Step {
	return Step{play: func(x *exchange) {
		x.arrive()
		if !x.heard {
			x.heard = true
			x.note(nil)
		}
		if x.under != nil {
			x.under.frozen.Store(true)
			<-x.under.of.ctx.Done()
		}
		x.abort()
	}, deaf: true}
}

// arrival is how long a fault of an HTTP/2 connection is held back after what was
// written: the server flushes the connection on its own, and a client may drop what
// it has not handed out when the connection fails.
const arrival = 100 * time.Millisecond

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
