package endwell_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// events is the stream of an SDK: each event is words, one chunk each.
type events struct {
	all    []string
	err    error
	nexts  int
	closes int
	hang   chan struct{} // Next waits for Close when all is said
}

func (e *events) Next() bool {
	e.nexts++
	if e.nexts > len(e.all) && e.hang != nil {
		<-e.hang
	}
	return e.nexts <= len(e.all)
}
func (e *events) Current() string { return e.all[e.nexts-1] }
func (e *events) Err() error      { return e.err }

func (e *events) Close() error {
	e.closes++
	if e.hang != nil {
		close(e.hang)
	}
	return io.ErrClosedPipe
}

var errUndecodable = errors.New("undecodable")

// decodeWords makes a chunk of each word; "!" is a fault.
func decodeWords(event string, dst []endwell.Chunk) ([]endwell.Chunk, error) {
	for _, w := range strings.Fields(event) {
		if w == "!" {
			return dst, errUndecodable
		}
		dst = append(dst, text(w))
	}
	return dst, nil
}

func TestFromCursor(t *testing.T) {
	fault := stalled()
	for _, row := range []struct {
		name   string
		events events
		want   []string
		end    error
	}{
		{"one chunk an event", events{all: []string{"a", "b"}}, []string{"a", "b"}, io.EOF},
		{"several chunks an event", events{all: []string{"a b c", "d", "e f"}}, []string{"a", "b", "c", "d", "e", "f"}, io.EOF},
		{"an event that says nothing is life", events{all: []string{"", "a", ""}}, []string{"keep_alive", "a", "keep_alive"}, io.EOF},
		{"nothing", events{}, nil, io.EOF},
		{"the cursor fails", events{all: []string{"a"}, err: fault}, []string{"a"}, fault},
		{"the cursor says io.EOF", events{all: []string{"a"}, err: io.EOF}, []string{"a"}, io.EOF},
		{"the cursor fails at once", events{err: fault}, nil, fault},
		{"undecodable, with chunks", events{all: []string{"a b", "c d !", "e"}}, []string{"a", "b"}, errUndecodable},
		{"undecodable at once", events{all: []string{"!"}}, nil, errUndecodable},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := endwell.FromCursor(&row.events, decodeWords)
			said, err := drain(t, s)
			require.Equal(t, row.want, said)
			require.True(t, row.end == err, err)
			nexts := row.events.nexts
			require.ErrorIs(t, s.Close(), io.ErrClosedPipe, "the cursor's own error")
			require.NoError(t, s.Close())
			require.Equal(t, 1, row.events.closes)
			_, err = s.Recv()
			require.True(t, row.end == err, "Close does not change the end: %v", err)
			require.Equal(t, nexts, row.events.nexts, "nothing is asked after the end")
		})
	}
}

func TestFromCursorReadsNoFurtherThanAsked(t *testing.T) {
	e := &events{all: []string{"a b", "c"}}
	s := endwell.FromCursor(e, decodeWords)
	require.Equal(t, 0, e.nexts)
	for range 2 {
		_, err := s.Recv()
		require.NoError(t, err)
		require.Equal(t, 1, e.nexts)
	}
}

func TestFromCursorClosedBetweenChunks(t *testing.T) {
	e := &events{all: []string{"a b"}}
	s := endwell.FromCursor(e, decodeWords)
	_, err := s.Recv()
	require.NoError(t, err)
	_ = s.Close()
	said, err := drain(t, s)
	require.Empty(t, said)
	require.True(t, err == endwell.ErrClosed, err)
}

// A Close beside Next wins over what the cursor says because of it.
func TestFromCursorCloseUnblocksRecv(t *testing.T) {
	for _, row := range []struct {
		name   string
		events *events
	}{
		{"the cursor ends", &events{}},
		{"the cursor fails", &events{err: io.ErrClosedPipe}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				row.events.hang = make(chan struct{})
				s := endwell.FromCursor(row.events, decodeWords)
				got := make(chan error)
				go func() {
					_, err := s.Recv()
					got <- err
				}()
				synctest.Wait()
				_ = s.Close()
				require.True(t, <-got == endwell.ErrClosed)
				_, err := s.Recv()
				require.True(t, err == endwell.ErrClosed)
			})
		})
	}
}

func TestFromCursorClosedWhileDecoding(t *testing.T) {
	for _, event := range []string{"a", "!", ""} {
		var s endwell.Stream
		s = endwell.FromCursor(&events{all: []string{event}}, func(event string, dst []endwell.Chunk) ([]endwell.Chunk, error) {
			_ = s.Close()
			return decodeWords(event, dst)
		})
		said, err := drain(t, s)
		require.Empty(t, said, event)
		require.True(t, err == endwell.ErrClosed, err)
	}
}

// Chunks that have been handed out stay as they are when the queue is used again.
func TestFromCursorReusesItsQueueUnseen(t *testing.T) {
	s := endwell.FromCursor(&events{all: []string{"a b", "c d"}}, decodeWords)
	var all []endwell.Chunk
	for c, err := range endwell.All(s) {
		require.NoError(t, err)
		all = append(all, c)
	}
	require.Equal(t, texts("a", "b", "c", "d"), all)
}

// Nothing is read after Ended, so what an event says behind it must not be lost.
func TestFromCursorMovesEndedToTheLastChunk(t *testing.T) {
	st := endwell.FromCursor(&events{all: []string{"x"}}, func(_ string, dst []endwell.Chunk) ([]endwell.Chunk, error) {
		return append(dst,
			endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, End: endwell.Ended},
			endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{Total: 3}},
		), nil
	})
	first, err := st.Recv()
	require.NoError(t, err)
	require.Equal(t, endwell.Unstated, first.End)
	second, err := st.Recv()
	require.NoError(t, err)
	require.Equal(t, endwell.Ended, second.End)
}
