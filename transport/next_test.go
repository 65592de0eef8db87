package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

func TestNewPanicsOnABadURL(t *testing.T) {
	for _, url := range []string{
		"", "/v1/chat", "example.com/v1", "ftp://example.com", "http:///path", "http://", "https:example.com", "http://a b/", "://", "http://h:port",
	} {
		require.Panics(t, func() { transport.New(transport.Config{URL: url}) }, url)
	}
	require.NotPanics(t, func() { transport.New(transport.Config{URL: "HTTPS://example.com"}) })
}

// call is what a server got.
type call struct {
	method, path, body string
	header             http.Header
}

// capture is a server that answers and keeps what it got.
func capture(t *testing.T) (*bench, func() []call) {
	t.Helper()
	var mu sync.Mutex
	var calls []call
	b := serve(t, false, func(x *exchange) {
		got, _ := io.ReadAll(x.Body)
		mu.Lock()
		calls = append(calls, call{x.Method, x.URL.String(), string(got), x.Request.Header.Clone()})
		mu.Unlock()
		x.send(answer)
	})
	return b, func() []call {
		mu.Lock()
		defer mu.Unlock()
		return calls
	}
}

func TestPayload(t *testing.T) {
	b, calls := capture(t)
	next := transport.New(transport.Config{URL: b.URL + "/v1?q=1", Client: b.client, Dialect: openai})
	for _, row := range []struct {
		name    string
		payload any
		want    string
	}{
		{"bytes", []byte(`{"a":1}`), `{"a":1}`},
		{"raw JSON", json.RawMessage(`{"a": 1}`), `{"a": 1}`},
		{"text", `{"a":1}`, `{"a":1}`},
		{"a value", map[string]any{"a": []int{1}}, `{"a":[1]}`},
		{"a pointer", &struct{ A int }{1}, `{"A":1}`},
	} {
		st, err := next.Open(t.Context(), &endwell.Request{Payload: row.payload})
		require.NoError(t, err, row.name)
		said, err := b.read(st)
		require.True(t, err == io.EOF, row.name)
		require.Equal(t, "hello", said, row.name)
		all := calls()
		require.Equal(t, row.want, all[len(all)-1].body, row.name)
		require.Equal(t, "POST", all[len(all)-1].method)
		require.Equal(t, "/v1?q=1", all[len(all)-1].path)
	}
}

// What cannot be sent is the caller's to repair, and is not sent.
func TestRequestsThatCannotBeSent(t *testing.T) {
	b, calls := capture(t)
	key := http.Header{"Authorization": {"Bearer sk-test-not-a-real-key\n"}}
	late := func(r *http.Request, _ *endwell.Request) error { r.Header.Set("X-Late", "a\x00b"); return nil }
	for _, row := range []struct {
		name    string
		cfg     transport.Config
		payload any
		reason  string
		message string
	}{
		{"no payload", transport.Config{}, nil, "no_payload", "the request has no payload"},
		{"a payload that can be read once", transport.Config{}, strings.NewReader("{}"), "payload_is_reader", "could be sent only once"},
		{"a payload that is no JSON", transport.Config{}, make(chan int), "payload_not_json", "cannot be encoded as JSON"},
		{"a header without a name", transport.Config{Header: http.Header{"": {"x"}}}, "{}", "header_name", "the name of a header"},
		{"a key with its newline", transport.Config{Header: key}, "{}", "header_value", "a control character"},
		{"a control character from Prepare", transport.Config{Prepare: late}, "{}", "header_value", "a control character"},
		{"Prepare takes the address", prepared(func(r *http.Request) { r.URL = nil }), "{}", "request_url", "not an absolute http or https URL"},
		{"Prepare takes the host", prepared(func(r *http.Request) { r.URL.Host = "" }), "{}", "request_url", "not an absolute http or https URL"},
		{"Prepare takes another protocol", prepared(func(r *http.Request) { r.URL.Scheme = "ftp" }), "{}", "request_url", "not an absolute http or https URL"},
		{"Prepare takes a method of its own", prepared(func(r *http.Request) { r.Method = "P OST" }), "{}", "request_method", "none of HTTP"},
		{"Prepare takes the body", prepared(func(r *http.Request) { r.Body = nil }), "{}", "no_body", "its body was taken away"},
		{"Prepare takes the body and its length", prepared(func(r *http.Request) { r.Body, r.ContentLength = nil, -1 }), "{}", "no_body", "its body was taken away"},
		{"Prepare names a host that is none", prepared(func(r *http.Request) { r.URL.Host = "a b" }), "{}", "request_url", "not an absolute http or https URL"},
		{"Prepare names another host that is none", prepared(func(r *http.Request) { r.Host = "a/b" }), "{}", "request_url", "not an absolute http or https URL"},
		{"Prepare names a trailer that is none", prepared(func(r *http.Request) { r.Trailer = http.Header{"a b": nil} }), "{}", "header_name", "the name of a header"},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.cfg.URL, row.cfg.Client = b.URL, b.client
			next := transport.New(row.cfg)
			for name, n := range map[string]endwell.Next{"raw": next, "standard": middleware.Standard(middleware.Config{})(next)} {
				st, err := n.Open(t.Context(), &endwell.Request{Payload: row.payload})
				require.Nil(t, st)
				var e *endwell.Error
				require.True(t, errors.As(err, &e), name)
				require.Equal(t, endwell.Unreachable, e.Fault)
				require.Equal(t, endwell.RequestInvalid, e.Category)
				require.False(t, e.Transient || e.Retryable)
				require.NotContains(t, e.Unredacted().Error(), "sk-test")
				require.Contains(t, e.Error(), " reason="+row.reason)
				require.Contains(t, e.Message(), " was not sent: ")
				require.Contains(t, e.Message(), row.message)
			}
			require.Empty(t, calls())
		})
	}
}

// prepared is a Config with that Prepare.
func prepared(change func(*http.Request)) transport.Config {
	return transport.Config{Prepare: func(r *http.Request, _ *endwell.Request) error { change(r); return nil }}
}

// What Prepare may make of a request is sent.
func TestPrepareChanges(t *testing.T) {
	b, calls := capture(t)
	for name, change := range map[string]func(*http.Request){
		"nothing":          func(*http.Request) {},
		"the query":        func(r *http.Request) { r.URL.RawQuery = "key=sk-test-not-a-real-key" },
		"the method":       func(r *http.Request) { r.Method = "PUT" },
		"no method":        func(r *http.Request) { r.Method, r.Body, r.ContentLength = "", nil, 0 },
		"the body":         func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader("[]")), -1 },
		"read, to sign it": func(r *http.Request) { _, _ = io.ReadAll(r.Body) },
		"closed, too":      func(r *http.Request) { _, _ = io.ReadAll(r.Body); _ = r.Body.Close() },
		"wrapped":          func(r *http.Request) { r.Body = io.NopCloser(io.TeeReader(r.Body, io.Discard)) },
		"no body":          func(r *http.Request) { r.Body, r.ContentLength = http.NoBody, 0 },
		"the headers":      func(r *http.Request) { r.Header = nil },
	} {
		before := len(calls())
		_, err := b.run(t, prepared(change), true)
		require.True(t, err == io.EOF, "%s: %v", name, err)
		require.Len(t, calls(), before+1, name)
	}
}

// What Prepare has read is sent from its beginning.
func TestPrepareReadsTheBody(t *testing.T) {
	b, calls := capture(t)
	cfg := transport.Config{URL: b.URL, Client: b.client, Prepare: func(r *http.Request, _ *endwell.Request) error {
		got, err := io.ReadAll(r.Body)
		r.Header.Set("X-Digest", string(got))
		return err
	}}
	st, err := transport.New(cfg).Open(t.Context(), &endwell.Request{Payload: `{"a":1}`})
	require.NoError(t, err)
	require.NoError(t, st.Close())
	require.Equal(t, `{"a":1}`, calls()[0].body)
	require.Equal(t, `{"a":1}`, calls()[0].header.Get("X-Digest"))
}

// A body of Prepare's that cannot be sent is not the network's fault, over either protocol.
func TestPrepareBodyThatCannotBeSent(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		for name, row := range map[string]struct {
			body   io.Reader
			length int64
			reason string
		}{
			"it fails":               {iotest.ErrReader(errors.New("disk")), 2, "body_unreadable"},
			"it fails on the way":    {io.MultiReader(strings.NewReader("{"), iotest.ErrReader(errors.New("disk"))), -1, "body_unreadable"},
			"it is shorter":          {strings.NewReader("{"), 2, "body_length"},
			"there is nothing of it": {strings.NewReader(""), 2, "body_length"},
			"it is longer":           {strings.NewReader("{} "), 2, "body_length"},
		} {
			t.Run(fmt.Sprint(name, ", HTTP/2 ", h2), func(t *testing.T) {
				b := serve(t, h2, func(x *exchange) {
					if _, err := io.Copy(io.Discard, x.Body); err != nil {
						panic(http.ErrAbortHandler)
					}
					x.hang()
				})
				_, err := b.run(t, prepared(func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(row.body), row.length }), true)
				require.Equal(t, "unreachable request_invalid", verdict(err))
				require.ErrorContains(t, err, "reason="+row.reason)
			})
		}
	}
}

// The network's fault stays that of the network, whoever has made the body.
func TestPrepareBodyAndNetwork(t *testing.T) {
	b := serve(t, false, func(x *exchange) { _ = x.hijacked().Close() })
	_, err := b.run(t, prepared(func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2 }), true)
	require.Equal(t, "unreachable network", verdict(err))
}

// Whoever closes a body while it is read has not failed to give it.
func TestBodyThatIsClosedWhileItIsRead(t *testing.T) {
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		begun, over := make(chan struct{}), make(chan error)
		go func() {
			_, _ = r.Body.Read(make([]byte, 1))
			close(begun)
			_, err := io.Copy(io.Discard, r.Body)
			over <- err
		}()
		<-begun
		require.NoError(t, r.Body.Close())
		require.Error(t, <-over)
		return nil, syscall.ECONNRESET
	})
	blocked := func() io.ReadCloser {
		body, w := io.Pipe()
		go func() { _, _ = io.WriteString(w, "{") }()
		return body
	}
	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
		URL: "http://host.invalid/", Client: &http.Client{Transport: base},
		Prepare: func(r *http.Request, _ *endwell.Request) error { r.Body, r.ContentLength = blocked(), -1; return nil },
	}))
	_, err := next.Open(t.Context(), &endwell.Request{Payload: "{}"})
	require.Equal(t, "unreachable network", verdict(err))

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", blocked())
	require.NoError(t, err)
	req.Header.Set("Accept", sse)
	_, err = transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
	require.Equal(t, "unreachable network", verdict(err))
}

// errors.Is takes any target, and compares none that cannot be compared.
func TestPrepareErrorThatCannotBeCompared(t *testing.T) {
	next := transport.New(transport.Config{URL: "http://host.invalid/x", Prepare: func(*http.Request, *endwell.Request) error {
		return fieldErrors{"a"}
	}})
	_, err := next.Open(t.Context(), &endwell.Request{Payload: "{}"})
	require.NotErrorIs(t, err, fieldErrors{"a"})
	var theirs fieldErrors
	require.ErrorAs(t, err, &theirs)
}

type fieldErrors []string

func (f fieldErrors) Error() string { return "fields" }

func TestNoRequest(t *testing.T) {
	next := transport.New(transport.Config{URL: "http://host.invalid/"})
	for name, n := range map[string]endwell.Next{"raw": next, "standard": middleware.Standard(middleware.Config{})(next)} {
		_, err := n.Open(t.Context(), nil)
		require.ErrorIs(t, err, endwell.RequestInvalid, name)
		require.ErrorContains(t, err, "reason=no_request", name)
	}
}

func TestHeader(t *testing.T) {
	b, calls := capture(t)
	header := http.Header{"Authorization": {"Bearer sk-test-not-a-real-key"}, "x-two": {"a", "b"}}
	run := func(cfg transport.Config) http.Header {
		cfg.Dialect = openai
		_, err := b.run(t, cfg, false)
		require.True(t, err == io.EOF, "%v", err)
		all := calls()
		return all[len(all)-1].header
	}

	got := run(transport.Config{Header: header})
	require.Equal(t, "application/json", got.Get("Content-Type"))
	require.Contains(t, got.Get("Accept"), "text/event-stream")
	require.Equal(t, "Bearer sk-test-not-a-real-key", got.Get("Authorization"))
	require.Equal(t, []string{"a", "b"}, got["X-Two"])
	require.Equal(t, []string{"gzip"}, got["Accept-Encoding"])

	got = run(transport.Config{Header: http.Header{"content-type": {"application/x-ndjson"}, "Accept": {"*/*"}}})
	require.Equal(t, []string{"application/x-ndjson"}, got["Content-Type"])
	require.Equal(t, []string{"*/*"}, got["Accept"])

	// What Prepare adds is for its own request only.
	before := header.Clone()
	prepared := transport.Config{Header: header, Prepare: func(r *http.Request, req *endwell.Request) error {
		r.Header.Add("X-Two", req.Model)
		return nil
	}}
	for range 2 {
		require.Equal(t, []string{"a", "b", "small"}, run(prepared)["X-Two"])
	}
	require.Equal(t, before, header)
}

func TestPrepareFails(t *testing.T) {
	b, calls := capture(t)
	cause := errors.New("no token")
	cfg := transport.Config{Prepare: func(*http.Request, *endwell.Request) error { return cause }}
	_, err := b.run(t, cfg, false)
	require.ErrorIs(t, err, cause)

	_, err = b.run(t, cfg, true)
	require.ErrorIs(t, err, endwell.Unreachable)
	require.NotContains(t, err.Error(), "token")
	require.Contains(t, err.Error(), "reason=prepare_failed")

	cause = &endwell.Error{Fault: endwell.Unreachable, Category: endwell.AuthMissing}
	_, err = b.run(t, cfg, true)
	require.ErrorIs(t, err, endwell.AuthMissing, "an error that has a category keeps it")
	require.Empty(t, calls())
}

func TestNothingListens(t *testing.T) {
	b := serve(t, false, func(*exchange) {})
	b.Server.Close()
	_, err := b.run(t, transport.Config{}, true)
	require.ErrorIs(t, err, endwell.Unreachable)
	require.ErrorIs(t, err, endwell.Network)
	require.NotContains(t, err.Error(), "127.0.0.1")
}

// overBoth runs a test over both versions of HTTP.
func overBoth(t *testing.T, f func(t *testing.T, h2 bool)) {
	t.Run("HTTP/1.1", func(t *testing.T) { f(t, false) })
	t.Run("HTTP/2", func(t *testing.T) { f(t, true) })
}

func TestCancelBeforeOpen(t *testing.T) {
	b, calls := capture(t)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelLate()
	for _, ctx := range []context.Context{canceled, late} {
		_, err := b.open(ctx, transport.Config{}, false)
		require.ErrorIs(t, err, ctx.Err())
		_, err = b.open(ctx, transport.Config{}, true)
		require.True(t, err == ctx.Err(), "%v", err)
	}
	require.Empty(t, calls())
}

func TestCancelWhileOpenWaits(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		entered := make(chan struct{})
		b := serve(t, h2, func(x *exchange) { close(entered); x.hang() })
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { <-entered; cancel(errors.New("my own reason")) }()
		_, err := b.open(ctx, transport.Config{}, true)
		require.True(t, err == context.Canceled, "%v", err)
	})
}

// A call that waits for its error body gives up with its caller.
func TestCancelWhileAnErrorBodyIsRead(t *testing.T) {
	entered := make(chan struct{})
	b := serve(t, false, func(x *exchange) { x.WriteHeader(500); x.send("half"); close(entered); x.hang() })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	_, err := b.open(ctx, transport.Config{}, true)
	require.True(t, err == context.Canceled, "%v", err)
}

// talkative is a server that begins an answer and then says nothing.
func talkative(x *exchange) { x.send(hel); x.hang() }

func TestCancelMidStream(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b := newTalk(t, h2)
		for _, standard := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			st := b.begin(ctx, transport.Config{Dialect: openai}, standard)
			got := waiting(st)
			cancel()
			err := <-got
			if standard {
				require.True(t, err == context.Canceled, "%v", err)
			} else {
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NoError(t, st.Close())
		}
	})
}

func TestCloseUnblocksRecv(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b := newTalk(t, h2)
		for _, standard := range []bool{false, true} {
			st := b.begin(t.Context(), transport.Config{Dialect: openai}, standard)
			got := waiting(st)
			_ = st.Close()
			require.True(t, <-got == endwell.ErrClosed)
			require.NoError(t, st.Close())
		}
	})
}

func TestCloseBetweenRecvs(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b := newTalk(t, h2)
		for _, standard := range []bool{false, true} {
			st := b.begin(t.Context(), transport.Config{Dialect: openai}, standard)
			_ = st.Close()
			require.True(t, <-waiting(st) == endwell.ErrClosed)
		}
	})
}

// talk is a bench whose answers begin and go no further.
type talk struct {
	*bench
	t *testing.T
}

func newTalk(t *testing.T, h2 bool) talk { return talk{serve(t, h2, talkative), t} }

// begin opens a call and takes its first text.
func (k talk) begin(ctx context.Context, cfg transport.Config, standard bool) endwell.Stream {
	k.t.Helper()
	st, err := k.open(ctx, cfg, standard)
	require.NoError(k.t, err)
	for {
		c, err := st.Recv()
		require.NoError(k.t, err)
		if c.Kind == endwell.KindText {
			return st
		}
	}
}

// waiting reads a stream to its end on a goroutine that has begun.
func waiting(st endwell.Stream) <-chan error {
	began, got := make(chan struct{}), make(chan error, 1)
	go func() {
		close(began)
		for {
			if _, err := st.Recv(); err != nil {
				got <- err
				return
			}
		}
	}()
	<-began
	return got
}

// The default client sends keys and prompt to nobody else.
func TestNoRedirectToAnotherHost(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		var told atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { told.Add(1) }))
		first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, status)
		}))
		_, err := transport.New(transport.Config{URL: first.URL, Dialect: openai}).Open(t.Context(), &endwell.Request{Payload: "{}"})
		var ev *endwell.Evidence
		require.ErrorAs(t, err, &ev, status)
		require.Equal(t, status, ev.Status)
		require.Zero(t, told.Load())
		first.Close()
		other.Close()
	}
}

func TestPayloadsThatCannotBeSent(t *testing.T) {
	next := transport.New(transport.Config{URL: "http://127.0.0.1:1", Dialect: openai})
	for name, payload := range map[string]any{"none": nil, "a reader": strings.NewReader("{}"), "a function": func() {}} {
		_, err := next.Open(t.Context(), &endwell.Request{Payload: payload})
		require.ErrorIs(t, err, endwell.RequestInvalid, name)
	}
	for _, name := range []string{"", "a b", "a:b", "ä"} {
		_, err := transport.New(transport.Config{URL: "http://127.0.0.1:1", Dialect: openai, Header: http.Header{name: {"x"}}}).
			Open(t.Context(), &endwell.Request{Payload: "{}"})
		require.ErrorIs(t, err, endwell.RequestInvalid, "header %q", name)
	}
}

func TestNothingOfAConfigIsPrinted(t *testing.T) {
	cfg := transport.Config{URL: "https://u:sk-test@api.example.com/v1?key=sk-test", Header: http.Header{"X-Api-Key": {"sk-test"}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		for _, v := range []any{cfg, &cfg, transport.New(cfg)} {
			require.NotContains(t, fmt.Sprintf(verb, v), "sk-test", verb)
		}
	}
}
