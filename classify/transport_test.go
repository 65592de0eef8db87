package classify_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/internal/reason"
	"github.com/stretchr/testify/require"
)

// fetch gets url and reads its body; opened tells whether a response came.
func fetch(t *testing.T, c *http.Client, url string) (err error, opened bool) {
	t.Helper()
	t.Cleanup(c.CloseIdleConnections)
	resp, err := c.Get(url)
	if err != nil {
		return err, false
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return err, true
}

// judged classifies what fetch reports and holds that no address is rendered.
func judged(t *testing.T, c *http.Client, url string, emitted bool) *endwell.Error {
	t.Helper()
	err, opened := fetch(t, c, url)
	require.Error(t, err)
	got := classify.Error(err, classify.Call{Opened: opened, Emitted: emitted})
	require.Equal(t, err, got.Unredacted())
	for name, text := range renderings(got) {
		require.NotContains(t, text, "127.0.0.1", name)
		require.NotContains(t, text, "http://", name)
	}
	return got
}

func client(tr *http.Transport) *http.Client { return &http.Client{Transport: tr} }

func plain(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// cut answers with half a chunked body and hands the connection to end.
func cut(end func(net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = rw.WriteString("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
		_ = rw.Flush()
		end(conn)
	}
}

func TestRefusedConnection(t *testing.T) {
	got := judged(t, client(&http.Transport{}), "http://"+closedPort(t), false)
	require.ErrorIs(t, got, endwell.Unreachable)
	require.ErrorIs(t, got, endwell.Network)
	require.ErrorIs(t, got, syscall.ECONNREFUSED)
	require.True(t, got.Transient)
	require.True(t, got.Retryable)
}

func TestRefusedByTheProxy(t *testing.T) {
	proxy := &url.URL{Scheme: "http", Host: closedPort(t)}
	got := judged(t, client(&http.Transport{Proxy: http.ProxyURL(proxy)}), "http://example.invalid", false)
	require.ErrorIs(t, got, endwell.Unreachable)
	require.ErrorIs(t, got, endwell.Network)
}

func TestProxyWantsCredentials(t *testing.T) {
	proxy, err := url.Parse(plain(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(407) }))
	require.NoError(t, err)
	got := judged(t, client(&http.Transport{Proxy: http.ProxyURL(proxy)}), "https://example.invalid", false)
	require.ErrorIs(t, got, endwell.Unreachable)
	require.ErrorIs(t, got, endwell.Network)
}

func TestCutChunkedBody(t *testing.T) {
	got := judged(t, client(&http.Transport{}), plain(t, cut(func(c net.Conn) { _ = c.Close() })), true)
	require.ErrorIs(t, got, endwell.Broken)
	require.ErrorIs(t, got, endwell.Network)
	require.ErrorIs(t, got, io.ErrUnexpectedEOF)
	require.True(t, got.Transient)
	require.False(t, got.Retryable)
}

func TestReset(t *testing.T) {
	got := judged(t, client(&http.Transport{}), plain(t, cut(func(c net.Conn) {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	})), false)
	require.ErrorIs(t, got, endwell.Broken)
	require.ErrorIs(t, got, endwell.Network)
	require.ErrorIs(t, got, syscall.ECONNRESET)
	require.True(t, got.Retryable)
}

func TestClosedBeforeTheResponse(t *testing.T) {
	got := judged(t, client(&http.Transport{}), plain(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}), false)
	require.ErrorIs(t, got, endwell.Unreachable)
	require.ErrorIs(t, got, endwell.Network)
	require.NotErrorIs(t, got, io.EOF)
	require.ErrorIs(t, got, io.ErrUnexpectedEOF)
}

func hang(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/body" {
		_ = http.NewResponseController(w).Flush()
	}
	<-r.Context().Done()
}

func TestTimeouts(t *testing.T) {
	base := plain(t, hang)
	soon := 20 * time.Millisecond
	for name, row := range map[string]struct {
		client *http.Client
		path   string
		fault  endwell.Fault
	}{
		"header timeout of the transport":  {client(&http.Transport{ResponseHeaderTimeout: soon}), "/", endwell.Unreachable},
		"timeout of the client":            {&http.Client{Transport: &http.Transport{}, Timeout: soon}, "/", endwell.Unreachable},
		"timeout of the client, in a body": {&http.Client{Transport: &http.Transport{}, Timeout: soon}, "/body", endwell.Broken},
	} {
		got := judged(t, row.client, base+row.path, false)
		require.Equal(t, row.fault, got.Fault, name)
		require.ErrorIs(t, got, endwell.Timeout, name)
		require.True(t, got.Transient, name)
	}
}

func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	for name, row := range map[string]struct {
		tr  *http.Transport
		url string
	}{
		"unknown authority":    {&http.Transport{}, s.URL},
		"another host's":       {&http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "other.invalid"}}, s.URL},
		"expired":              {&http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Time: func() time.Time { return time.Unix(1<<40, 0) }}}, s.URL},
		"no version in common": {&http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS10, MinVersion: tls.VersionTLS10}}, s.URL},
		"no TLS at all":        {&http.Transport{}, strings.Replace(plain(t, hang), "http:", "https:", 1)},
	} {
		got := judged(t, client(row.tr), row.url, false)
		require.ErrorIs(t, got, endwell.Unreachable, name)
		require.ErrorIs(t, got, endwell.Network, name)
		require.False(t, got.Transient, name)
		require.False(t, got.Retryable, name)
	}
}

// The types that a loopback cannot produce.
func TestTransportErrorsByType(t *testing.T) {
	dns := &net.DNSError{Err: "read udp 10.1.2.3:53: i/o timeout", Name: "api.example.invalid", Server: "10.1.2.3:53", IsTimeout: true}
	none := &net.DNSError{Err: "no such host", Name: "api.example.invalid", IsNotFound: true}
	for name, row := range map[string]struct {
		err       error
		opened    bool
		fault     endwell.Fault
		category  endwell.Category
		transient bool
	}{
		"name not found":              {&net.OpError{Op: "dial", Err: none}, false, endwell.Unreachable, endwell.Network, true},
		"name server does not answer": {&net.OpError{Op: "dial", Err: dns}, false, endwell.Unreachable, endwell.Timeout, true},
		"connecting takes too long":   {&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ETIMEDOUT)}, false, endwell.Unreachable, endwell.Timeout, true},
		"peer vanished mid-stream":    {&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ETIMEDOUT)}, true, endwell.Broken, endwell.Network, true},
		"read deadline":               {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, true, endwell.Broken, endwell.Timeout, true},
		"somebody's own deadline":     {fmt.Errorf("x: %w", context.DeadlineExceeded), false, endwell.Unreachable, endwell.Timeout, true},
		"somebody else's cancel":      {context.Canceled, true, endwell.Broken, endwell.Network, true},
		"no route":                    {&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}, false, endwell.Unreachable, endwell.Network, true},
		"broken pipe":                 {syscall.EPIPE, true, endwell.Broken, endwell.Network, true},
		"closed by ourselves":         {net.ErrClosed, true, endwell.Broken, endwell.Network, true},
		"address that is none":        {&url.Error{Op: "parse", URL: "http://%zz", Err: url.EscapeError("%zz")}, false, endwell.Unreachable, endwell.RequestInvalid, false},
		"network that is none":        {net.UnknownNetworkError("tcq"), false, endwell.Unreachable, endwell.RequestInvalid, false},
		"handshake failure":           {tls.AlertError(40), false, endwell.Unreachable, endwell.Network, false},
		"alert of the moment":         {tls.AlertError(80), true, endwell.Broken, endwell.Network, true},
		"unknown":                     {errors.New("something"), false, endwell.Unreachable, endwell.Network, true},
		"unknown mid-stream":          {errors.New("something"), true, endwell.Broken, endwell.Network, true},
		"end before the response":     {io.EOF, false, endwell.Unreachable, endwell.Network, true},
	} {
		got := classify.Error(&url.Error{Op: "Post", URL: "https://api.example.invalid?key=k", Err: row.err}, classify.Call{Opened: row.opened})
		require.Equal(t, row.fault, got.Fault, name)
		require.Equal(t, row.category, got.Category, name)
		require.Equal(t, row.transient, got.Transient, name)
		require.NotErrorIs(t, got, context.Canceled, name)
		require.NotErrorIs(t, got, io.EOF, name)
		for rendering, text := range renderings(got) {
			require.NotContains(t, text, "example.invalid", "%s: %s", name, rendering)
			require.NotContains(t, text, "10.1.2.3", "%s: %s", name, rendering)
		}
	}
	why := reason.New("here", "no_thing", "there is no thing", "")
	require.ErrorIs(t, classify.Error(&url.Error{Op: "Post", URL: "https://api.example.invalid", Err: why}, classify.Call{}), why)
	got := classify.Error(dns, classify.Call{})
	var kept *net.DNSError
	require.ErrorAs(t, got, &kept)
	require.True(t, kept.IsTimeout)
	require.Empty(t, kept.Name+kept.Server)
}

func TestHTTP2Reset(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "hello")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	s.Config.ErrorLog = quiet
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	got := judged(t, s.Client(), s.URL, true)
	require.ErrorIs(t, got, endwell.Broken)
	require.ErrorIs(t, got, endwell.Network)
	require.True(t, got.Transient)
	require.Equal(t, "http2_stream_error", got.Type)
	require.Equal(t, "INTERNAL_ERROR", got.Code)
}

// h2 answers over HTTP/2 without TLS with a header, a bit of a body, and then the
// frames of last; then it closes.
func h2(t *testing.T, last ...[]byte) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
		r := bufio.NewReader(conn)
		_, _ = io.CopyN(io.Discard, r, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
		_, _ = conn.Write(frame(4, 0, 0))
		for head := make([]byte, 9); ; {
			if _, err := io.ReadFull(r, head); err != nil {
				return
			}
			_, _ = io.CopyN(io.Discard, r, int64(head[0])<<16|int64(head[1])<<8|int64(head[2]))
			if head[3] == 1 {
				break
			}
		}
		_, _ = conn.Write(append(frame(1, 4, 1, 0x88), frame(0, 0, 1, 'h', 'i')...))
		for _, f := range last {
			_, _ = conn.Write(f)
		}
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, r)
	}()
	return "http://" + l.Addr().String()
}

func frame(kind, flags, stream byte, payload ...byte) []byte {
	return append([]byte{0, 0, byte(len(payload)), kind, flags, 0, 0, 0, stream}, payload...)
}

func TestHTTP2Frames(t *testing.T) {
	for name, row := range map[string]struct {
		last      []byte
		typ, code string
	}{
		"GOAWAY with a secret": {frame(7, 0, 0, append([]byte{0, 0, 0, 1, 0, 0, 0, 11}, "secret-of-somebody"...)...), "http2_goaway", "ENHANCE_YOUR_CALM"},
		"GOAWAY without error": {frame(7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), "http2_goaway", "NO_ERROR"},
		"stream refused":       {frame(3, 0, 1, 0, 0, 0, 7), "http2_stream_error", "REFUSED_STREAM"},
		"stream cancelled":     {frame(3, 0, 1, 0, 0, 0, 8), "http2_stream_error", "CANCEL"},
		"unknown code":         {frame(3, 0, 1, 0, 0, 0, 99), "http2_stream_error", "99"},
		"closed":               {nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var p http.Protocols
			p.SetUnencryptedHTTP2(true)
			got := judged(t, client(&http.Transport{Protocols: &p}), h2(t, row.last), true)
			require.ErrorIs(t, got, endwell.Broken)
			require.ErrorIs(t, got, endwell.Network)
			require.True(t, got.Transient)
			require.Equal(t, row.typ, got.Type)
			require.Equal(t, row.code, got.Code)
			require.NotContains(t, fmt.Sprintf("%+v", got), "secret")
		})
	}
}
