package gateway

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// alivePace is the time between two keep-alives, and silence is how long LongSilence
// keeps a client waiting.
const (
	alivePace = 100 * time.Millisecond
	silence   = 2500 * time.Millisecond
)

// exchange is one request being answered. What is said goes out in one piece before
// the next wait, so that the words of a row come together on a busy machine too.
// Failures to write are not looked at: the client has gone, and the wait ends at
// once.
type exchange struct {
	out     http.ResponseWriter
	control *http.ResponseController
	ctx     context.Context // ends with the client, and with the gateway
	call    int             // how often this caller has asked, from 1
}

// refuse answers without a stream.
func (x *exchange) refuse(status int, kind, body string) {
	x.out.Header().Set("Content-Type", kind)
	x.out.WriteHeader(status)
	_, _ = io.WriteString(x.out, body)
}

// open sends the header of a stream.
func (x *exchange) open() {
	h := x.out.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Request-Id", "req-demo-7f3a")
	x.out.WriteHeader(http.StatusOK)
	x.flush()
}

// data says one event.
func (x *exchange) data(payload string) { _, _ = io.WriteString(x.out, "data: "+payload+"\n\n") }

// say opens the stream and says the role and the first n words.
func (x *exchange) say(n int) {
	x.open()
	x.data(role)
	x.words(0, n)
}

// words says the words from one up to, not including, another.
func (x *exchange) words(from, to int) {
	for _, w := range words[from:to] {
		x.data(delta(w))
	}
}

// flush sends what has been said.
func (x *exchange) flush() { _ = x.control.Flush() }

// done says the finish word and the sentinel.
func (x *exchange) done(reason string) {
	x.data(finish(reason))
	x.data("[DONE]")
}

// alive sends keep-alives and nothing else for some time, or, when that is
// negative, until the client goes.
func (x *exchange) alive(d time.Duration) {
	for begun := time.Now(); x.ctx.Err() == nil && (d < 0 || time.Since(begun) < d); {
		_, _ = io.WriteString(x.out, ": keep-alive\n\n")
		x.wait(alivePace)
	}
}

// wait sends what has been said and lets time pass, until the client goes.
func (x *exchange) wait(d time.Duration) {
	x.flush()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-x.ctx.Done():
	}
}

// hang keeps the connection open and silent, until the client goes.
func (x *exchange) hang() {
	x.flush()
	<-x.ctx.Done()
}

// reset tears the connection down with a TCP reset, when the client has had time to
// read what was sent: some systems drop that on a reset.
func (x *exchange) reset() {
	x.wait(alivePace)
	conn, _, err := x.control.Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// words is the answer, as the deltas of a stream.
var words = []string{"All's", " well", " that", " ends", " well."}
