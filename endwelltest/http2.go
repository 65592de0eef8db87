package endwelltest

import (
	"encoding/binary"
	"math"
)

// The frames of HTTP/2 that are written here (RFC 9113 §6).
const (
	frameHeaders = 1
	frameReset   = 3
	frameGoAway  = 7
)

// GoAway says over HTTP/2 that the connection ends and that no request on it was
// served, with that error code, and closes it. Over HTTP/1.1, which has no such
// word, it is [Hangup].
func GoAway(code uint32) Step {
	return Step{play: func(x *exchange) {
		x.inTurn()
		x.goAway(0, code)
		x.hangup()
	}}
}

// GoingAway says over HTTP/2 that the connection takes no further requests, with that
// error code, 0 for none. Those that came before are served: the script goes on. Over
// HTTP/1.1 it asks, as long as no header has been sent, to close the connection after
// the answer.
func GoingAway(code uint32) Step {
	return Step{play: func(x *exchange) {
		x.inTurn()
		if x.request.ProtoMajor != 2 {
			x.w.Header().Set("Connection", "close")
		}
		x.goAway(math.MaxInt32, code)
	}}
}

// ResetStream ends an answer over HTTP/2 with RST_STREAM and that error code, such as 8
// for CANCEL or 7 for REFUSED_STREAM, and leaves the connection alone. It goes by the
// order in which requests came on the connection: of several that come at the same
// moment it may hit another. Over HTTP/1.1 it is [Abort].
func ResetStream(code uint32) Step {
	return Step{play: func(x *exchange) {
		x.inTurn()
		if x.request.ProtoMajor == 2 && x.nth > 0 {
			x.frame(frameReset, 2*x.nth-1, binary.BigEndian.AppendUint32(nil, code))
		}
		x.abort()
	}}
}

// inTurn flushes before a frame of our own, and lets the server, which flushes the
// connection on its own, send what it has: SETTINGS must be its first frame.
func (x *exchange) inTurn() {
	x.settle()
	if x.request.ProtoMajor == 2 {
		x.wait(arrival, nil)
	}
}

// goAway writes GOAWAY: the last stream that was served, and a code.
func (x *exchange) goAway(last, code uint32) {
	if x.request.ProtoMajor == 2 {
		x.frame(frameGoAway, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), code))
	}
}

// frame writes a frame without flags, between those that the server writes: length,
// type, flags, stream, payload (RFC 9113 §4.1).
func (x *exchange) frame(typ byte, stream uint32, payload []byte) {
	b := []byte{0, 0, byte(len(payload)), typ, 0}
	b = binary.BigEndian.AppendUint32(b, stream)
	_, _ = x.conn.Write(append(b, payload...))
}
