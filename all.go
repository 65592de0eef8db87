package endwell

import (
	"io"
	"iter"
)

// All ranges over a stream: each chunk with a nil error, then, if the stream did
// not end whole, one zero chunk with the error. It closes the stream when the loop
// ends, whichever way. There is no iterator over chunks alone, since it would hide
// how the stream ended.
func All(s Stream) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		defer func() { _ = s.Close() }()
		for {
			c, err := s.Recv()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Chunk{}, err)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}
