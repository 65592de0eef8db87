package proxy

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

// echo answers with what was asked.
var echo = endwelltest.Handle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"Content-Type", "Content-Encoding"} {
		if v := r.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	w.Header().Set("X-Host", r.Host)
	w.Header().Set("X-Query", r.URL.RawQuery)
	w.Header().Set("X-Path", r.URL.EscapedPath())
	w.Header().Set("X-Forwarded-For", r.Header.Get("X-Forwarded-For"))
	w.Header().Set("X-Hop", r.Header.Get("X-Hop"))
	w.Header().Set("X-Accept-Encoding", r.Header.Get("Accept-Encoding"))
	w.Header().Set("X-User-Agent", r.Header.Get("User-Agent"))
	w.Header().Set("X-Authorization", r.Header.Get("Authorization"))
	w.Header().Set("X-Method", r.Method)
	w.Header().Set("Set-Cookie", "a=b")
	_, _ = w.Write([]byte("echo:"))
}))

// What the provider refuses passes byte for byte, with its header, be it packed.
func TestRefusalsPass(t *testing.T) {
	leaktest.Check(t)
	for name, script := range map[string]endwelltest.Step{
		"401":         endwelltest.OpenAI.Refuse(401, "invalid_api_key", "Incorrect API key provided: sk-test"),
		"429":         endwelltest.Script(endwelltest.RetryAfter(7*time.Second), endwelltest.OpenAI.Refuse(429, "rate_limit_exceeded", "wait")),
		"500, a page": endwelltest.Page(500),
		"503, packed": endwelltest.Script(endwelltest.Status(503), endwelltest.Header("Content-Type", "application/json"), endwelltest.Gzip(), endwelltest.Write(`{"error":{}}`)),
		"404, empty":  endwelltest.Status(404),
		"a redirect":  endwelltest.Script(endwelltest.Status(307), endwelltest.Header("Location", "/elsewhere"), endwelltest.Write("there")),
		"204":         endwelltest.Status(204),
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, endwelltest.NewGateway(script), Config{})
			ask := func(base string) (*http.Response, string) {
				req, err := http.NewRequestWithContext(within(t), http.MethodPost, base+chatPath, strings.NewReader(asking))
				require.NoError(t, err)
				req.Header.Set("Accept-Encoding", "gzip")
				return passed(t, req)
			}
			direct, want := ask(b.Gateway.URL)
			resp, got := ask(b.url)
			require.Equal(t, want, got)
			require.Equal(t, direct.StatusCode, resp.StatusCode)
			require.Equal(t, direct.Header, resp.Header)
		})
	}
}

// passed is the response to a request, without its date, and all of its body.
func passed(t *testing.T, req *http.Request) (*http.Response, string) {
	t.Helper()
	resp, err := own().RoundTrip(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	resp.Header.Del("Date")
	return resp, string(body)
}

// Exchanges that are no streams pass as they are.
func TestOtherExchangesPass(t *testing.T) {
	leaktest.Check(t)
	large := strings.Repeat("0123456789abcdef", 3<<20/16)
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	f, err := m.CreateFormFile("file", "speech.mp3")
	require.NoError(t, err)
	_, _ = io.WriteString(f, large)
	require.NoError(t, m.Close())
	for name, row := range map[string]struct {
		method, path, kind, body string
		script                   endwelltest.Step
	}{
		"a list":                  {"GET", "/v1/models?after=a%20b&x=1;2", "", "", endwelltest.Document(200, "application/json", `{"data":[]}`)},
		"HEAD":                    {"HEAD", "/v1/models", "", "", endwelltest.Document(200, "application/json", `{"data":[]}`)},
		"DELETE":                  {"DELETE", "/v1/files/f", "", "", endwelltest.Document(200, "application/json", `{}`)},
		"an upload":               {"POST", "/v1/files", m.FormDataContentType(), form.String(), endwelltest.Document(200, "application/json", `{"id":"f"}`)},
		"an answer in one piece":  {"POST", chatPath, "application/json", `{"model":"m"}`, endwelltest.OpenAI.Unary("hello")},
		"a large request":         {"POST", chatPath, "application/json", `{"model":"m","messages":"` + large + `"}`, endwelltest.OpenAI.Unary("hello")},
		"speech":                  {"POST", "/v1/audio/speech", "application/json", `{"input":"x"}`, endwelltest.Document(200, "audio/mpeg", large)},
		"a packed document":       {"POST", "/v1/embeddings", "application/json", `{}`, endwelltest.Script(endwelltest.Header("Content-Type", "application/json"), endwelltest.Gzip(), endwelltest.Write(`{"data":[]}`))},
		"a document with trailer": {"POST", "/v1/embeddings", "application/json", `{}`, endwelltest.Script(endwelltest.Trailer("X-Test-Trailer", "1"), endwelltest.Document(200, "application/json", `{}`))},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, endwelltest.NewGateway(row.script), Config{})
			ask := func(base string) (*http.Response, string) {
				req, err := http.NewRequestWithContext(within(t), row.method, base+row.path, strings.NewReader(row.body))
				require.NoError(t, err)
				req.Header.Set("Content-Type", row.kind)
				req.Header.Set("Accept-Encoding", "gzip, br, zstd")
				return passed(t, req)
			}
			direct, want := ask(b.Gateway.URL)
			resp, got := ask(b.url)
			require.Equal(t, want, got)
			require.Equal(t, direct.StatusCode, resp.StatusCode)
			require.Equal(t, direct.Header, resp.Header)
			require.Equal(t, direct.Trailer, resp.Trailer)
			asked := b.Requests()
			require.Equal(t, asked[0].Body, asked[1].Body)
			require.Equal(t, asked[0].Path, asked[1].Path)
		})
	}
}

// What of a request's header reaches the upstream.
func TestHeaders(t *testing.T) {
	leaktest.Check(t)
	b := start(t, endwelltest.NewGateway(echo), Config{})
	req, err := http.NewRequestWithContext(within(t), http.MethodGet, b.url+"/v1/a%2Fb/models?key=a%20b&c=;d", nil)
	require.NoError(t, err)
	req.Header = http.Header{
		"Authorization": {"Bearer " + testKey}, "Connection": {"X-Hop"}, "X-Hop": {"1"},
		"X-Forwarded-For": {"10.0.0.1"}, "User-Agent": {"mine"},
	}
	resp, err := own().RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	u, err := url.Parse(b.Gateway.URL)
	require.NoError(t, err)
	require.Equal(t, u.Host, resp.Header.Get("X-Host"))
	require.Equal(t, "key=a%20b&c=;d", resp.Header.Get("X-Query"))
	require.Equal(t, "/v1/a%2Fb/models", resp.Header.Get("X-Path"))
	require.Equal(t, "mine", resp.Header.Get("X-User-Agent"))
	require.Equal(t, "Bearer "+testKey, resp.Header.Get("X-Authorization"))
	for _, name := range []string{"X-Forwarded-For", "X-Hop", "X-Accept-Encoding"} {
		require.Empty(t, resp.Header.Get(name), name)
	}
	require.Eventually(t, func() bool { return strings.Contains(b.log.String(), "msg=exchange") }, patience, time.Millisecond)
	require.NotContains(t, b.log.String(), testKey)
	require.NotContains(t, b.log.String(), "key=")
}

// A client that offers HTTP/2 without TLS gets what any other gets, and the offer is not
// handed on.
func TestOfferOfHTTP2(t *testing.T) {
	leaktest.Check(t)
	b := start(t, endwelltest.NewGateway(endwelltest.Script(endwelltest.OpenAI.Begin(), endwelltest.OpenAI.Text("Hel"))), Config{})
	got := b.raw(t, chatPath, asking, "", nil, "Connection", "Upgrade, HTTP2-Settings", "Upgrade", "h2c", "HTTP2-Settings", "AAMAAABkAAQAAP__")
	require.True(t, got.aborted, got.body)
	require.Contains(t, got.body, `"error"`)
	for _, name := range []string{"Upgrade", "Connection", "Http2-Settings"} {
		require.Empty(t, b.Requests()[0].Header.Get(name), name)
	}
}

// A frame is handed on when it comes, and not when the next one does.
func TestFramesAreNotHeldUp(t *testing.T) {
	leaktest.Check(t)
	for name, header := range map[string][]string{"plain": nil, "gzip": {"Accept-Encoding", "gzip"}} {
		t.Run(name, func(t *testing.T) {
			goOn := make(chan struct{})
			w := endwelltest.OpenAI
			b := start(t, endwelltest.NewGateway(endwelltest.Script(
				w.Begin(), w.Text("one"), endwelltest.Wait(goOn), w.Text("two"), endwelltest.Wait(goOn), w.Finish("stop"), w.Done(),
			)), Config{})
			resp, err := b.post(within(t), chatPath, asking, header...)
			require.NoError(t, err)
			for _, word := range []string{"one", "two"} {
				readTo(t, resp.Body, word)
				goOn <- struct{}{}
			}
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
		})
	}
}

// readTo reads until a text has come.
func readTo(t *testing.T, r io.Reader, word string) {
	t.Helper()
	var got []byte
	for buf := make([]byte, 256); !bytes.Contains(got, []byte(word)); {
		n, err := r.Read(buf)
		got = append(got, buf[:n]...)
		require.NoError(t, err, string(got))
	}
}

// A packed stream is unpacked, since it is looked at, and its error frame is not packed.
func TestPackedStream(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	b := start(t, endwelltest.NewGateway(endwelltest.Script(endwelltest.Gzip(), w.Begin(), w.Text("one"))), Config{})
	got := b.raw(t, chatPath, asking, "", nil, "Accept-Encoding", "gzip, br")
	require.Empty(t, got.head.Header.Get("Content-Encoding"))
	require.True(t, got.aborted)
	require.Contains(t, got.body, "one")
	require.Equal(t, "malformed_response", verdict(t, "openai", got).Category.String())
	require.Equal(t, "gzip", b.Requests()[0].Header.Get("Accept-Encoding"))
}

// A client that waits for 100 Continue gets it, for a body that is looked at and for
// one that is not.
func TestExpectContinue(t *testing.T) {
	leaktest.Check(t)
	for _, kind := range []string{"application/json", "application/octet-stream"} {
		t.Run(kind, func(t *testing.T) {
			b := start(t, endwelltest.NewGateway(endwelltest.OpenAI.Answer("hello")), Config{})
			c, err := net.Dial("tcp", b.addr)
			require.NoError(t, err)
			defer func() { _ = c.Close() }()
			require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
			_, _ = io.WriteString(c, "POST "+chatPath+" HTTP/1.1\r\nHost: "+b.addr+"\r\nExpect: 100-continue\r\nContent-Type: "+kind+
				"\r\nContent-Length: "+itoa(len(asking))+"\r\n\r\n")
			r := bufio.NewReader(c)
			resp, err := http.ReadResponse(r, nil)
			require.NoError(t, err)
			require.Equal(t, 100, resp.StatusCode)
			_, _ = io.WriteString(c, asking)
			for resp.StatusCode == 100 {
				resp, err = http.ReadResponse(r, nil)
				require.NoError(t, err)
			}
			require.Equal(t, 200, resp.StatusCode)
			require.False(t, resp.Close)
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Contains(t, string(body), "[DONE]")
			require.Equal(t, asking, string(b.Requests()[0].Body))
			require.Equal(t, kind == "application/json", b.Requests()[0].Header.Get("Expect") == "", "nothing to wait for twice")
		})
	}
}

// An upstream that answers before it has read the request does not make the proxy say
// Connection: close on the stream, nor wait for the rest of the request.
func TestEarlyAnswer(t *testing.T) {
	leaktest.Check(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	answered := make(chan struct{})
	var upstream sync.WaitGroup
	upstream.Go(func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		if _, err = http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+
			`data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}`+"\n\n")
		<-answered
	})
	g := endwelltest.NewGateway()
	g.Close()
	g.URL = "http://" + l.Addr().String()
	b := start(t, g, Config{})
	c, err := net.Dial("tcp", b.addr)
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, "POST /v1/upload HTTP/1.1\r\nHost: "+b.addr+"\r\nContent-Type: application/octet-stream\r\nContent-Length: 1048576\r\n\r\n")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	require.False(t, resp.Close)
	readTo(t, resp.Body, "hi")
	close(answered)
	got, err := readUntil(resp.Body, "", nil)
	require.Error(t, err)
	require.Contains(t, got, "error")
	require.NoError(t, c.Close())
	require.NoError(t, l.Close())
	upstream.Wait()
}

// A body that is too long to be read ahead passes whole.
func TestLongJSON(t *testing.T) {
	leaktest.Check(t)
	sum := make(chan int64, 1)
	b := start(t, endwelltest.NewGateway(), Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		n, err := io.Copy(io.Discard, r.Body)
		sum <- n
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody, Request: r}, err
	})})
	const size = maxAhead + 5
	req, err := http.NewRequestWithContext(within(t), http.MethodPost, b.url+chatPath, io.LimitReader(zeros{}, size))
	require.NoError(t, err)
	resp, err := own().RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, int64(size), <-sum)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// When the hold is over, the client gets the header and what keeps it alive; a failure
// is then a frame.
func TestHoldIsBounded(t *testing.T) {
	leaktest.Check(t)
	goOn := make(chan struct{})
	w := endwelltest.OpenAI
	clk := new(clock.Fake)
	b := start(t, endwelltest.NewGateway(endwelltest.Script(
		w.KeepAlive(), endwelltest.Wait(goOn), w.KeepAlive(), endwelltest.Wait(goOn), w.Fault("server_error", "no"),
	)), Config{Clock: clk, Hold: time.Minute, Dialect: dialects.MustByName("openai")})
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	back := make(chan *http.Response, 1)
	go func() {
		resp, err := b.post(ctx, chatPath, asking)
		if err == nil {
			back <- resp
		}
		close(back)
	}()
	require.NoError(t, clk.BlockUntil(ctx, 2), "the hold's and the guard's")
	clk.Advance(time.Minute)
	resp := <-back
	require.NotNil(t, resp)
	goOn <- struct{}{}
	readTo(t, resp.Body, "\n\n")
	goOn <- struct{}{}
	got, err := readUntil(resp.Body, "", nil)
	require.Error(t, err)
	require.Contains(t, got, "server_error")
}
