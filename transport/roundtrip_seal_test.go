package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// lending lends its chunks, and overwrites what it has lent at the next call.
type lending struct {
	endwell.Stream
	c endwell.Chunk
}

func (l *lending) RecvRef() (*endwell.Chunk, error) {
	c, err := l.Recv()
	return &c, err
}

func (l *lending) Recv() (endwell.Chunk, error) {
	for i := range l.c.Raw {
		l.c.Raw[i] = 'x'
	}
	c, err := l.Stream.Recv()
	c.Raw = append(make([]byte, 0, len(c.Raw)+64), c.Raw...)
	l.c = c
	return c, err
}

// A sentinel that was lent is what it was when the chain has said its verdict.
func TestRoundTripSealsWhatWasLent(t *testing.T) {
	cfg := transport.WrapConfig{Around: func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := next.Open(ctx, req)
			return &lending{Stream: st}, err
		})
	}}
	for _, behind := range []string{"", ": bye\n\n"} {
		got, err := readFrom(t, cfg, "host.invalid/v1/chat/completions", answer+behind)
		require.NoError(t, err)
		require.Equal(t, answer+behind, got)
	}
}

// Whoever reads rows stops at the last one too: it is not handed over before a fault.
func TestRoundTripSealsRows(t *testing.T) {
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		return respond(io.NopCloser(strings.NewReader(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`+"\n")), "Content-Type", "application/x-ndjson"), nil
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/api/chat", strings.NewReader(asking))
	require.NoError(t, err)
	resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.Equal(t, "empty malformed_response", verdict(err))
	require.NotContains(t, string(got), `"done":true`)
	require.NoError(t, resp.Body.Close())
}

// A body that is declared as SSE gets its last blank line, whatever it begins with.
func TestRoundTripEndsTheLastEventOfWhatIsDeclared(t *testing.T) {
	for _, front := range []string{"", "x-padding: 1\n", " \n\n", "hello\n\n"} {
		got, err := readFrom(t, transport.WrapConfig{}, "host.invalid/v1/chat/completions", front+strings.TrimSuffix(answer, "\n"))
		require.NoError(t, err, front)
		require.Equal(t, front+answer, got)
	}
}
