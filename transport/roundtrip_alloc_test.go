package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

func nilPolicy(*endwell.Request) *retry.Policy { return nil }

// endless is a body that says the same again and again, one event a read.
type endless struct{ event string }

func (e endless) Read(p []byte) (int, error) { return copy(p, e.event), nil }
func (endless) Close() error                 { return nil }

// Reading what a chunk brought allocates nothing.
func TestRoundTripAllocatesNothing(t *testing.T) {
	for name, cfg := range map[string]transport.WrapConfig{"named": {Dialect: openai}, "detected": {}, "gate": gated(2)} {
		t.Run(name, func(t *testing.T) {
			base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(endless{hel}), nil })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, cfg).RoundTrip(req)
			require.NoError(t, err)
			buf := make([]byte, 4<<10)
			for range 100 {
				_, err = resp.Body.Read(buf)
				require.NoError(t, err)
			}
			require.Zero(t, testing.AllocsPerRun(1000, func() {
				if n, err := resp.Body.Read(buf); n != len(hel) || err != nil {
					panic(fmt.Sprint(n, err))
				}
			}))
			require.NoError(t, resp.Body.Close())
		})
	}
}

// BenchmarkRoundTripBody reads a body of 1000 chunks, guarded and not, without a
// network.
func BenchmarkRoundTripBody(b *testing.B) {
	sent := strings.Repeat(hel, 1000) + stop + done
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		return respond(io.NopCloser(&eventwise{sent})), nil
	})
	benchmarkBodies(b, "http://host.invalid/v1/chat/completions", base, len(sent))
}

// BenchmarkRoundTripLoopback is the same over a socket.
func BenchmarkRoundTripLoopback(b *testing.B) {
	sent := strings.Repeat(hel, 1000) + stop + done
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", sse)
		for range 1000 {
			_, _ = io.WriteString(w, hel)
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, stop+done)
	}))
	defer server.Close()
	benchmarkBodies(b, server.URL, http.DefaultTransport, len(sent))
}

func benchmarkBodies(b *testing.B, url string, base http.RoundTripper, size int) {
	for name, tripper := range map[string]http.RoundTripper{
		"unguarded": base,
		"guarded":   transport.Wrap(base, transport.WrapConfig{Dialect: openai}),
		"detected":  transport.Wrap(base, transport.WrapConfig{}),
		"gate":      transport.Wrap(base, gated(2)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			buf := make([]byte, 4<<10)
			client := &http.Client{Transport: tripper}
			for b.Loop() {
				resp, err := client.Post(url, "application/json", strings.NewReader(asking))
				if err != nil {
					b.Fatal(err)
				}
				n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, resp.Body, buf)
				_ = resp.Body.Close()
				if int(n) != size || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

// BenchmarkRoundTripOpen opens and closes, which is what short answers pay.
func BenchmarkRoundTripOpen(b *testing.B) {
	base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(endless{hel}), nil })
	for name, tripper := range map[string]http.RoundTripper{
		"unguarded": base, "guarded": transport.Wrap(base, transport.WrapConfig{}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]byte, 4<<10)
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				resp, err := tripper.RoundTrip(asks(ctx, "https://api.openai.com/v1/chat/completions"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err = resp.Body.Read(buf); err != nil {
					b.Fatal(err)
				}
				_ = resp.Body.Close()
				cancel()
			}
		})
	}
}

// asks is a request that asks for a stream, with a key.
func asks(ctx context.Context, url string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(asking))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer sk-test-not-a-real-key")
	return req
}

// eventwise is a body of which a read gets one event.
type eventwise struct{ rest string }

func (e *eventwise) Read(p []byte) (int, error) {
	if e.rest == "" {
		return 0, io.EOF
	}
	event, rest, _ := strings.Cut(e.rest, "\n\n")
	n := copy(p, e.rest[:len(event)+2])
	e.rest = rest
	return n, nil
}
