package endwell_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// script is a stream that says what it was told to, and counts.
type script struct {
	chunks []endwell.Chunk
	end    error
	recvs  int
	closes int
}

func (s *script) Recv() (endwell.Chunk, error) {
	s.recvs++
	if len(s.chunks) == 0 {
		return endwell.Chunk{}, s.end
	}
	c := s.chunks[0]
	s.chunks = s.chunks[1:]
	return c, nil
}

func (s *script) Close() error {
	s.closes++
	return io.ErrClosedPipe // never to be seen by anybody
}

func text(s string) endwell.Chunk { return endwell.Chunk{Kind: endwell.KindText, Text: s} }

func texts(words ...string) []endwell.Chunk {
	var all []endwell.Chunk
	for _, w := range words {
		all = append(all, text(w))
	}
	return all
}

// drain reads a stream to its end and checks that the end is sticky.
func drain(t *testing.T, s endwell.Stream) (said []string, end error) {
	t.Helper()
	for {
		c, err := s.Recv()
		if err != nil {
			again, sticky := s.Recv()
			require.Equal(t, endwell.Chunk{}, c)
			require.Equal(t, endwell.Chunk{}, again)
			require.True(t, err == sticky, "the end is not sticky: %v, then %v", err, sticky)
			return said, err
		}
		if c.Kind == endwell.KindText {
			said = append(said, c.Text)
		} else {
			said = append(said, c.Kind.String())
		}
	}
}

const secret = "sk-test-not-a-real-key"

// requireClean checks that nothing in s could break a line or give a secret away.
func requireClean(t *testing.T, s string) {
	t.Helper()
	require.NotContains(t, s, secret)
	require.Equal(t, -1, strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }), "%q", s)
}
