package endwelltest

import (
	"compress/gzip"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Step is one thing that a gateway does to answer a request, or several things in a
// row, which is a script. The zero Step does nothing. A Step may be used any number
// of times, also at once.
//
// A script begins with no header sent. The first byte of the body sends it: status
// 200 and Content-Type text/event-stream, unless steps said something else before.
// When the last step is done the body ends as it should. What is written goes out
// with the next wait, flush or ending.
type Step struct {
	play func(*exchange)
	deaf bool // it does not want the request to have been read
}

func (s Step) run(x *exchange) {
	if s.play == nil || x.stopped() {
		return
	}
	if !s.deaf {
		x.hear()
	}
	s.play(x)
}

// Script does steps in order, until one of them ends the answer.
func Script(steps ...Step) Step {
	return Step{play: func(x *exchange) {
		for _, s := range steps {
			s.run(x)
		}
	}, deaf: true}
}

// Write writes bytes of the body: frames of any dialect, or anything else.
func Write(body string) Step { return Step{play: func(x *exchange) { x.write([]byte(body)) }} }

// Flush sends what has been written, and the header if nothing has.
func Flush() Step { return Step{play: (*exchange).flush} }

// Delay sends what has been written and lets time pass.
func Delay(d time.Duration) Step {
	return Step{play: func(x *exchange) {
		x.settle()
		x.wait(max(d, 0), nil)
	}}
}

// Wait sends what has been written and waits until the channel is closed or has
// something to receive, so that a test need not guess a time.
func Wait(until <-chan struct{}) Step {
	return Step{play: func(x *exchange) {
		x.settle()
		x.wait(-1, until)
	}}
}

// Repeat does steps n times, sends what they wrote and waits after each time. A
// negative n has no end but the client's.
func Repeat(n int, every time.Duration, steps ...Step) Step {
	return Step{play: func(x *exchange) {
		for i := 0; i != n && !x.stopped(); i++ {
			Script(steps...).run(x)
			Delay(every).run(x)
		}
	}}
}

// Status sets the status. It has no effect once the header has been sent.
func Status(code int) Step { return Step{play: func(x *exchange) { x.status = code }} }

// Header sets a field of the response's header, or leaves it out if value is empty.
// It has no effect once the header has been sent.
func Header(name, value string) Step {
	return Step{play: func(x *exchange) {
		if value == "" {
			x.w.Header()[http.CanonicalHeaderKey(name)] = nil
			return
		}
		x.w.Header().Set(name, value)
	}}
}

// RetryAfter asks the client to wait, in seconds, as a refusal does.
func RetryAfter(d time.Duration) Step {
	return Header("Retry-After", strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
}

// Document answers with a body that is no stream: a status, a content type and all
// of the body.
func Document(status int, contentType, body string) Step {
	return Script(Status(status), Header("Content-Type", contentType), Write(body))
}

// Page answers with an HTML page, as a proxy does that wants somebody to sign in.
func Page(status int) Step {
	return Document(status, "text/html", "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>"+
		"<body><form>Sign in to continue</form></body></html>\n")
}

// Garbage writes n bytes that mean nothing, the same ones for the same seed.
func Garbage(n int, seed uint64) Step {
	return Step{play: func(x *exchange) {
		r := rand.New(rand.NewPCG(seed, seed))
		b := make([]byte, 4096)
		for left := n; left > 0 && !x.stopped(); left -= len(b) {
			b = b[:min(len(b), left)]
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			x.write(b)
		}
	}}
}

// Gzip compresses what is written from here on, and says so in the header unless
// that has been sent. To compress without saying so, follow it with
// Header("Content-Encoding", "").
func Gzip() Step {
	return Step{play: func(x *exchange) {
		x.w.Header().Set("Content-Encoding", "gzip")
		x.gz = gzip.NewWriter(x)
	}}
}

// Slowly sends what is written from here on byte by byte, with a pause after each.
func Slowly(pause time.Duration) Step {
	return Step{play: func(x *exchange) { x.slow, x.pace = true, max(pause, 0) }}
}

// Paced sends each frame that a [Wire] writes from here on by itself, with a pause
// after it.
func Paced(pause time.Duration) Step {
	return Step{play: func(x *exchange) { x.gap = pause }}
}

// CutAt lets n more bytes of the body go out and then plays ending in place of the
// rest of the script, also in the middle of a frame. The bytes are those on the
// wire, so that compressed ones count as compressed. The zero Step for an ending is
// a clean end of the body.
func CutAt(n int, ending Step) Step {
	return Step{play: func(x *exchange) {
		x.cut, x.left = &ending, max(n, 0)
		if x.left == 0 {
			_, _ = x.Write(nil)
		}
	}}
}

// Handle hands the exchange to a handler of net/http, for what no step can do. The
// body of the request has been read already.
func Handle(h http.Handler) Step {
	return Step{play: func(x *exchange) {
		x.begun = true
		h.ServeHTTP(x.w, x.request)
	}}
}
