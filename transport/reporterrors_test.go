package transport_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// failing is a body that ends in an error.
type failing struct {
	io.Reader
	err    error
	closed bool
}

func (b *failing) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func (b *failing) Close() error {
	b.closed = true
	return nil
}

// busy is the error of these bodies.
func busy() *endwell.Error {
	return &endwell.Error{Fault: endwell.Stalled, Category: endwell.Overloaded, Transient: true}
}

// streamed is a response of unknown length.
func streamed(body string, err error, header ...string) (*http.Response, *failing) {
	b := &failing{Reader: strings.NewReader(body), err: err}
	resp := respond(b, header...)
	resp.ContentLength = -1
	return resp, b
}

// Which dialect a frame is in, when nobody says.
func TestReportErrorsFindsTheDialect(t *testing.T) {
	const (
		aws   = "application/vnd.amazon.eventstream"
		lines = "application/x-ndjson"
		list  = "application/json"
		part  = `{"candidates":[{"content":{"parts":[{"text":"hel"}]}}]}`
	)
	for _, row := range []struct {
		name, url, media, body string
		dialect                *dialects.Dialect
		want                   string // a dialect
	}{
		{name: "named", url: "https://api.anthropic.com/v1/messages", body: hel, dialect: openai, want: "openai"},
		{name: "named, and the bytes are of another family", url: "http://gateway/x", body: `data: {"type":"response.created","response":{}}` + "\n\n", dialect: dialects.MustByName("anthropic"), want: "responses"},
		{name: "named, and chat on a path of chat", url: "http://gateway/v1/chat/completions", body: hel, dialect: dialects.MustByName("anthropic"), want: "compatible"},
		{name: "named, and the bytes tell nothing", url: "http://gateway/x", body: "data: hello\n\n", dialect: dialects.MustByName("anthropic"), want: "anthropic"},
		{name: "named, nothing sent, a path of another family", url: "http://gateway/m:streamGenerateContent", dialect: openai, want: "gemini"},
		{name: "named, nothing sent, a path that others have too", url: "http://gateway/chats/1/messages", dialect: openai, want: "openai"},
		{name: "by its path", url: "http://gateway/v1/messages", want: "anthropic"},
		{name: "by its host", url: "https://api.z.ai/v4/chat/completions", body: hel, want: "zai"},
		{name: "by its host, nothing sent", url: "https://api.z.ai/v4/anything", want: "zai"},
		{name: "by its first bytes", url: "http://gateway/chat", body: `data: {"type":"message_start","message":{}}` + "\n\n", want: "anthropic"},
		{name: "by its content type", url: "http://gateway/chat", media: lines, want: "ollama"},
		{name: "messages, nothing sent", url: "http://gateway/chat", media: aws, want: "bedrock-converse"},
		{name: "nothing known", url: "http://gateway/chat", want: "compatible"},
		{name: "an array", url: "http://gateway/m:streamGenerateContent", media: list, body: "[" + part, want: "gemini"},
		{name: "no request", body: `{"model":"m","message":{},"done":false}` + "\n", media: lines, want: "ollama"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.media == "" {
				row.media = sse
			}
			want := dialects.MustByName(row.want)
			tail := &dialects.Tail{ContentType: row.media}
			_, _ = io.WriteString(tail, row.body)
			frame := string(want.ErrorFrameAfter(tail, busy()))
			for way, read := range map[string]func(io.Reader) io.Reader{
				"whole":             func(r io.Reader) io.Reader { return r },
				"a byte at a time":  iotest.OneByteReader,
				"beside the ending": iotest.DataErrReader,
			} {
				resp, b := streamed(row.body, busy(), "Content-Type", row.media)
				b.Reader = read(b.Reader)
				if row.url != "" {
					resp.Request = httptest.NewRequest(http.MethodPost, row.url, nil)
				}
				require.NoError(t, transport.ReportErrors(row.dialect)(resp))
				got, err := io.ReadAll(iotest.OneByteReader(resp.Body))
				require.Equal(t, row.body+frame, string(got), way)
				require.ErrorIs(t, err, endwell.Overloaded, way)
				n, again := resp.Body.Read(make([]byte, 1))
				require.Zero(t, n, way)
				require.Equal(t, err, again, "the ending stays")
				require.NoError(t, resp.Body.Close())
				require.True(t, b.closed)
			}
		})
	}
}

// What is none of its own passes, and a body that would be spoilt stays as it is.
func TestReportErrorsLeavesAlone(t *testing.T) {
	for _, row := range []struct {
		name   string
		err    error
		change func(*http.Response)
	}{
		{"a whole answer", io.EOF, nil},
		{"the client's own cancellation", context.Canceled, nil},
		{"a transport's error", io.ErrUnexpectedEOF, nil},
		{"a body in gzip", busy(), func(r *http.Response) { r.Header.Set("Content-Encoding", "gzip") }},
		{"a body in an encoding of somebody's", busy(), func(r *http.Response) { r.Header.Set("Content-Encoding", "zstd") }},
		{"a body with a length", busy(), func(r *http.Response) { r.ContentLength = int64(len(hel)) }},
		{"a refusal", busy(), func(r *http.Response) { r.StatusCode = 429 }},
		{"an upgrade", busy(), func(r *http.Response) { r.StatusCode = 101 }},
		{"one document", busy(), func(r *http.Response) {
			r.Header.Set("Content-Type", "application/json")
			r.Body.(*failing).Reader = strings.NewReader("{}")
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			resp, b := streamed(hel, row.err)
			want := hel
			if row.change != nil {
				row.change(resp)
			}
			if resp.Header.Get("Content-Type") != sse {
				want = "{}"
			}
			require.NoError(t, transport.ReportErrors(openai)(resp))
			if row.name == "an upgrade" {
				require.Same(t, b, resp.Body, "the connection itself")
			}
			got, err := io.ReadAll(resp.Body)
			require.Equal(t, want, string(got))
			if row.err == io.EOF {
				row.err = nil
			}
			require.Equal(t, row.err, err)
		})
	}
	resp := &http.Response{StatusCode: 200, ContentLength: -1}
	require.NoError(t, transport.ReportErrors(nil)(resp))
	require.Nil(t, resp.Body)
}

func TestReportErrorsAllocatesNothing(t *testing.T) {
	resp, _ := streamed(strings.Repeat("x", 1000), nil)
	require.NoError(t, transport.ReportErrors(openai)(resp))
	p := make([]byte, 1)
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = resp.Body.Read(p) }))
}

// gateway is a reverse proxy with endwell in it, before a bench that sees to it that
// nothing is left.
func gateway(t *testing.T, up *bench, h2 bool, cfg transport.WrapConfig) *bench {
	target, err := url.Parse(up.URL)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:      transport.Wrap(up.client.Transport, cfg),
		ModifyResponse: transport.ReportErrors(cfg.Dialect),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			openai.WriteError(w, classify.Error(err, classify.Call{}))
		},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	front := httptest.NewUnstartedServer(proxy)
	front.Config.ErrorLog = proxy.ErrorLog
	if front.EnableHTTP2 = h2; h2 {
		front.StartTLS()
	} else {
		front.Start()
	}
	client := front.Client()
	client.Transport.(*http.Transport).DisableCompression = true
	t.Cleanup(func() {
		client.CloseIdleConnections()
		front.Close()
	})
	return &bench{Server: front, client: client, seen: up.seen, once: up.once}
}

// Behind a reverse proxy a client sees the frame and the abort, whatever is between.
func TestReverseProxy(t *testing.T) {
	for _, row := range []struct {
		name     string
		upstream func(x *exchange)
		said     string
		category string // of the frame, "" for none
	}{
		{"a whole answer", func(x *exchange) { x.send(answer) }, answer, ""},
		{"cut off", func(x *exchange) { x.send(hel) }, hel, "malformed_response"},
		{"broken", func(x *exchange) { x.send(hel); panic(http.ErrAbortHandler) }, hel, "network_error"},
		{"half a frame", func(x *exchange) { x.send(hel + lo[:20]) }, hel, "malformed_response"},
		{"an error frame of the provider", func(x *exchange) {
			x.send(hel + `data: {"error":{"code":"server_is_overloaded","message":"wombatfold"}}` + "\n\n")
		}, hel, "server_is_overloaded"},
		{"in gzip, cut off", func(x *exchange) {
			x.ResponseWriter.Header().Set("Content-Encoding", "gzip")
			x.send(zipped(hel))
		}, hel, "malformed_response"},
		{"in gzip, whole", func(x *exchange) {
			x.ResponseWriter.Header().Set("Content-Encoding", "gzip")
			x.send(zipped(answer))
		}, answer, ""},
	} {
		for _, h2 := range []bool{false, true} {
			name := row.name + " over HTTP/1.1"
			if h2 {
				name = row.name + " over HTTP/2"
			}
			t.Run(name, func(t *testing.T) {
				up := serve(t, h2, func(x *exchange) {
					_, _ = io.Copy(io.Discard, x.Body)
					x.ResponseWriter.Header().Set("Content-Type", sse)
					row.upstream(x)
				})
				front := gateway(t, up, h2, transport.WrapConfig{Dialect: openai})
				resp, err := front.ask(t.Context(), front.client, strings.NewReader(asking), "Accept-Encoding", "gzip")
				require.NoError(t, err)
				require.Empty(t, resp.Header.Get("Content-Encoding"))
				got, err := front.readAll(resp.Body)
				frame, found := strings.CutPrefix(got, row.said)
				require.True(t, found, got)
				require.NotContains(t, got, "wombatfold")
				if row.category == "" {
					require.NoError(t, err)
					require.Empty(t, frame)
					return
				}
				require.Error(t, err, "the connection is aborted")
				require.Contains(t, frame, `"code":"`+row.category+`"`)
				require.True(t, strings.HasPrefix(frame, "data: {") && strings.HasSuffix(frame, "}\n\n"), frame)
				require.Equal(t, 1, strings.Count(frame, "\n\n"))
			})
		}
	}
}

// What failed before the answer is answered with a status. A refusal is the provider's
// own, to the byte.
func TestReverseProxyAnswers(t *testing.T) {
	const refused = `{"error":{"message":"no","code":"made_up"}}`
	up := serve(t, false, func(x *exchange) {
		_, _ = io.Copy(io.Discard, x.Body)
		if x.Request.Header.Get("X-Refuse") == "" {
			panic(http.ErrAbortHandler)
		}
		x.ResponseWriter.Header().Set("Retry-After", "7")
		x.ResponseWriter.WriteHeader(http.StatusTeapot)
		x.send(refused)
	})
	front := gateway(t, up, false, transport.WrapConfig{Dialect: openai})

	resp, err := front.ask(t.Context(), front.client, strings.NewReader(asking))
	require.NoError(t, err)
	got, err := front.readAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadGateway, resp.StatusCode)
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	require.Contains(t, got, `"code":"network_error"`)

	resp, err = front.ask(t.Context(), front.client, strings.NewReader(asking), "X-Refuse", "1")
	require.NoError(t, err)
	got, err = front.readAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, resp.StatusCode)
	require.Equal(t, "7", resp.Header.Get("Retry-After"))
	require.Equal(t, refused, got)
}

// In a JSON array the frame is an element, and the array stays open, so that whoever
// reads it whole fails too.
func TestReverseProxyInAnArray(t *testing.T) {
	const first = `[{"candidates":[{"content":{"parts":[{"text":"hel"}]}}]}`
	up := serve(t, false, func(x *exchange) {
		x.ResponseWriter.Header().Set("Content-Type", "application/json")
		x.send(first)
	})
	front := gateway(t, up, false, transport.WrapConfig{})
	resp, err := front.client.Post(front.URL+"/v1beta/models/m:streamGenerateContent", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	got, err := front.readAll(resp.Body)
	require.Error(t, err)
	element, found := strings.CutPrefix(got, first+",\r\n")
	require.True(t, found, got)
	require.True(t, strings.HasPrefix(element, `{"error":{"code":502,`) && strings.HasSuffix(element, "}}"), element)
}

// A client's own end is nobody's fault: nothing is reported to it, nor to the chain.
func TestReverseProxyClientGone(t *testing.T) {
	ended := make(chan middleware.Report, 1)
	up := serve(t, false, func(x *exchange) {
		x.ResponseWriter.Header().Set("Content-Type", sse)
		x.send(hel)
		x.hang()
	})
	front := gateway(t, up, false, transport.WrapConfig{
		Dialect: openai,
		Around:  middleware.Observe(middleware.ObserveConfig{Report: func(_ context.Context, r middleware.Report) { ended <- r }}),
	})
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := front.ask(ctx, front.client, strings.NewReader(asking))
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, len(hel)))
	require.NoError(t, err)
	cancel()
	require.NoError(t, resp.Body.Close())
	require.Equal(t, retry.EndingCanceled, (<-ended).Ending)
}
