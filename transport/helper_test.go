package transport_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// patience bounds what hangs when the code is wrong. Nothing waits for it otherwise.
const patience = 2 * time.Minute

// The frames of an answer.
const (
	hel    = `data: {"choices":[{"index":0,"delta":{"content":"hel"}}]}` + "\n\n"
	lo     = `data: {"choices":[{"index":0,"delta":{"content":"lo"}}]}` + "\n\n"
	stop   = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	done   = "data: [DONE]\n\n"
	answer = hel + lo + stop + done
)

// exchange is one call as its handler sees it.
type exchange struct {
	http.ResponseWriter
	*http.Request
	seen <-chan struct{} // closed when the client has got the first text
}

// send writes and flushes.
func (x *exchange) send(s string) {
	_, _ = io.WriteString(x.ResponseWriter, s)
	_ = http.NewResponseController(x.ResponseWriter).Flush()
}

// await waits until the client has got the first text, or has gone.
func (x *exchange) await() {
	select {
	case <-x.seen:
	case <-x.Context().Done():
	}
}

// hang waits until the client has gone.
func (x *exchange) hang() {
	_, _ = io.Copy(io.Discard, x.Body) // or net/http does not watch the connection
	<-x.Context().Done()
}

// hijacked takes the connection, after what was written has been sent.
func (x *exchange) hijacked() *net.TCPConn {
	c, _, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err != nil {
		panic(err)
	}
	return c.(*net.TCPConn)
}

// bench is a server on loopback with a client of its own.
type bench struct {
	*httptest.Server
	client *http.Client
	seen   chan struct{}
	once   *sync.Once
	idle   <-chan struct{} // a connection has nothing more to send
}

// serve starts a server. When the test ends, nothing of it may be left.
func serve(t *testing.T, h2 bool, handler func(x *exchange)) *bench {
	t.Helper()
	seen := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler(&exchange{w, r, seen})
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = h2
	idle := make(chan struct{}, 8)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateIdle {
			select {
			case idle <- struct{}{}:
			default:
			}
		}
	}
	if h2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	client := s.Client()
	client.Transport.(*http.Transport).DisableCompression = true
	t.Cleanup(func() {
		client.CloseIdleConnections()
		s.CloseClientConnections()
		s.Close()
		requireNothingRuns(t)
	})
	return &bench{s, client, seen, new(sync.Once), idle}
}

// requireNothingRuns waits until no goroutine of HTTP or of ours is left.
func requireNothingRuns(t *testing.T) {
	t.Helper()
	left := ""
	require.Eventually(t, func() bool {
		left = running()
		return left == ""
	}, patience, time.Millisecond, "goroutines are left")
	require.Empty(t, left)
}

func running() string {
	buf := make([]byte, 1<<20)
	var left []string
	for i, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if i > 0 && !strings.Contains(g, "testing.(*T).Run") && !strings.Contains(g, "Eventually") &&
			(strings.Contains(g, "net/http") || strings.Contains(g, "endwell-go")) {
			left = append(left, g)
		}
	}
	return strings.Join(left, "\n\n")
}

// open opens a call, raw or with the whole stack above it.
func (b *bench) open(ctx context.Context, cfg transport.Config, standard bool) (endwell.Stream, error) {
	if cfg.URL == "" {
		cfg.URL = b.URL
	}
	cfg.Client = b.client
	next := transport.New(cfg)
	if standard {
		next = middleware.Standard(middleware.Config{})(next)
	}
	return next.Open(ctx, &endwell.Request{Provider: "loopback", Model: "small", Payload: "{}"})
}

// run makes a call to its end: what it said, and how it ended.
func (b *bench) run(t *testing.T, cfg transport.Config, standard bool) (said string, end error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	st, err := b.open(ctx, cfg, standard)
	if err != nil {
		require.Nil(t, st)
		return "", err
	}
	said, end = b.read(st)
	require.NoError(t, ctx.Err(), "it hangs")
	return said, end
}

// read reads a stream to its end and closes it.
func (b *bench) read(st endwell.Stream) (said string, end error) {
	for c, err := range endwell.All(st) {
		if err != nil {
			return said, err
		}
		said += c.Text
		if c.Kind == endwell.KindText {
			b.once.Do(func() { close(b.seen) })
		}
	}
	return said, io.EOF
}

// describe puts a raw ending into a few words.
func describe(err error) string {
	var ev *endwell.Evidence
	switch {
	case err == io.EOF:
		return "eof"
	case errors.As(err, &ev):
		return fmt.Sprintf("%s %d %s%s", ev.Kind, ev.Status, ev.Type, ev.Code)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "unexpected eof"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, context.Canceled):
		return "canceled"
	default:
		return fmt.Sprintf("%T", err)
	}
}

func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

// respond makes a response of a body, as a client hands it out.
func respond(body io.ReadCloser, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"text/event-stream"}}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: 200, Header: h, Body: body}
}

var openai = dialects.MustByName("openai")
