package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// patience bounds what hangs when the code is wrong. Nothing waits for it otherwise, and
// a machine that is busy needs many seconds for the largest bodies here.
const patience = 2 * time.Minute

const (
	chatPath = "/v1/chat/completions"
	asking   = `{"model":"small","stream":true,"messages":[]}`
	testKey  = "sk-test-not-a-real-key-0123456789"
)

// bench is a proxy before a gateway.
type bench struct {
	*endwelltest.Gateway
	proxy *Proxy
	url   string // of the proxy
	addr  string
	log   *sharedBuffer
}

// sharedBuffer is a buffer that several goroutines write.
type sharedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sharedBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sharedBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start puts a proxy before a gateway. Both end with the test.
func start(t *testing.T, g *endwelltest.Gateway, cfg Config) *bench {
	t.Helper()
	b := &bench{Gateway: g, log: new(sharedBuffer)}
	cfg.Upstream, _ = url.Parse(g.URL)
	cfg.Log = slog.New(slog.NewTextHandler(b.log, nil))
	if cfg.Transport == nil && strings.HasPrefix(g.URL, "https:") {
		cfg.Transport = g.Client().Transport
	}
	b.proxy = New(cfg)
	s := httptest.NewUnstartedServer(b.proxy)
	s.Config.ConnContext = withConn
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	s.Start()
	b.url, b.addr = s.URL, s.Listener.Addr().String()
	t.Cleanup(func() {
		g.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.True(t, b.proxy.Drain(ctx), "an exchange does not end")
		b.proxy.Close()
		s.Close()
	})
	return b
}

// post asks for a stream, without a pool of connections.
func (b *bench) post(ctx context.Context, path, body string, header ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return own().RoundTrip(req)
}

// own is a transport that keeps no connection and does not undo gzip.
func own() *http.Transport {
	return &http.Transport{DisableKeepAlives: false, DisableCompression: true, MaxIdleConnsPerHost: -1}
}

// within is a context that ends before a test that hangs.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// answer is what a client that knows nothing of net/http got.
type answer struct {
	head    *http.Response
	body    string
	aborted bool // the chunked body, or one with a length, has no end
}

// raw posts over a connection of its own. When the body holds until, seen is called.
func (b *bench) raw(t *testing.T, path, body, until string, seen func(), header ...string) answer {
	t.Helper()
	c, err := net.Dial("tcp", b.addr)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	var req strings.Builder
	req.WriteString("POST " + path + " HTTP/1.1\r\nHost: " + b.addr + "\r\n")
	if !slices.Contains(header, "Content-Type") {
		req.WriteString("Content-Type: application/json\r\n")
	}
	for i := 0; i < len(header); i += 2 {
		req.WriteString(header[i] + ": " + header[i+1] + "\r\n")
	}
	req.WriteString("Content-Length: " + itoa(len(body)) + "\r\n\r\n" + body)
	_, err = io.WriteString(c, req.String())
	require.NoError(t, err)
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodPost})
	for ; err == nil && resp.StatusCode < 200; resp, err = http.ReadResponse(r, &http.Request{Method: http.MethodPost}) {
		require.NotEqual(t, 0, resp.StatusCode)
	}
	require.NoError(t, err)
	got, err := readUntil(resp.Body, until, seen)
	var timeout net.Error
	require.False(t, errors.As(err, &timeout) && timeout.Timeout(), "it hangs after %q", got)
	return answer{resp, got, err != nil}
}

// readUntil reads a body to its end, nil for io.EOF, and says when it holds a text.
func readUntil(body io.Reader, until string, seen func()) (string, error) {
	var got []byte
	buf := make([]byte, 4<<10)
	for {
		n, err := body.Read(buf)
		got = append(got, buf[:n]...)
		if seen != nil && until != "" && strings.Contains(string(got), until) {
			seen()
			seen = nil
		}
		if err == io.EOF {
			return string(got), nil
		}
		if err != nil {
			return string(got), err
		}
	}
}

// verdict is what endwell says of an answer that a client got: the error that is
// written in it, or nil.
func verdict(t *testing.T, dialect string, a answer) *endwell.Error {
	t.Helper()
	d, ok := dialects.ByName(dialect)
	require.True(t, ok)
	next := middleware.Standard(middleware.Config{})(endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		resp := &http.Response{StatusCode: a.head.StatusCode, Header: a.head.Header, Body: io.NopCloser(strings.NewReader(a.body))}
		return transport.Decode(resp, d, dialects.Options{})
	}))
	st, err := next.Open(t.Context(), &endwell.Request{})
	if err == nil {
		_, err = endwell.Collect(st)
	}
	if err == nil {
		return nil
	}
	e, ok := asError(err)
	require.True(t, ok, "%v", err)
	return e
}

// drive fires timer after timer, from begin on, until the context ends.
func drive(ctx context.Context, clk *clock.Fake, begin <-chan struct{}) {
	select {
	case <-begin:
	case <-ctx.Done():
	}
	for clk.BlockUntil(ctx, 1) == nil {
		if due, ok := clk.Next(); ok {
			clk.AdvanceTo(due)
		}
	}
}
