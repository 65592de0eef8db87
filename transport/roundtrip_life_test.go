package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// The caller's cancellation stays the caller's, whenever it comes.
func TestRoundTripCancel(t *testing.T) {
	for name, cfg := range map[string]transport.WrapConfig{"no gate": {Dialect: openai}, "gate": gated(3)} {
		overBoth(t, func(t *testing.T, h2 bool) {
			t.Run(name+", before", func(t *testing.T) {
				b, calls := inTurn(t, h2, whole)
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				_, err := b.ask(ctx, b.wrap(cfg), strings.NewReader(asking))
				require.ErrorIs(t, err, context.Canceled)
				require.Empty(t, calls())
			})
			t.Run(name+", before the response", func(t *testing.T) {
				entered := make(chan struct{})
				b := serve(t, h2, func(x *exchange) { close(entered); x.hang() })
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() { <-entered; cancel(errors.New("my own reason")) }()
				_, err := b.ask(ctx, b.wrap(cfg), strings.NewReader(asking))
				require.ErrorIs(t, err, context.Canceled)
				require.False(t, errors.As(err, new(*endwell.Error)), "%v", err)
			})
			t.Run(name+", in the preamble", func(t *testing.T) {
				entered := make(chan struct{})
				b := serve(t, h2, func(x *exchange) { x.send(": hi\n\n"); close(entered); x.hang() })
				ctx, cancel := context.WithCancel(t.Context())
				go func() { <-entered; cancel() }()
				resp, err := b.ask(ctx, b.wrap(cfg), strings.NewReader(asking))
				if err == nil {
					_, err = b.readAll(resp.Body)
				}
				require.ErrorIs(t, err, context.Canceled)
				require.False(t, errors.As(err, new(*endwell.Error)), "%v", err)
			})
			t.Run(name+", mid-stream", func(t *testing.T) {
				b := serve(t, h2, talkative)
				ctx, cancel := context.WithCancel(t.Context())
				resp, err := b.ask(ctx, b.wrap(cfg), strings.NewReader(asking))
				require.NoError(t, err)
				_, err = io.ReadFull(resp.Body, make([]byte, len(hel)))
				require.NoError(t, err)
				cancel()
				n, err := resp.Body.Read(make([]byte, 8))
				require.Zero(t, n)
				require.True(t, err == context.Canceled, "%v", err)
				require.NoError(t, resp.Body.Close())
			})
		})
	}
}

// http.Client.Timeout ends the request's context, which is the caller's deadline.
func TestRoundTripClientTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := hanging(hel)
		base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(body), nil })
		client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{}), Timeout: time.Minute}
		resp, err := client.Post("http://host.invalid/", "application/json", strings.NewReader(asking))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.Equal(t, hel, string(got))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, errors.As(err, new(*endwell.Error)), "%v", err)
		require.NoError(t, resp.Body.Close())
	})
}

func TestRoundTripClose(t *testing.T) {
	for _, row := range []struct {
		name string
		cfg  transport.WrapConfig
	}{{"no gate", transport.WrapConfig{}}, {"gate", gated(2)}} {
		overBoth(t, func(t *testing.T, h2 bool) {
			for name, read := range map[string]bool{"beside Read": true, "without Read": false} {
				t.Run(row.name+", "+name, func(t *testing.T) {
					gone := make(chan struct{})
					b := serve(t, h2, func(x *exchange) { defer close(gone); talkative(x) })
					resp, err := b.ask(t.Context(), b.wrap(row.cfg), strings.NewReader(asking))
					require.NoError(t, err)
					got := make(chan error, 1)
					if read {
						_, err = io.ReadFull(resp.Body, make([]byte, len(hel)))
						require.NoError(t, err)
						go func() { _, err := resp.Body.Read(make([]byte, 8)); got <- err }()
					} else {
						got <- endwell.ErrClosed
					}
					require.NoError(t, resp.Body.Close())
					require.NoError(t, resp.Body.Close())
					require.True(t, <-got == endwell.ErrClosed)
					<-gone
				})
			}
		})
	}
}

// A stall is found while Read waits, and while the response is waited for.
func TestRoundTripStall(t *testing.T) {
	for _, row := range []struct {
		name    string
		handler func(*exchange)
		waits   string // what is on the stack of whoever waits
		got     string
		bound   endwell.Bound
	}{
		{"mid-stream", talkative, "reply).read", hel, endwell.BoundIdle},
		{"before the first byte", func(x *exchange) { x.send(""); x.hang() }, "reply).read", "", endwell.BoundFirst},
		{"before the response", func(x *exchange) { x.hang() }, "exchange).base", "", endwell.BoundFirst},
		{"in the body of a refusal", func(x *exchange) { x.WriteHeader(500); x.send("x"); x.hang() }, "ahead).within", "", endwell.BoundFirst},
	} {
		overBoth(t, func(t *testing.T, h2 bool) {
			t.Run(row.name, func(t *testing.T) {
				clk := new(clock.Fake)
				b := serve(t, h2, row.handler)
				client := b.wrap(transport.WrapConfig{Clock: clk})
				got, over := "", make(chan error)
				go func() {
					_, read, err := b.stream(t, client)
					got = read
					over <- err
				}()
				if row.got != "" {
					<-b.seen
				}
				require.Eventually(t, func() bool { return strings.Contains(running(), row.waits) }, patience, time.Millisecond)
				clk.Advance(middleware.DefaultFirst)
				err := <-over
				require.Equal(t, row.got, got)
				require.Equal(t, "stalled timeout", verdict(err))
				require.NotErrorIs(t, err, context.Canceled)
				var e *endwell.Error
				require.True(t, errors.As(err, &e))
				require.Equal(t, row.bound, e.Bound)
			})
		})
	}
}

// Two hundred streams at once leave nothing behind, and take no goroutine each.
func TestRoundTripManyStreams(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		const n = 200
		goOn := make(chan struct{})
		b := serve(t, h2, func(x *exchange) {
			if x.Method == http.MethodGet {
				return
			}
			x.send(hel)
			<-goOn
			x.send(lo + stop + done)
		})
		// With HTTP/2 they share a connection that is there. Two hundred handshakes at once
		// would take a busy machine longer than a server waits for the end of one.
		resp, err := b.client.Get(b.URL)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		// No real time, or a machine that is busy for long makes stalls.
		client := b.wrap(transport.WrapConfig{Clock: new(clock.Fake)})
		var ready, over sync.WaitGroup
		ready.Add(n)
		ends := make([]string, n)
		for i := range n {
			over.Go(func() {
				resp, err := b.ask(t.Context(), client, strings.NewReader(asking))
				if err == nil {
					_, err = io.ReadFull(resp.Body, make([]byte, len(hel)))
				}
				ready.Done()
				if err == nil {
					ends[i], err = b.readAll(resp.Body)
				}
				if err != nil {
					ends[i] += err.Error()
				}
			})
		}
		ready.Wait()
		ours := 0
		for _, g := range strings.Split(running(), "\n\n") {
			if strings.Contains(g, "created by github.com/endwell-go/endwell/transport.") || strings.Contains(g, "created by github.com/endwell-go/endwell/middleware.") {
				ours++
			}
		}
		close(goOn)
		over.Wait()
		require.Zero(t, ours, "goroutines of ours")
		for _, end := range ends {
			require.Equal(t, lo+stop+done, end)
		}
	})
}

// A whole stream gives its connection back, however it was left; one that broke does
// not, and the next call gets a new one.
func TestRoundTripConnections(t *testing.T) {
	for _, row := range []struct {
		name   string
		first  func(*exchange)
		read   int // bytes that are read before Close; -1 for all
		reused bool
	}{
		{"read to the end", whole, -1, true},
		{"read up to the sentinel", whole, len(answer), true},
		{"cut cleanly", body(200, hel), -1, true},
		{"refused", overloaded, -1, true},
		{"no stream", body(200, "{}"), -1, true},
		{"closed early", func(x *exchange) { x.send(hel); x.await() }, len(hel), false},
		{"broken", func(x *exchange) { x.send(hel); hungUp(x) }, -1, false},
		{"an error frame, and no end", func(x *exchange) { x.send(hel + errorFrame); x.hang() }, -1, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			b, calls := inTurn(t, false, row.first, whole)
			client := b.wrap(transport.WrapConfig{})
			resp, err := b.ask(t.Context(), client, strings.NewReader(asking))
			require.NoError(t, err)
			if row.reused {
				<-b.idle // the server has sent everything
			}
			if row.read < 0 {
				_, _ = b.readAll(resp.Body)
			} else {
				_, err = io.ReadFull(resp.Body, make([]byte, row.read))
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
			}
			reused := false
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused },
			})
			resp, err = b.ask(ctx, client, strings.NewReader(asking))
			require.NoError(t, err)
			got, err := b.readAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, answer, got)
			require.Equal(t, row.reused, reused)
			require.Len(t, calls(), 2)
		})
	}
}

// A server that keeps the connection open behind the sentinel does not keep the client.
func TestRoundTripDoesNotWaitBehindTheSentinel(t *testing.T) {
	b := serve(t, false, func(x *exchange) { x.send(answer + ": bye\n\n"); x.hang() })
	_, got, err := b.stream(t, b.wrap(transport.WrapConfig{}))
	require.NoError(t, err)
	require.Equal(t, answer+": bye\n\n", got)
}

// What follows the sentinel is read within a bound.
func TestRoundTripReadsLittleBehindTheSentinel(t *testing.T) {
	b := serve(t, false, func(x *exchange) {
		x.send(answer)
		for x.Context().Err() == nil {
			x.send(": " + strings.Repeat("x", 1<<10) + "\n\n")
		}
	})
	_, got, err := b.stream(t, b.wrap(transport.WrapConfig{}))
	require.NoError(t, err)
	require.Less(t, len(got), 1<<20)
}

func TestRoundTripCloseIdleConnections(t *testing.T) {
	b := serve(t, false, whole)
	client := b.wrap(transport.WrapConfig{})
	_, _, err := b.stream(t, client)
	require.NoError(t, err)
	<-b.idle
	client.CloseIdleConnections()
	requireNoConnection(t)
	transport.Wrap(roundTrip(nil), transport.WrapConfig{}).CloseIdleConnections()
	require.NotNil(t, transport.Wrap(nil, transport.WrapConfig{}))
}

// requireNoConnection waits until no connection of a client is left.
func requireNoConnection(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return !strings.Contains(running(), "persistConn") }, patience, time.Millisecond)
}

// A request is the caller's: nothing of it is changed.
func TestRoundTripLeavesTheRequestAlone(t *testing.T) {
	b, _ := inTurn(t, false, overloaded, whole)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL, strings.NewReader(asking))
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", "br, gzip")
	before, sent, header := *req, req.Body, req.Header.Clone()
	resp, err := transport.Wrap(b.client.Transport, gated(2)).RoundTrip(req)
	require.NoError(t, err)
	_, err = b.readAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, header, req.Header)
	require.Equal(t, before.URL, req.URL)
	require.True(t, sent == req.Body)
	require.True(t, resp.Request == req)
}
