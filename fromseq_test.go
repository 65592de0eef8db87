package endwell_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func sequence(end error, words ...string) iter.Seq2[endwell.Chunk, error] {
	return func(yield func(endwell.Chunk, error) bool) {
		for _, w := range words {
			if !yield(text(w), nil) {
				return
			}
		}
		if end != nil {
			yield(text("beside the error"), end)
		}
	}
}

// Each row runs in a bubble, which fails when a goroutine outlives it.
func TestFromSeq(t *testing.T) {
	fault := stalled()
	for _, row := range []struct {
		name string
		seq  iter.Seq2[endwell.Chunk, error]
		want []string
		end  error
	}{
		{"runs out", sequence(nil, "a", "b"), []string{"a", "b"}, io.EOF},
		{"nothing", sequence(nil), nil, io.EOF},
		{"a fault drops the chunk beside it", sequence(fault, "a"), []string{"a"}, fault},
		{"a fault at once", sequence(fault), nil, fault},
		{"io.EOF is yielded", sequence(io.EOF, "a"), []string{"a"}, io.EOF},
		{"goes on after its error", func(yield func(endwell.Chunk, error) bool) {
			if yield(endwell.Chunk{}, fault) {
				yield(text("later"), nil)
			}
		}, nil, fault},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := endwell.FromSeq(row.seq)
				said, err := drain(t, s)
				require.Equal(t, row.want, said)
				require.True(t, row.end == err, err)
				synctest.Wait()
				require.NoError(t, s.Close())
				require.NoError(t, s.Close())
				_, err = s.Recv()
				require.True(t, row.end == err, "Close does not change the end: %v", err)
			})
		})
	}
}

// What a chunk points to stays valid until the next Recv, so the sequence must not
// move on before.
func TestFromSeqPausesBetweenRecvs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at atomic.Int32
		s := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
			for i := range 3 {
				at.Store(int32(i + 1))
				if !yield(text(fmt.Sprint(i)), nil) {
					return
				}
			}
			at.Store(100)
		})
		synctest.Wait()
		require.EqualValues(t, 0, at.Load(), "not before the first Recv")
		for i := range 3 {
			c, err := s.Recv()
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(i), c.Text)
			synctest.Wait()
			require.EqualValues(t, i+1, at.Load())
		}
		_, err := s.Recv()
		require.True(t, err == io.EOF)
		require.EqualValues(t, 100, at.Load())
	})
}

func TestFromSeqClosedBeforeTheFirstRecvNeverRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := endwell.FromSeq(func(func(endwell.Chunk, error) bool) { t.Error("it ran") })
		require.NoError(t, s.Close())
		said, err := drain(t, s)
		require.Empty(t, said)
		require.True(t, err == endwell.ErrClosed, err)
	})
}

func TestFromSeqCloseStopsAPausedSequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cleaned := false
		s := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
			defer func() { cleaned = true }()
			for yield(text("a"), nil) {
			}
		})
		_, err := s.Recv()
		require.NoError(t, err)
		require.NoError(t, s.Close())
		synctest.Wait()
		require.True(t, cleaned)
		_, err = drain(t, s)
		require.True(t, err == endwell.ErrClosed, err)
	})
}

// Close unblocks a Recv whose sequence waits, and the goroutine ends when the
// sequence gets on, by a yield, a return or an error.
func TestFromSeqCloseUnblocksRecv(t *testing.T) {
	for name, then := range map[string]func(yield func(endwell.Chunk, error) bool){
		"yields":  func(yield func(endwell.Chunk, error) bool) { yield(text("late"), nil) },
		"returns": func(func(endwell.Chunk, error) bool) {},
		"fails":   func(yield func(endwell.Chunk, error) bool) { yield(endwell.Chunk{}, errors.New("late")) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				s := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
					<-release
					then(yield)
				})
				got := make(chan error)
				go func() {
					_, err := s.Recv()
					got <- err
				}()
				synctest.Wait()
				for range 3 {
					go func() { _ = s.Close() }()
				}
				require.True(t, <-got == endwell.ErrClosed)
				close(release)
				synctest.Wait()
				_, err := drain(t, s)
				require.True(t, err == endwell.ErrClosed, err)
			})
		})
	}
}

// A stream that ended has no goroutine left, also while it is not closed yet.
func TestFromSeqThatEndedRunsNoMore(t *testing.T) {
	for _, end := range []error{nil, stalled()} {
		synctest.Test(t, func(t *testing.T) {
			returned := false
			s := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
				defer func() { returned = true }()
				sequence(end, "a")(yield)
			})
			_, _ = drain(t, s)
			synctest.Wait()
			require.True(t, returned)
		})
	}
}

func TestFromSeqHandsAPanicOver(t *testing.T) {
	st := endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
		yield(endwell.Chunk{Kind: endwell.KindText, Text: "a"}, nil)
		panic("bug")
	})
	c, err := st.Recv()
	require.NoError(t, err)
	require.Equal(t, "a", c.Text)
	require.PanicsWithValue(t, "bug", func() { _, _ = st.Recv() })
	_, err = st.Recv()
	require.Error(t, err, "and the stream has ended")
	require.NoError(t, st.Close())
}

func TestFromSeqHandsAnExitOver(t *testing.T) {
	st := endwell.FromSeq(func(func(endwell.Chunk, error) bool) { runtime.Goexit() })
	done := make(chan bool, 1)
	go func() {
		defer func() { done <- recover() == nil }()
		_, _ = st.Recv()
		t.Error("Goexit did not go on")
	}()
	require.True(t, <-done)
}
