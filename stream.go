package endwell

import "errors"

// Stream is one streamed answer.
//
// Recv returns the next thing that happened, or how the stream ended:
//
//   - io.EOF, compared with ==: the answer is whole. Above a complete stack this
//     says that the provider's own terminal signal was seen, that something was
//     emitted and that no fault was reported after it.
//   - the caller's own context error, as ctx.Err() gives it, or [ErrClosed] when
//     the caller closed the stream: the caller stopped it.
//   - an [*Error], found with errors.As: it ended badly.
//
// Recv never returns a chunk together with an error. An ending is sticky: every
// later Recv returns the same one. Recv is for one goroutine at a time.
//
// Close releases the stream. It may be called at any time, from any goroutine,
// also while Recv waits, which it unblocks, and any number of times. A caller
// that opened a stream closes it, whatever Recv said. An error of Close never
// changes how the stream ended.
type Stream interface {
	Recv() (Chunk, error)
	Close() error
}

// ErrClosed is what Recv returns after the caller closed a stream that had not
// ended yet.
var ErrClosed = errors.New("endwell: stream closed by the caller")
