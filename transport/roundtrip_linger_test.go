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

// lingering ends a stream as the stall guard does when its answer lingers: after that
// many chunks it drops the one that came in that instant, and closes what is below.
type lingering struct {
	endwell.Stream
	left int
}

func (l *lingering) Recv() (endwell.Chunk, error) {
	if l.left--; l.left >= 0 {
		return l.Stream.Recv()
	}
	_, _ = l.Stream.Recv()
	_ = l.Stream.Close()
	return endwell.Chunk{}, io.EOF
}

// Behind an answer whose end lingered nothing is handed over: a chunk between may be
// missing.
func TestRoundTripHandsOverNothingBehindALingeringEnd(t *testing.T) {
	const usage = `data: {"choices":[],"usage":{"prompt_tokens":1}}` + "\n\n"
	body := piecewise{hel + stop + usage + done}
	base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(&body), nil })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
	require.NoError(t, err)
	chain := func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := next.Open(ctx, req)
			return &lingering{st, 2}, err
		})
	}
	resp, err := transport.Wrap(base, transport.WrapConfig{Dialect: openai, Chain: chain}).RoundTrip(req)
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, hel+stop, string(got))
}
