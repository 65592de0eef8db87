package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// atOnce is a schedule without waits.
func atOnce() backoff.BackOff { return new(backoff.ZeroBackOff) }

// inTurn is a server that answers each call in another way, the last one again and
// again, and keeps what it got.
func inTurn(t *testing.T, h2 bool, handlers ...func(*exchange)) (*bench, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	b := serve(t, h2, func(x *exchange) {
		sent, _ := io.ReadAll(x.Body)
		mu.Lock()
		got = append(got, string(sent))
		n := len(got)
		mu.Unlock()
		handlers[min(n, len(handlers))-1](x)
	})
	return b, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), got...)
	}
}

// once is a body that can be read once, and reports its Close.
type once struct {
	io.Reader
	closes *atomic.Int32
}

func readOnce(s string) once {
	// A part at a time, so that the transport reads more than once.
	return once{io.MultiReader(strings.NewReader(s[:10]), strings.NewReader(s[10:])), new(atomic.Int32)}
}

func (o once) Close() error { o.closes.Add(1); return nil }

var (
	overloaded = body(503, `{"error":{"code":"server_overloaded"}}`)
	limited    = body(429, `{"error":{"code":"rate_limit_exceeded"}}`, "X-Request-Id", "last")
	rejected   = body(401, `{"error":{"code":"invalid_api_key"}}`)
	whole      = body(200, answer, "Content-Type", "text/event-stream", "X-Request-Id", "last")
)

func hungUp(x *exchange) { _ = x.hijacked().Close() }

func TestRoundTripRetries(t *testing.T) {
	for _, row := range []struct {
		name     string
		handlers []func(*exchange)
		attempts int
		status   int
		got      string
		verdict  string
	}{
		{"refused", []func(*exchange){overloaded, whole}, 2, 200, answer, "whole"},
		{"no response", []func(*exchange){hungUp, whole}, 2, 200, answer, "whole"},
		{"an error frame", []func(*exchange){body(200, ": hi\n\n"+errorFrame), whole}, 2, 200, answer, "whole"},
		{"cut in its preamble", []func(*exchange){body(200, ": hi\n\n"), whole}, 2, 200, answer, "whole"},
		{"broken in its preamble", []func(*exchange){func(x *exchange) { x.send(": hi\n\n"); hungUp(x) }, whole}, 2, 200, answer, "whole"},
		{"one after another", []func(*exchange){overloaded, hungUp, body(200, errorFrame), whole}, 4, 200, answer, "whole"},
		{"redirected after a failure", []func(*exchange){body(200, errorFrame), body(204, "")}, 2, 204, "", "whole"},

		{"not retryable", []func(*exchange){rejected}, 1, 401, `{"error":{"code":"invalid_api_key"}}`, "whole"},
		{"refused for good", []func(*exchange){limited}, 4, 429, `{"error":{"code":"rate_limit_exceeded"}}`, "whole"},
		{"refused after a stream", []func(*exchange){body(200, errorFrame), rejected}, 2, 401, `{"error":{"code":"invalid_api_key"}}`, "whole"},
		{"faulted for good", []func(*exchange){body(200, ": hi\n\n"+errorFrame)}, 4, 200, "", "faulted server_error"},
		{"no response for good", []func(*exchange){hungUp}, 4, 0, "", "unreachable network"},
		{"no response after a refusal", []func(*exchange){overloaded, hungUp}, 4, 0, "", "unreachable network"},

		{"a fault after the first emission", []func(*exchange){body(200, hel+errorFrame), whole}, 1, 200, hel, "faulted server_error"},
		{"cut after the first emission", []func(*exchange){body(200, hel), whole}, 1, 200, hel, "truncated malformed_response"},
		{"broken after the first emission", []func(*exchange){func(x *exchange) { x.send(hel); x.await(); hungUp(x) }, whole}, 1, 200, hel, "broken network"},
	} {
		for kind, request := range map[string]func() io.Reader{
			"GetBody":    func() io.Reader { return strings.NewReader(asking) },
			"no GetBody": func() io.Reader { return readOnce(asking) },
		} {
			t.Run(row.name+", "+kind, func(t *testing.T) {
				b, calls := inTurn(t, false, row.handlers...)
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				sent := request()
				resp, err := b.ask(ctx, b.wrap(gated(4)), sent)
				got := ""
				if err == nil {
					require.Equal(t, row.status, resp.StatusCode)
					got, err = b.readAll(resp.Body)
				} else {
					require.Zero(t, row.status)
				}
				require.Equal(t, row.verdict, verdict(err))
				require.Equal(t, row.got, got)
				want := make([]string, row.attempts)
				for i := range want {
					want[i] = asking
				}
				require.Equal(t, want, calls())
				if o, ok := sent.(once); ok {
					require.EqualValues(t, 1, o.closes.Load())
				}
			})
		}
	}
}

// The response that is handed over is the one that the bytes come from.
func TestRoundTripHandsOverTheLastResponse(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b, _ := inTurn(t, h2, body(200, errorFrame, "X-Request-Id", "first"), overloaded, whole)
		resp, got, err := b.stream(t, b.wrap(gated(4)))
		require.NoError(t, err)
		require.Equal(t, answer, got)
		require.Equal(t, "last", resp.Header.Get("X-Request-Id"))
	})
}

// A body that cannot be sent twice is sent once, and the failure is the first one.
func TestRoundTripCannotResend(t *testing.T) {
	for name, limit := range map[string]int{"longer than is kept": len(asking) - 1, "nothing is kept": -1} {
		t.Run(name, func(t *testing.T) {
			cfg := gated(4)
			cfg.MaxBody = limit
			b, calls := inTurn(t, false, overloaded, whole)
			resp, err := b.ask(t.Context(), b.wrap(cfg), readOnce(asking), "Accept", "text/event-stream")
			require.NoError(t, err)
			require.Equal(t, 503, resp.StatusCode)
			got, err := b.readAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, `{"error":{"code":"server_overloaded"}}`, got)
			require.Equal(t, []string{asking}, calls())
		})
	}
	cfg := gated(2)
	cfg.MaxBody = len(asking)
	b, calls := inTurn(t, false, overloaded, whole)
	_, err := b.ask(t.Context(), b.wrap(cfg), readOnce(asking))
	require.NoError(t, err)
	require.Len(t, calls(), 2, "exactly what is kept")
}

// The ledger says what came of each attempt.
func TestRoundTripLedger(t *testing.T) {
	for _, row := range []struct {
		name     string
		handlers []func(*exchange)
		read     func(*bench, *http.Response)
		want     []string
	}{
		{"read to the end", []func(*exchange){overloaded, whole}, func(b *bench, r *http.Response) { _, _ = b.readAll(r.Body) }, []string{"failed", "whole"}},
		{"read up to the sentinel", []func(*exchange){whole}, func(_ *bench, r *http.Response) {
			_, _ = io.ReadFull(r.Body, make([]byte, len(answer)))
			_ = r.Body.Close()
		}, []string{"whole"}},
		{"closed early", []func(*exchange){whole}, func(_ *bench, r *http.Response) {
			_, _ = io.ReadFull(r.Body, make([]byte, len(hel)))
			_ = r.Body.Close()
		}, []string{"canceled"}},
		{"a redirect to nowhere", []func(*exchange){body(300, "")}, func(_ *bench, r *http.Response) { _ = r.Body.Close() }, []string{"whole"}},
		{"no stream", []func(*exchange){body(204, "")}, func(_ *bench, r *http.Response) { _ = r.Body.Close() }, []string{"whole"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			ledger := retry.NewRing(8)
			cfg := gated(2)
			cfg.Retry.Policy = retry.Always(&retry.Policy{MaxAttempts: 2, NewBackOff: atOnce, Ledger: ledger})
			cfg.Describe = func(r *http.Request, req *endwell.Request) { req.Agent = r.Header.Get("X-Agent") }
			var reports []middleware.Report
			cfg.Around = middleware.Observe(middleware.ObserveConfig{Report: func(_ context.Context, r middleware.Report) { reports = append(reports, r) }})
			b, _ := inTurn(t, false, row.handlers...)
			resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking), "X-Agent", "a1")
			require.NoError(t, err)
			row.read(b, resp)
			var got []string
			for _, e := range ledger.Snapshot() {
				require.Equal(t, "a1", e.Agent)
				got = append(got, e.Ending.String())
			}
			require.Equal(t, row.want, got)
			require.Len(t, reports, 1)
			require.Equal(t, row.want[len(row.want)-1], reports[0].Ending.String())
		})
	}
}

// The hold is bounded, and its end commits.
func TestRoundTripHold(t *testing.T) {
	for _, row := range []struct {
		name, rest, want, verdict string
	}{
		{"the answer goes on", answer, answer, "whole"},
		{"a fault is not retried", errorFrame, "", "faulted server_error"},
		{"a close is not retried", "", "", "empty malformed_response"},
	} {
		t.Run(row.name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, h2 bool) {
				goOn := make(chan struct{})
				clk := new(clock.Fake)
				b, calls := inTurn(t, h2, func(x *exchange) {
					x.send(": hi\n\n")
					<-goOn
					x.send(row.rest)
				})
				cfg := gated(4)
				cfg.Clock = clk
				back := make(chan result)
				go func() {
					resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking))
					back <- result{resp, err}
				}()
				require.NoError(t, clk.BlockUntil(t.Context(), 2), "the hold's and the guard's")
				clk.Advance(transport.DefaultHold - 1)
				select {
				case <-back:
					t.Fatal("handed over too early")
				default:
				}
				clk.Advance(1)
				got := <-back
				require.NoError(t, got.err)
				require.Equal(t, 200, got.resp.StatusCode)
				got.resp.Header.Set("X-Mine", "1")
				close(goOn)
				read, err := b.readAll(got.resp.Body)
				require.Equal(t, row.verdict, verdict(err))
				// What came before the hold was over is dropped with a fault.
				require.Equal(t, row.want, strings.TrimPrefix(read, ": hi\n\n"))
				require.Equal(t, row.want != "", strings.HasPrefix(read, ": hi\n\n") && err == nil)
				require.Len(t, calls(), 1)
			})
		})
	}
}

type result struct {
	resp *http.Response
	err  error
}

// A hold that ends between two attempts hands over the next one as it opens, and
// nothing is sent a third time.
func TestRoundTripHoldEndsBetweenAttempts(t *testing.T) {
	for _, row := range []struct {
		name   string
		second func(goOn <-chan struct{}) func(*exchange)
		status int
		want   string
		end    string
	}{
		{"a stream", func(goOn <-chan struct{}) func(*exchange) {
			return func(x *exchange) { x.send(": hi\n\n"); <-goOn; x.send(answer) }
		}, 200, ": hi\n\n" + answer, "whole"},
		{"refused", func(<-chan struct{}) func(*exchange) { return overloaded }, 503, `{"error":{"code":"server_overloaded"}}`, "whole"},
	} {
		t.Run(row.name, func(t *testing.T) {
			clk := new(clock.Fake)
			goOn := make(chan struct{})
			b, calls := inTurn(t, false, body(200, errorFrame), row.second(goOn), whole)
			cfg := transport.WrapConfig{Dialect: openai, Clock: clk, Hold: time.Second, Retry: middleware.RetryConfig{
				Policy: retry.Always(&retry.Policy{MaxAttempts: 3, MaxWait: -1, NewBackOff: func() backoff.BackOff { return backoff.NewConstantBackOff(time.Minute) }}),
			}}
			back := make(chan result)
			go func() {
				resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking))
				back <- result{resp, err}
			}()
			// The back-off's timer is the one that is due in a minute.
			require.Eventually(t, func() bool {
				return clk.Pending() == 2 && !due(clk).After(clk.Now().Add(time.Second)) && len(calls()) == 1 && backingOff()
			}, patience, time.Millisecond)
			clk.Advance(time.Second)
			clk.Advance(time.Minute)
			got := <-back
			require.NoError(t, got.err)
			close(goOn)
			require.Equal(t, row.status, got.resp.StatusCode)
			read, err := b.readAll(got.resp.Body)
			require.Equal(t, row.end, verdict(err))
			require.Equal(t, row.want, read)
			require.Len(t, calls(), 2)
		})
	}
}

func due(clk *clock.Fake) time.Time { at, _ := clk.Next(); return at }

// backingOff reports whether a gate sleeps.
func backingOff() bool { return strings.Contains(running(), "gateStream).sleep") }

// Without a policy, or with a negative Hold, the response is handed over at once.
func TestRoundTripHandsOverAtOnce(t *testing.T) {
	never := gated(3)
	never.Hold = -1
	one := gated(1)
	for name, cfg := range map[string]transport.WrapConfig{"no gate": {}, "negative": never, "one attempt": one} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, h2 bool) {
				goOn := make(chan struct{})
				b, calls := inTurn(t, h2, func(x *exchange) { x.send(""); <-goOn; x.send(errorFrame) })
				resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking))
				require.NoError(t, err)
				close(goOn)
				_, err = b.readAll(resp.Body)
				require.Equal(t, "faulted server_error", verdict(err))
				require.Len(t, calls(), 1)
			})
		})
	}
}

// A gate inside of the chain re-sends what failed before its response came. After the
// hand-over it is told that nothing can be sent again.
func TestRoundTripGateInsideTheChain(t *testing.T) {
	inside := func() transport.WrapConfig {
		return transport.WrapConfig{Dialect: openai, Chain: middleware.Standard(middleware.Config{Retry: middleware.RetryConfig{
			Policy: retry.Always(&retry.Policy{MaxAttempts: 3, NewBackOff: atOnce}),
		}})}
	}
	t.Run("refused", func(t *testing.T) {
		b, calls := inTurn(t, false, overloaded, whole)
		_, got, err := b.stream(t, b.wrap(inside()))
		require.NoError(t, err)
		require.Equal(t, answer, got)
		require.Len(t, calls(), 2)
	})
	t.Run("after the hand-over", func(t *testing.T) {
		b, calls := inTurn(t, false, body(200, errorFrame), whole)
		_, got, err := b.stream(t, b.wrap(inside()))
		require.Equal(t, "broken network", verdict(err))
		require.Empty(t, got)
		require.Len(t, calls(), 1)
	})
	t.Run("stalled after the hand-over", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			attempts := 0
			body := hanging(": hi\n\n")
			base := roundTrip(func(*http.Request) (*http.Response, error) { attempts++; return respond(body), nil })
			client := &http.Client{Transport: transport.Wrap(base, inside())}
			resp, err := client.Post("http://host.invalid/", "application/json", strings.NewReader(asking))
			require.NoError(t, err)
			_, err = io.ReadAll(resp.Body)
			require.Equal(t, "stalled timeout", verdict(err))
			var e *endwell.Error
			require.True(t, errors.As(err, &e))
			require.False(t, e.Retryable)
			require.NotErrorIs(t, err, retry.StopAttempts)
			require.Equal(t, 1, attempts)
			require.NoError(t, resp.Body.Close())
		})
	})
	t.Run("held", func(t *testing.T) {
		cfg := inside()
		cfg.Hold = time.Hour
		b, calls := inTurn(t, false, body(200, errorFrame), whole)
		_, got, err := b.stream(t, b.wrap(cfg))
		require.NoError(t, err)
		require.Equal(t, answer, got)
		require.Len(t, calls(), 2)
	})
	t.Run("a body that is not kept", func(t *testing.T) {
		cfg := inside()
		cfg.MaxBody = -1
		b, calls := inTurn(t, false, overloaded, whole)
		resp, err := b.ask(t.Context(), b.wrap(cfg), readOnce(asking))
		require.NoError(t, err)
		require.Equal(t, 503, resp.StatusCode)
		_ = resp.Body.Close()
		require.Len(t, calls(), 1)
	})
}

// A stream that comes from somewhere else than the base is handed over as one that
// has no response.
func TestRoundTripFallback(t *testing.T) {
	other := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return openai.Stream(strings.NewReader(answer), dialects.Options{}), nil
	})
	for name, handler := range map[string]func(*exchange){"refused": overloaded, "no response": hungUp} {
		t.Run(name, func(t *testing.T) {
			b := serve(t, false, handler)
			cfg := transport.WrapConfig{Around: middleware.Fallback(middleware.FallbackConfig{
				To: []middleware.Alternative{{Next: middleware.Standard(middleware.Config{})(other)}},
			})}
			resp, got, err := b.stream(t, b.wrap(cfg))
			require.NoError(t, err)
			require.Equal(t, answer, got)
			require.Equal(t, 200, resp.StatusCode)
		})
	}
}

// An error of the base passes in its own words and with its type.
func TestRoundTripBaseError(t *testing.T) {
	own := &baseError{}
	client := &http.Client{Transport: transport.Wrap(roundTrip(func(r *http.Request) (*http.Response, error) {
		_ = r.Body.Close()
		return nil, own
	}), gated(2))}
	b := &bench{}
	b.Server = serve(t, false, func(*exchange) {}).Server
	_, err := b.ask(t.Context(), client, strings.NewReader(asking))
	var got *baseError
	require.True(t, errors.As(err, &got))
	require.Contains(t, err.Error(), "base: out of order")
	require.Equal(t, "unreachable timeout", verdict(err))
	var timeout interface{ Timeout() bool }
	require.True(t, errors.As(err, &timeout))
	require.True(t, timeout.Timeout())
	var temporary interface{ Temporary() bool }
	require.True(t, errors.As(err, &temporary))
	require.True(t, temporary.Temporary())
}

type baseError struct{}

func (*baseError) Error() string   { return "base: out of order" }
func (*baseError) Timeout() bool   { return true }
func (*baseError) Temporary() bool { return true }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A base that breaks its contract makes an error, and no panic.
func TestRoundTripBaseReturnsNothing(t *testing.T) {
	nothing := roundTrip(func(*http.Request) (*http.Response, error) { return nil, nil })
	for _, sent := range []io.Reader{strings.NewReader(asking), readOnce(asking), nil} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", sent)
		require.NoError(t, err)
		_, err = transport.Wrap(nothing, transport.WrapConfig{}).RoundTrip(req)
		require.ErrorContains(t, err, "neither a response nor an error")
	}
	_, err := transport.Wrap(nothing, transport.WrapConfig{}).RoundTrip(asks(t.Context(), "http://host.invalid/v1/chat/completions"))
	var e *endwell.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "unreachable unclassified", verdict(err), "it is nobody's network")
	require.Contains(t, e.Message(), "The program is at fault, ")
	require.False(t, e.Transient)
}
