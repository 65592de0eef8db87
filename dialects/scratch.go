package dialects

import "sync"

// scratch lends parsers what they need while they read a frame and not between frames,
// so that a stream that waits does not hold it. What is lent is zero, but for what
// clean leaves.
type scratch[T any] struct {
	pool  sync.Pool
	clean func(*T) // nil to zero it
}

// maxKept bounds the buffers that clean leaves.
const maxKept = 64 << 10

// take takes a T, for give.
func (s *scratch[T]) take() *T {
	v, ok := s.pool.Get().(*T)
	if !ok {
		v = new(T)
	}
	return v
}

func (s *scratch[T]) give(v *T) {
	var zero T
	if s.clean != nil {
		s.clean(v)
	} else {
		*v = zero
	}
	s.pool.Put(v)
}

// lend puts a T at the pointer, and returns what was there, for back: a parser may
// read a frame within a frame.
func (s *scratch[T]) lend(at **T) (outer *T) {
	outer = *at
	*at = s.take()
	return outer
}

func (s *scratch[T]) back(at **T, outer *T) {
	s.give(*at)
	*at = outer
}
