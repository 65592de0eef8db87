package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// replies is a base that answers without a network.
func replies(status int, body string, header ...string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		resp := respond(io.NopCloser(strings.NewReader(body)), header...)
		resp.StatusCode = status
		return resp, nil
	})
}

// raws is a chain that keeps the raw error of its provider.
func raws(to *error) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := next.Open(ctx, req)
			*to = err
			return &rawStream{st, to}, err
		})
	}
}

type rawStream struct {
	endwell.Stream
	to *error
}

func (s *rawStream) Recv() (endwell.Chunk, error) {
	c, err := s.Stream.Recv()
	if err != nil {
		*s.to = err
	}
	return c, err
}

func TestRoundTripDialect(t *testing.T) {
	const (
		frame  = `data: {"error":{"code":"c"}}` + "\n\n"
		line   = `{"error":"c"}` + "\n"
		ndjson = "application/x-ndjson"
	)
	for _, row := range []struct{ url, media, body, dialect string }{
		{"https://api.groq.com/openai/v1/chat/completions", sse, frame, "groq"},
		{"https://host.invalid/v1/chat/completions", sse, frame, "compatible"},
		{"https://host.invalid/v1/chat/completions", sse, ": OPENROUTER PROCESSING\n\n" + frame, "openrouter"},
		{"https://host.invalid/anthropic/v1/messages", sse, frame, "anthropic"},
		{"https://host.invalid/v1/responses", sse, frame, "responses"},
		{"https://host.invalid/v2/chat", sse, frame, "cohere"},
		{"https://host.invalid/v1beta/models/m:streamGenerateContent?alt=sse", sse, frame, "gemini"},
		{"https://host.invalid/v1beta/models/m:streamGenerateContent", "application/json", `[{"error":{"code":1}}]`, "gemini"},
		{"http://127.0.0.1:11434/api/chat", ndjson, line, "ollama"},
		{"http://127.0.0.1:11434/api/chat", sse, frame, "compatible"},
		{"http://127.0.0.1:11434/v1/chat/completions", sse, frame, "compatible"},
	} {
		for _, status := range []int{200, 500} {
			var raw error
			cfg := transport.WrapConfig{Chain: raws(&raw)}
			client := &http.Client{Transport: transport.Wrap(replies(status, row.body, "Content-Type", row.media), cfg)}
			resp, err := client.Post(row.url, "application/json", strings.NewReader(asking))
			require.NoError(t, err)
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			var ev *endwell.Evidence
			require.True(t, errors.As(raw, &ev), "%s: %v", row.url, raw)
			want := row.dialect
			if status == 500 && want == "openrouter" || status == 500 && row.url == "http://127.0.0.1:11434/api/chat" {
				continue // the bytes of a refusal do not tell
			}
			require.Equal(t, want, ev.Dialect, "%s %d", row.url, status)
		}
	}
	var raw error
	cfg := transport.WrapConfig{Chain: raws(&raw), Dialect: openai}
	client := &http.Client{Transport: transport.Wrap(replies(200, frame), cfg)}
	resp, err := client.Post("https://host.invalid/v1/messages", "application/json", strings.NewReader(asking))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.True(t, err == raw, "without a classifier the raw ending is what Read returns")
	require.NoError(t, resp.Body.Close())
	var ev *endwell.Evidence
	require.True(t, errors.As(raw, &ev))
	require.Equal(t, "openai", ev.Dialect, "the named dialect counts")
}

// A refused call is read in the dialect that was named, but on a path that can only be
// that of another family.
func TestRoundTripDialectOfARefusal(t *testing.T) {
	for path, want := range map[string]string{
		"/v1beta/models/m:streamGenerateContent": "gemini", "/chats/1/messages": "openai", "/x": "openai", "/v1/chat/completions": "openai",
	} {
		var raw error
		cfg := transport.WrapConfig{Chain: raws(&raw), Dialect: openai}
		client := &http.Client{Transport: transport.Wrap(replies(429, `{"error":{}}`, "Content-Type", "application/json"), cfg)}
		resp, err := client.Post("https://host.invalid"+path, "application/json", strings.NewReader(asking))
		require.NoError(t, err)
		_ = resp.Body.Close()
		var ev *endwell.Evidence
		require.True(t, errors.As(raw, &ev), path)
		require.Equal(t, want, ev.Dialect, path)
	}
}

// What a request carries of keys is known to the chain as secret.
func TestRoundTripSecrets(t *testing.T) {
	for _, row := range []struct {
		name, url string
		header    []string
		want      []string
	}{
		{"none", "https://host.invalid/", nil, nil},
		{"bearer", "https://host.invalid/", []string{"Authorization", "Bearer sk-test-not-a-real-key"}, []string{"sk-test-not-a-real-key"}},
		{"bare", "https://host.invalid/", []string{"Authorization", "sk-test-not-a-real-key"}, []string{"sk-test-not-a-real-key"}},
		{"basic", "https://host.invalid/", []string{"Authorization", "Basic dXNlcjpub3QtYS1yZWFsLWtleQ=="}, []string{"not-a-real-key"}},
		{"basic that is none", "https://host.invalid/", []string{"Authorization", "Basic !!"}, []string{"!!"}},
		{"headers", "https://host.invalid/", []string{"x-api-key", "key-1", "api-key", "key-2", "x-goog-api-key", "key-3"}, []string{"key-1", "key-2", "key-3"}},
		{"the query", "https://host.invalid/?key=key-4&api-version=1", nil, []string{"key-4"}},
		{"the URL", "https://user:key-5@host.invalid/", nil, []string{"dXNlcjprZXktNQ==", "key-5"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			var seen *endwell.Request
			cfg := transport.WrapConfig{
				Describe: func(r *http.Request, req *endwell.Request) {
					require.Equal(t, "host.invalid", r.URL.Host)
					got = req.Secret
					req.Agent, req.Provider, req.Model = "a", "p", "m"
				},
				Around: func(next endwell.Next) endwell.Next {
					return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
						seen = req
						return next.Open(ctx, req)
					})
				},
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, row.url, strings.NewReader(asking))
			require.NoError(t, err)
			for i := 0; i < len(row.header); i += 2 {
				req.Header.Set(row.header[i], row.header[i+1])
			}
			resp, err := transport.Wrap(replies(200, `{"error":{"code":"sk-test-not-a-real-key"}}`), cfg).RoundTrip(req)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			var e *endwell.Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, "p m", e.Provider+" "+e.Model)
			require.Equal(t, "a", seen.Agent)
			require.Empty(t, e.Code, "a code that looks like a key is never shown")
			require.NoError(t, resp.Body.Close())
			slices.Sort(got)
			require.Subset(t, got, row.want[max(len(row.want)-1, 0):])
			if row.name != "the URL" {
				require.Equal(t, row.want, got)
			}
		})
	}
}

// A body of which a transport still reads when its attempt is over is not sent again,
// and its Close ends the reading.
func TestRoundTripBodyThatIsStillRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, caller := io.Pipe()
		reading := make(chan error, 1)
		attempts := 0
		base := roundTrip(func(r *http.Request) (*http.Response, error) {
			attempts++
			go func() {
				_, err := io.Copy(io.Discard, r.Body)
				reading <- err
			}()
			synctest.Wait()
			require.NoError(t, r.Body.Close())
			require.Error(t, <-reading)
			return nil, io.ErrUnexpectedEOF
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", body)
		require.NoError(t, err)
		req.Header.Set("Accept", sse)
		_, err = transport.Wrap(base, gated(3)).RoundTrip(req)
		require.ErrorIs(t, err, endwell.Unreachable)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Equal(t, 1, attempts)
		_, err = caller.Write([]byte("x"))
		require.ErrorIs(t, err, io.ErrClosedPipe)
	})
}

// A body that is left over from an attempt which is over reads nothing any more.
func TestRoundTripBodyOfAnAttemptThatIsOver(t *testing.T) {
	var bodies []io.ReadCloser
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		bodies = append(bodies, r.Body)
		got := make([]byte, 10)
		_, err := io.ReadFull(r.Body, got)
		require.NoError(t, err)
		require.Equal(t, asking[:10], string(got), "from the beginning")
		if len(bodies) == 1 {
			return nil, io.ErrUnexpectedEOF
		}
		_, err = bodies[0].Read(got)
		require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
		require.NoError(t, bodies[0].Close())
		rest, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, asking[10:], string(rest))
		_, err = r.Body.Read(got)
		require.True(t, err == io.EOF)
		require.NoError(t, r.Body.Close())
		return respond(io.NopCloser(strings.NewReader(answer))), nil
	})
	sent := readOnce(asking)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", sent)
	require.NoError(t, err)
	req.Header.Set("Accept", sse)
	resp, err := transport.Wrap(base, gated(3)).RoundTrip(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.EqualValues(t, 1, sent.closes.Load())
}

// A request whose body fails is not sent again.
func TestRoundTripBodyThatFails(t *testing.T) {
	cause := errors.New("disk gone")
	attempts := 0
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		attempts++
		_, err := io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		return nil, err
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", iotest.ErrReader(cause))
	require.NoError(t, err)
	req.Header.Set("Accept", sse)
	_, err = transport.Wrap(base, gated(3)).RoundTrip(req)
	require.ErrorIs(t, err, cause)
	require.Equal(t, 1, attempts)

	bad := func() (io.ReadCloser, error) { return nil, cause }
	for _, accept := range []string{"", sse} {
		req, err = http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
		require.NoError(t, err)
		req.GetBody = bad
		req.Header.Set("Accept", accept)
		attempts = 0
		resp, err := transport.Wrap(roundTrip(func(r *http.Request) (*http.Response, error) {
			attempts++
			return replies(503, "").RoundTrip(r)
		}), gated(3)).RoundTrip(req)
		require.Equal(t, 1, attempts)
		if accept == "" {
			require.NoError(t, err)
			require.Equal(t, 503, resp.StatusCode)
			continue
		}
		require.ErrorIs(t, err, cause)
	}
}

// The caller's own body, when it cannot be read, is the request's fault, however it is sent
// and whatever is made of that on the way; whoever closes it while it is read has not failed
// to give it.
func TestRoundTripBodyThatFailsOnTheWay(t *testing.T) {
	cause := errors.New("disk gone")
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("HTTP/2 ", h2), func(t *testing.T) {
			b := serve(t, h2, func(x *exchange) { _, _ = io.Copy(io.Discard, x.Body); x.hang() })
			for name, length := range map[string]int64{"chunked": -1, "of a known length": int64(len(asking))} {
				for kind, cfg := range map[string]transport.WrapConfig{"plain": {}, "with retries": gated(3)} {
					for at := range map[int]bool{0: true, 20: true} {
						for _, accept := range []string{sse, ""} {
							where := fmt.Sprint(h2, " ", name, " ", kind, " ", at, " ", accept)
							sent := io.MultiReader(strings.NewReader(asking[:at]), iotest.ErrReader(cause))
							req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/v1/chat/completions", sent)
							require.NoError(t, err)
							req.ContentLength = length
							req.Header.Set("Content-Type", "application/json")
							if accept != "" {
								req.Header.Set("Accept", accept)
							}
							_, err = b.wrap(cfg).Do(req)
							require.ErrorIs(t, err, cause, where)
							var e *endwell.Error
							if !errors.As(err, &e) {
								require.Empty(t, accept, "%s: whether it asked for a stream was to be read in it", where)
								continue
							}
							require.Equal(t, "unreachable request_invalid", verdict(err), where)
							require.Contains(t, e.Error(), "reason=body_unreadable", where)
							require.False(t, e.Transient, where)
						}
					}
				}
			}
		})
	}
	// The connection breaks while the body is read.
	body, w := io.Pipe()
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		_, _ = r.Body.Read(make([]byte, 10))
		require.NoError(t, r.Body.Close())
		_, err := r.Body.Read(make([]byte, 10))
		require.Error(t, err)
		return nil, syscall.ECONNRESET
	})
	go func() { _, _ = io.WriteString(w, asking) }()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", body)
	require.NoError(t, err)
	req.Header.Set("Accept", sse)
	_, err = transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
	require.Equal(t, "unreachable network", verdict(err))
	require.NoError(t, w.Close())
}

// A chain that refuses a call before it is sent has its say, and the body is closed.
func TestRoundTripRefusedByTheChain(t *testing.T) {
	own := errors.New("not today")
	for _, getBody := range []bool{true, false} {
		sent := readOnce(asking)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", sent)
		require.NoError(t, err)
		req.Header.Set("Accept", sse)
		if getBody {
			req.GetBody = func() (io.ReadCloser, error) { return sent, nil }
		}
		cfg := transport.WrapConfig{Around: func(endwell.Next) endwell.Next {
			return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, own })
		}}
		_, err = transport.Wrap(replies(200, answer), cfg).RoundTrip(req)
		require.True(t, err == own, "%v", err)
		require.EqualValues(t, 1, sent.closes.Load())
	}
}

// A decorator that changes the payload cannot be served.
func TestRoundTripPayloadIsNotForDecorators(t *testing.T) {
	cfg := transport.WrapConfig{Around: func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
			return next.Open(ctx, &endwell.Request{})
		})
	}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
	require.NoError(t, err)
	require.Panics(t, func() { _, _ = transport.Wrap(replies(200, answer), cfg).RoundTrip(req) })
}

// With a policy that has none for this request nothing is held back or retried.
func TestRoundTripWithoutAPolicyForTheRequest(t *testing.T) {
	cfg := gated(3)
	cfg.Retry.Policy = nilPolicy
	var calls atomic.Int32
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		calls.Add(1)
		return replies(503, "").RoundTrip(r)
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
	require.NoError(t, err)
	resp, err := transport.Wrap(base, cfg).RoundTrip(req)
	require.NoError(t, err)
	require.Equal(t, 503, resp.StatusCode)
	require.NoError(t, resp.Body.Close())
	require.EqualValues(t, 1, calls.Load())
}

// tracked is a body that counts its Closes.
type tracked struct {
	io.Reader
	closes atomic.Int32
}

func (b *tracked) Close() error { b.closes.Add(1); return nil }

// What an attempt leaves behind is closed, and its request ended, be it by the next
// attempt or by whoever reads the body that was handed over, to its end or not.
func TestRoundTripReleases(t *testing.T) {
	for name, read := range map[string]func(io.ReadCloser){
		"read to the end": func(b io.ReadCloser) { _, _ = io.Copy(io.Discard, b) },
		"closed":          func(b io.ReadCloser) { _ = b.Close() },
	} {
		for _, status := range []int{503, 204, 200} {
			var bodies []*tracked
			var requests []context.Context
			base := roundTrip(func(r *http.Request) (*http.Response, error) {
				b := &tracked{Reader: strings.NewReader(answer)}
				bodies, requests = append(bodies, b), append(requests, r.Context())
				resp := respond(b)
				resp.StatusCode = status
				if len(bodies) < 3 {
					resp.StatusCode = 503
				}
				return resp, nil
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, gated(3)).RoundTrip(req)
			require.NoError(t, err)
			require.Len(t, bodies, 3)
			require.EqualValues(t, 1, bodies[0].closes.Load(), name)
			require.EqualValues(t, 1, bodies[1].closes.Load(), name)
			require.NoError(t, requests[2].Err())
			read(resp.Body)
			for _, ctx := range requests {
				require.ErrorIs(t, ctx.Err(), context.Canceled, name)
			}
		}
	}
}

// A chain that has nothing to hold releases its request as well, whatever came of it.
func TestRoundTripReleasesWithoutAGate(t *testing.T) {
	for name, read := range map[string]func(io.ReadCloser){
		"read to the end": func(b io.ReadCloser) { _, _ = io.Copy(io.Discard, b) },
		"closed":          func(b io.ReadCloser) { _ = b.Close() },
	} {
		for _, status := range []int{503, 204, 200} {
			var body *tracked
			var request context.Context
			base := roundTrip(func(r *http.Request) (*http.Response, error) {
				body, request = &tracked{Reader: strings.NewReader(answer)}, r.Context()
				resp := respond(body)
				resp.StatusCode = status
				return resp, nil
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
			require.NoError(t, err)
			require.NoError(t, request.Err(), "%s %d", name, status)
			read(resp.Body)
			require.ErrorIs(t, request.Err(), context.Canceled, "%s %d", name, status)
		}
	}
}

// After the hold the header is the caller's own: the chain reads another one.
func TestRoundTripHeaderAfterTheHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var raw error
		body, server := io.Pipe()
		base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(body), nil })
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
		require.NoError(t, err)
		cfg := gated(2)
		cfg.Chain = raws(&raw)
		resp, err := transport.Wrap(base, cfg).RoundTrip(req)
		require.NoError(t, err)
		resp.Header.Set("X-Mine", "1")
		go func() { _, _ = io.WriteString(server, errorFrame) }()
		_, err = io.Copy(io.Discard, resp.Body)
		require.Error(t, err)
		var ev *endwell.Evidence
		require.True(t, errors.As(raw, &ev))
		require.Equal(t, sse, http.Header(ev.Header).Get("Content-Type"))
		require.Empty(t, http.Header(ev.Header).Get("X-Mine"))
		require.NoError(t, resp.Body.Close())
	})
}

// A refusal in gzip is read for the chain, and handed over packed.
func TestRoundTripRefusedInGzip(t *testing.T) {
	var raw error
	packed := zipped(`{"error":{"code":"invalid_api_key"}}`)
	client := &http.Client{Transport: transport.Wrap(replies(401, packed, "Content-Encoding", "gzip"), transport.WrapConfig{Chain: raws(&raw)})}
	resp, err := client.Post("https://host.invalid/", "application/json", strings.NewReader(asking))
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, packed, string(got))
	var ev *endwell.Evidence
	require.True(t, errors.As(raw, &ev))
	require.Equal(t, "invalid_api_key", ev.Code)
}

// givesUp is a body as a server has it that closes it when it begins to answer.
type givesUp struct {
	io.Reader
	err error
}

func (b givesUp) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func (givesUp) Close() error { return nil }

// A server closes the body of a request when it begins to answer. Whoever has been sent
// all that the body declares needs no more of it; anything less is an error.
func TestRoundTripBodyClosedByItsServer(t *testing.T) {
	more := int64(len(asking)) + 1
	for name, row := range map[string]struct {
		length int64
		url    string
		header string
		err    error
		want   error
	}{
		"all of it came":              {length: int64(len(asking)), err: http.ErrBodyReadAfterClose},
		"and it is known by its path": {length: int64(len(asking)), url: "models/m:streamGenerateContent", err: http.ErrBodyReadAfterClose},
		"and it is not read ahead":    {length: int64(len(asking)), header: "100-continue", err: http.ErrBodyReadAfterClose},
		"some is missing":             {length: more, err: http.ErrBodyReadAfterClose, want: http.ErrBodyReadAfterClose},
		"its length is not known":     {length: -1, err: http.ErrBodyReadAfterClose, want: http.ErrBodyReadAfterClose},
		"another error":               {length: int64(len(asking)), header: "100-continue", err: io.ErrUnexpectedEOF, want: io.ErrUnexpectedEOF},
	} {
		for _, cfg := range []transport.WrapConfig{{}, gated(2)} {
			var sent []byte
			var end error
			base := roundTrip(func(r *http.Request) (*http.Response, error) {
				sent, end = io.ReadAll(r.Body)
				return respond(io.NopCloser(strings.NewReader(answer))), nil
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/"+row.url, givesUp{strings.NewReader(asking), row.err})
			require.NoError(t, err)
			req.ContentLength = row.length
			if row.header != "" {
				req.Header.Set("Expect", row.header)
			}
			resp, err := transport.Wrap(base, cfg).RoundTrip(req)
			require.NoError(t, err, name)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, row.want, end, name)
			require.Equal(t, asking, string(sent), name)
		}
	}
}

// told is a body of which nothing comes until it is told.
type told struct {
	more   chan string
	closed chan struct{}
}

func (b *told) Read(p []byte) (int, error) {
	s, ok := <-b.more
	if !ok {
		return 0, io.EOF
	}
	return copy(p, s), nil
}

func (b *told) Close() error { close(b.closed); return nil }

// A caller who leaves while the body of his request is read ahead does not wait for it,
// and what reads it closes it in the end.
func TestRoundTripLeftWhileReadingAhead(t *testing.T) {
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("sent")
		return nil, syscall.ECONNRESET
	})
	body := &told{make(chan string), make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://host.invalid/", body)
	require.NoError(t, err)
	req.ContentLength = int64(len(asking))
	go func() {
		body.more <- asking[:10] // it is being read
		cancel()
	}()
	_, err = transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
	require.Equal(t, context.Canceled, err)
	select {
	case <-body.closed:
		t.Error("closed while it is read")
	default:
	}
	body.more <- asking[10:]
	<-body.closed
}

// A request whose body cannot be had a second time is at fault itself.
func TestRoundTripBodyThatCannotBeHadAgain(t *testing.T) {
	lost := errors.New("the file is gone")
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return nil, syscall.ECONNRESET
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/models/m:streamGenerateContent", strings.NewReader(asking))
	require.NoError(t, err)
	req.GetBody = func() (io.ReadCloser, error) { return nil, lost }
	_, err = transport.Wrap(base, gated(3)).RoundTrip(req)
	var e *endwell.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, endwell.RequestInvalid, e.Category)
	require.ErrorContains(t, e.Unredacted(), lost.Error())
}
