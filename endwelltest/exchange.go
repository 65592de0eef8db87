package endwelltest

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"
)

// exchange is one request being answered. A write that fails ends the script: the
// client has gone.
type exchange struct {
	w       http.ResponseWriter
	control *http.ResponseController
	request *http.Request
	ctx     context.Context // ends with the client, and with the gateway
	conn    net.Conn        // below HTTP, for faults of the connection itself
	under   *conn           // below TLS, too
	nth     uint32          // which request on its connection, from 1

	heard bool   // the request has been read, or will not be
	body  []byte // its beginning
	note  func(body []byte)

	status int
	begun  bool // the header has been written
	over   bool // the script has ended

	gz   *gzip.Writer
	slow bool
	pace time.Duration // between two bytes, when slow
	gap  time.Duration // after each frame of a wire

	said speech // by a wire

	cut    *Step // what follows after left more bytes; nil for no cut
	left   int
	inside bool // the cut is being played
}

// stopped reports whether there is nothing more to do.
func (x *exchange) stopped() bool { return x.over || x.ctx.Err() != nil }

// hear reads the request, once. A server sees that its client has gone only when it has
// done that.
func (x *exchange) hear() {
	if x.heard {
		return
	}
	x.heard = true
	body, err := readBody(x.request.Body)
	if err != nil {
		x.abort()
	}
	x.body = body
	x.note(body)
}

// write sends bytes of the body through the content encoding.
func (x *exchange) write(b []byte) {
	switch {
	case x.stopped() || len(b) == 0:
	case x.gz != nil:
		x.begin()
		_, _ = x.gz.Write(b)
	default:
		_, _ = x.Write(b)
	}
}

// Write sends bytes of the body as they are. It never fails, for the sake of gzip.
func (x *exchange) Write(b []byte) (int, error) {
	cut := x.cut != nil && len(b) >= x.left && !x.inside
	rest := b
	if cut {
		rest = b[:x.left]
	} else if x.cut != nil {
		x.left -= len(b)
	}
	x.send(rest)
	if cut {
		x.inside, x.gz = true, nil
		x.flushRaw()
		x.cut.run(x)
		x.over = true
	}
	return len(b), nil
}

// send hands bytes to the server, one at a time when that is asked for.
func (x *exchange) send(b []byte) {
	if x.stopped() {
		return
	}
	x.begin()
	if !x.slow {
		_, err := x.w.Write(b)
		x.over = x.over || err != nil
		return
	}
	for i := range b {
		if x.stopped() {
			return
		}
		_, _ = x.w.Write(b[i : i+1])
		x.flushRaw()
		x.wait(x.pace, nil)
	}
}

// begin writes the header, once.
func (x *exchange) begin() {
	if x.begun {
		return
	}
	x.begun = true
	x.preset("Content-Type", eventStream)
	if x.status != 0 {
		x.w.WriteHeader(x.status)
	}
}

// preset sets a field of the header unless it has been set, or left out.
func (x *exchange) preset(name, value string) {
	if _, set := x.w.Header()[name]; !set {
		x.w.Header().Set(name, value)
	}
}

// wantsUsage reports whether the request asks for a usage record at the end
// (wire/openai-family.md §1).
func (x *exchange) wantsUsage() bool {
	var asks struct {
		Options struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	return json.Unmarshal(x.body, &asks) == nil && asks.Options.Usage
}

// flush sends what has been written, the header at least.
func (x *exchange) flush() {
	if x.stopped() {
		return
	}
	x.begin()
	if x.gz != nil {
		_ = x.gz.Flush()
	}
	x.flushRaw()
}

func (x *exchange) flushRaw() {
	if x.control.Flush() != nil {
		x.over = true
	}
}

// settle flushes if there is anything to flush.
func (x *exchange) settle() {
	if x.begun {
		x.flush()
	}
}

// wait lets time pass, or waits for a channel; until the client has gone at most. A
// negative duration has no end.
func (x *exchange) wait(d time.Duration, until <-chan struct{}) {
	var late <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		late = t.C
	}
	select {
	case <-late:
	case <-until:
	case <-x.ctx.Done():
	}
}

// finish ends the body as it should.
func (x *exchange) finish() {
	if x.stopped() {
		return
	}
	x.begin()
	if x.gz != nil {
		_ = x.gz.Close()
	}
}

// abort ends the exchange without an end of the body. It does not return.
func (x *exchange) abort() { panic(http.ErrAbortHandler) }
