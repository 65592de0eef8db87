package decode_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/interop/decode"
)

func TestCompareMeasuresEveryPair(t *testing.T) {
	results, err := decode.Compare(decode.Pairs(), decode.Long, 50, 1)
	require.NoError(t, err)
	require.Len(t, results, len(decode.Pairs()))
	for _, r := range results {
		require.Positive(t, r.Endwell.Nanos, r.Pair.Family)
		require.Positive(t, r.SDK.Nanos, r.Pair.Family)
		require.Greater(t, r.SDK.Allocs, r.Endwell.Allocs, r.Pair.Family)
	}
	require.Contains(t, decode.Table(results), "| OpenAI chat |")
}

func TestLongFramesHaveTheSizeThatTheySay(t *testing.T) {
	for _, p := range decode.Pairs() {
		b := p.Body(1000, decode.Long)
		mean := b.Len() / b.Frames
		require.True(t, mean >= 250 && mean <= 350, "%s: %d", p.Family, mean)
	}
}

// A reader that loses text must not pass for a cheap one.
func TestTextThatIsMissingIsAnError(t *testing.T) {
	deaf := decode.Pairs()[0]
	deaf.Read = func(f *decode.Feed, _ decode.Sink) error {
		_, err := io.ReadAll(f)
		return err
	}
	_, err := decode.Compare([]decode.Pair{deaf}, decode.Short, 10, 1)
	require.ErrorContains(t, err, "bytes of text instead of")
}

func TestABodyWithoutItsEndIsAnErrorOnBothSides(t *testing.T) {
	for _, p := range decode.Pairs() {
		b := p.Body(20, decode.Short)
		b.Pieces = b.Pieces[:10]
		for side, with := range map[string]decode.Reader{"endwell": p.Endwell(), "sdk": p.Read} {
			_, _, err := read(b, with)
			require.Error(t, err, "%s, %s", p.Family, side)
		}
	}
}
