package endwell

import (
	"io"
	"sync/atomic"
)

// Cursor is the form in which many SDKs hand out a stream: Next moves to the next
// event and says whether there is one, Current returns it, Err says why there is
// none, Close releases it.
type Cursor[T any] interface {
	Next() bool
	Current() T
	Err() error
	Close() error
}

// FromCursor makes a Stream of an SDK's stream. decode appends to dst the chunks
// that one event says and returns the result. An event for which it appends nothing
// is delivered as a keep-alive, so that a stall guard sees the sign of life. An error
// of decode ends the stream, as does the cursor's own; return an [*Evidence] with
// InBand set for a fault that the event reports. Chunks appended beside an error are
// dropped, since a frame that reports a fault is never delivered.
//
// decode should set Chunk.End where the answer's state changes: Settled with the
// finish word, Ended with the SDK's own last event. Ended moves to the last chunk of
// its event, since nothing is read after it. Of a stream that never sets it, the
// finish words of its choices are taken for the end.
//
// Close must be safe beside Next, as it is for streams over HTTP.
func FromCursor[T any](c Cursor[T], decode func(event T, dst []Chunk) ([]Chunk, error)) Stream {
	return &cursorStream[T]{cursor: c, decode: decode}
}

type cursorStream[T any] struct {
	cursor Cursor[T]
	decode func(T, []Chunk) ([]Chunk, error)
	queue  []Chunk
	at     int
	end    error
	closed atomic.Bool
}

// Recv returns the next chunk of the current event, or moves on.
func (s *cursorStream[T]) Recv() (Chunk, error) {
	for s.end == nil {
		if s.closed.Load() {
			s.end = ErrClosed
			break
		}
		if s.at < len(s.queue) {
			s.at++
			return s.queue[s.at-1], nil
		}
		s.advance()
	}
	return Chunk{}, s.end
}

func (s *cursorStream[T]) advance() {
	s.queue, s.at = s.queue[:0], 0
	if !s.cursor.Next() {
		s.end = s.ending()
		return
	}
	q, err := s.decode(s.cursor.Current(), s.queue)
	switch {
	case err != nil && s.closed.Load():
		s.end = ErrClosed
	case err != nil:
		s.end = err
	case len(q) == 0:
		s.queue = append(q, Chunk{Kind: KindKeepAlive})
	default:
		s.queue = endLast(q)
	}
}

// endLast moves Ended to the last chunk of an event.
func endLast(q []Chunk) []Chunk {
	last := len(q) - 1
	for i := range q[:last] {
		if q[i].End == Ended {
			q[i].End, q[last].End = Unstated, Ended
		}
	}
	return q
}

func (s *cursorStream[T]) ending() error {
	if s.closed.Load() {
		return ErrClosed
	}
	if err := s.cursor.Err(); err != nil {
		return err
	}
	return io.EOF
}

// Close closes the cursor, once.
func (s *cursorStream[T]) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.cursor.Close()
}
