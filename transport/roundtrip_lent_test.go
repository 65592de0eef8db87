package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

func says(text string) string {
	return `data: {"choices":[{"index":0,"delta":{"content":"` + text + `"}}]}` + "\n\n"
}

// stranger is a stream of the same program that fills the buffers that are free.
func stranger() {
	st := openai.Stream(strings.NewReader(strings.Repeat(says(strings.Repeat("another's", 20)), 200)), dialects.Options{})
	for range 20 {
		_, _ = st.Recv()
	}
}

// A chunk that a decorator holds back may stand in a buffer that is lent. Nobody asks past
// that decorator for what follows, which gives the buffer back.
func TestRoundTripHandsOverItsOwnBytes(t *testing.T) {
	body := ": ping\n\n" + says(strings.Repeat("ours", 400)) + done
	policy := func(*endwell.Request) *retry.Policy { return retry.Default() }
	nobody := middleware.FallbackConfig{To: []middleware.Alternative{{Next: endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return nil, io.ErrUnexpectedEOF
	})}}}
	for name, cfg := range map[string]transport.WrapConfig{
		"plain":         {},
		"upfront":       {Upfront: true},
		"gate":          {Retry: middleware.RetryConfig{Policy: policy}},
		"gate in Chain": {Chain: middleware.Standard(middleware.Config{Retry: middleware.RetryConfig{Policy: policy}})},
		"fallback":      {Around: middleware.Fallback(nobody)},
		"observed":      {Upfront: true, Around: middleware.Observe(middleware.ObserveConfig{Report: func(context.Context, middleware.Report) {}})},
	} {
		for _, size := range []int{1, 100, 32 << 10} {
			base := roundTrip(func(*http.Request) (*http.Response, error) {
				return respond(io.NopCloser(strings.NewReader(body))), nil
			})
			resp, err := transport.Wrap(base, cfg).RoundTrip(asks(t.Context(), "http://host.invalid/"))
			require.NoError(t, err)
			var got strings.Builder
			for p := make([]byte, size); err == nil; stranger() {
				var n int
				n, err = resp.Body.Read(p)
				got.Write(p[:n])
			}
			require.Equal(t, io.EOF, err)
			require.Equal(t, body, got.String(), name)
			require.NoError(t, resp.Body.Close())
		}
	}
}

// What one Read may gather is known to the stream that is read, and not to one that has
// failed before it; the response is not that one's either.
func TestRoundTripFallbackIsItsOwn(t *testing.T) {
	for name, hold := range map[string]bool{"handed over at once": false, "held": true} {
		t.Run(name, func(t *testing.T) {
			r, w := io.Pipe()
			other := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
				return openai.Stream(r, dialects.Options{}), nil
			})
			base := roundTrip(func(*http.Request) (*http.Response, error) {
				return respond(http.NoBody, "X-Request-Id", "failed"), nil
			})
			cfg := transport.WrapConfig{Around: middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{Next: other}}})}
			if hold {
				cfg.Hold = transport.DefaultHold
			}
			go func() { _, _ = io.WriteString(w, hel) }() // and no more
			resp, err := transport.Wrap(base, cfg).RoundTrip(asks(t.Context(), "http://host.invalid/"))
			require.NoError(t, err)
			if hold {
				require.Empty(t, resp.Header.Get("X-Request-Id"))
			}
			n, err := resp.Body.Read(make([]byte, 4<<10))
			require.NoError(t, err)
			require.Equal(t, len(hel), n)
			_ = w.Close()
			require.NoError(t, resp.Body.Close())
		})
	}
}

// http.Client allows a base to return no body, and so do mocks.
func TestRoundTripWithoutABody(t *testing.T) {
	for _, status := range []int{200, 204, 304, 404} {
		base := roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Request: r}, nil
		})
		resp, err := (&http.Client{Transport: transport.Wrap(base, transport.WrapConfig{})}).Do(asks(t.Context(), "http://host.invalid/"))
		require.NoError(t, err)
		require.Equal(t, status, resp.StatusCode)
		_, err = io.ReadAll(resp.Body)
		require.Equal(t, status == 200, err != nil, "an empty answer is none")
		require.NoError(t, resp.Body.Close())
	}
}

// marked is a body that knows whether it was closed.
type marked struct {
	io.Reader
	closed atomic.Bool
}

func (m *marked) Close() error { m.closed.Store(true); return nil }

// A response that is none of the chain's is closed when it comes too late to be handed over.
func TestRoundTripClosesWhatComesTooLate(t *testing.T) {
	for name, late := range map[string]func(clk *clock.Fake, cancel func()){
		"stalled":  func(clk *clock.Fake, _ func()) { clk.Advance(middleware.DefaultFirst) },
		"canceled": func(_ *clock.Fake, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			var clk clock.Fake
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			body := &marked{Reader: strings.NewReader("RIFF")}
			base := roundTrip(func(*http.Request) (*http.Response, error) { // which ignores its context
				late(&clk, cancel)
				return respond(body, "Content-Type", "audio/wav"), nil
			})
			_, err := transport.Wrap(base, transport.WrapConfig{Clock: &clk}).RoundTrip(asks(ctx, "http://host.invalid/"))
			require.Error(t, err)
			require.True(t, body.closed.Load())
		})
	}
}
