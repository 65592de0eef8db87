package dialects

import "sync"

// scratch lends parsers what they need while they read a frame and not between frames,
// so that a stream that waits does not hold it. What is lent is zero.
type scratch[T any] struct{ pool sync.Pool }

// lend puts a T at the pointer, and returns what was there, for back: a parser may
// read a frame within a frame.
func (s *scratch[T]) lend(at **T) (outer *T) {
	outer = *at
	v, ok := s.pool.Get().(*T)
	if !ok {
		v = new(T)
	}
	*at = v
	return outer
}

func (s *scratch[T]) back(at **T, outer *T) {
	var zero T
	v := *at
	*v = zero
	s.pool.Put(v)
	*at = outer
}
