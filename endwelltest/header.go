package endwelltest

import (
	"encoding/binary"
	"net/http"
	"strings"
	"time"
)

// EarlyHints sends an informational response, 103, before the real one. It has no
// effect once the header has been sent, nor on HTTP/1.0, which has no such response.
func EarlyHints() Step {
	return Step{play: func(x *exchange) {
		if !x.begun && x.request.ProtoAtLeast(1, 1) {
			x.w.WriteHeader(http.StatusEarlyHints)
		}
	}}
}

// Trailer sends a field behind the body, if there is a body.
func Trailer(name, value string) Step {
	return Step{play: func(x *exchange) { x.w.Header().Set(http.TrailerPrefix+name, value) }}
}

// EndlessHeader answers with a header that does not end, until the client or the
// gateway goes. Over HTTP/2, whose server sends a header when it has all of it, the
// header has 16 MiB. It is for the first step that writes.
func EndlessHeader() Step {
	return Step{play: func(x *exchange) {
		filler := strings.Repeat("0123456789abcdef", 4096)
		if x.request.ProtoMajor == 2 {
			for range 16 << 20 / len(filler) {
				x.w.Header().Add("X-Filler", filler)
			}
			return
		}
		x.raw([]byte("HTTP/1.1 200 OK\r\n"))
		for !x.stopped() {
			x.raw([]byte("X-Filler: " + filler + "\r\n"))
		}
		x.abort()
	}}
}

// SlowHeader answers with a header that comes byte by byte, with a pause after each, and
// does not end. It is for the first step that writes.
func SlowHeader(pause time.Duration) Step {
	return Step{play: func(x *exchange) {
		x.inTurn()
		begin := []byte("HTTP/1.1 200 OK\r\nX-Slow: ")
		if x.request.ProtoMajor == 2 {
			// HEADERS of 2¹⁴ bytes, the most that a frame may have.
			begin = binary.BigEndian.AppendUint32([]byte{0, 1 << 6, 0, frameHeaders, 0}, 2*x.nth-1)
		}
		x.raw(begin)
		x.slow, x.pace = true, max(pause, 0)
		for !x.stopped() {
			x.raw([]byte{'.'})
		}
		x.abort()
	}}
}
