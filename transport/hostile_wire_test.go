package transport_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
)

// wire is a peer that does harm below the body: it has the connection to itself.
type wire struct {
	name    string
	play    func(c *conn)
	verdict string
	memory  int // MiB
	payload string
}

// conn is the peer's end of a connection. What it writes counts.
type conn struct {
	net.Conn
	clock *clock.Fake
	over  chan struct{} // closed when the call is over
	sent  int64
}

// Write implements io.Writer.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent += int64(n)
	return n, err
}

func (c *conn) say(s string) bool {
	_, err := io.WriteString(c, s)
	return err == nil
}

// sayFor says something until nobody listens, or a gigabyte has been said.
func (c *conn) sayFor(s string) {
	s = strings.Repeat(s, 1+(32<<10)/len(s))
	for c.sent < 1<<30 && c.say(s) {
	}
}

// hear reads the head of the request.
func (c *conn) hear() {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

// header bounds the memory that a header takes, in MiB: that of net/http, which takes
// 10 MiB of one.
const header = 80

var wires = []wire{
	{"endless headers", func(c *conn) { c.hear(); c.say(head); c.sayFor("X-A: " + letters + "\r\n") }, "unreachable network", header, ""},
	{"a header without an end", func(c *conn) { c.hear(); c.say(head + "X-A: "); c.sayFor(letters) }, "unreachable network", header, ""},
	{"endless 1xx", func(c *conn) { c.hear(); c.sayFor("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }, "unreachable network", header, ""},
	{"endless trailers", func(c *conn) {
		c.hear()
		c.say(head + "Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n" + chunked(hel) + "0\r\n")
		c.sayFor("X-A: " + letters + "\r\n")
	}, "broken network", small, ""},
	{"an endless chunk extension", func(c *conn) {
		c.hear()
		c.say(head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(hel) + "5;a=")
		c.sayFor(letters)
	}, "broken network", small, ""},
	{"an impossible chunk", func(c *conn) {
		c.hear()
		c.say(head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(hel) + "ffffffffffffffffff\r\n")
		c.idle()
	}, "broken network", small, ""},
	{"a status line that is none", func(c *conn) { c.hear(); c.sayFor("\x00\xff") }, "unreachable network", header, ""},
	{"it never reads the request", func(c *conn) { c.idle() }, stalled, middle, long},
	{"it never answers", func(c *conn) { c.hear(); c.idle() }, stalled, small, ""},
	{"a header a byte a minute", func(c *conn) {
		c.hear()
		for i := 0; i < 4 && c.say(head[i:][:1]); i++ {
			c.clock.Advance(time.Minute)
		}
		c.idle()
	}, stalled, small, ""},
	{"silence after the header", func(c *conn) { c.hear(); c.say(head + "\r\n"); c.idle() }, stalled, small, ""},
	{"silence after the text", func(c *conn) { c.hear(); c.say(head + "\r\n" + hel); c.idle() }, stalled, small, ""},
}

func chunked(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// idle does nothing while time passes, until the call is over.
func (c *conn) idle() {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-c.over:
			return
		case <-look.C:
			c.clock.Advance(time.Minute)
		}
	}
}

// A peer that does harm on the connection is stopped by name, too.
func TestHostileWires(t *testing.T) {
	collectOften(t)
	all := newReport(t)
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			for _, c := range callers {
				if !c.named {
					continue // the connection knows nothing of dialects
				}
				t.Run(c.name, func(t *testing.T) {
					f := w.meets(t, c)
					all.row(w.name, c.name, f, w.memory)
					f.endsIn(t, w.verdict, w.memory)
				})
			}
		})
	}
}

// long is a payload that no buffer of a socket holds.
var long = `{"stream":true,"a":"` + strings.Repeat(letters, 16<<20/len(letters)) + `"}`

// meets has a caller ask the peer, who takes one connection.
func (w *wire) meets(t *testing.T, c caller) (f figures) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	peer := &conn{clock: new(clock.Fake), over: make(chan struct{})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if peer.Conn, err = l.Accept(); err == nil {
			w.play(peer)
			_ = peer.Close()
		}
	}()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
	}
	base := &http.Transport{DialTLSContext: dial, DisableCompression: true}
	q := question{base: base, clock: peer.clock, dialect: openai, payload: cmp.Or(w.payload, asking)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	f.peak, f.took = peakOf(func() { f.verdict = verdict(c.ask(ctx, q)) })
	close(peer.over)
	base.CloseIdleConnections()
	_ = l.Close()
	<-served
	f.sent = peer.sent
	require.NoError(t, ctx.Err(), "it hangs")
	requireNothingRuns(t)
	return f
}
