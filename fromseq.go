package endwell

import (
	"io"
	"iter"
	"runtime"
	"sync"

	"github.com/endwell-go/endwell/internal/reason"
)

// FromSeq makes a Stream of a sequence: of an SDK that hands out an iterator, or
// in a test. The first error that the sequence yields ends the stream; a sequence
// that runs out ended with io.EOF.
//
// The sequence runs on a goroutine of its own, from the first Recv on, since Close
// may run beside Recv and the stop function of iter.Pull may not run beside its
// next. It is paused between two Recvs, so what a chunk points to stays valid
// until the next one. Close unblocks Recv at once; the goroutine ends when the
// sequence yields or returns next, which a sequence that obeys the context given
// to Open does soon. A panic of the sequence goes to the caller of Recv. A stream
// closed before its first Recv never runs the sequence.
func FromSeq(seq iter.Seq2[Chunk, error]) Stream {
	return &seqStream{
		seq:  seq,
		more: make(chan struct{}),
		item: make(chan item),
		done: make(chan struct{}),
	}
}

type item struct {
	chunk    Chunk
	err      error
	panicked any  // what the sequence panicked with
	exited   bool // the sequence ended its goroutine, as t.FailNow does
}

type seqStream struct {
	seq  iter.Seq2[Chunk, error]
	more chan struct{} // Recv asks for the next item
	item chan item     // the sequence's answer
	done chan struct{} // closed by Close
	once sync.Once

	started bool
	end     error
}

// Recv asks the sequence for its next item.
func (s *seqStream) Recv() (Chunk, error) {
	if s.end != nil {
		return Chunk{}, s.end
	}
	it := s.next()
	switch {
	case it.panicked != nil:
		s.end = errSeqPanicked
		panic(it.panicked)
	case it.exited:
		s.end = errSeqPanicked
		runtime.Goexit()
	case it.err != nil:
		s.end = it.err
		return Chunk{}, it.err
	}
	return it.chunk, nil
}

func (s *seqStream) next() item {
	select {
	case <-s.done:
		return item{err: ErrClosed}
	default:
	}
	if !s.started {
		s.started = true
		go s.run()
	}
	select {
	case s.more <- struct{}{}:
	case <-s.done:
		return item{err: ErrClosed}
	}
	select {
	case it := <-s.item:
		return it
	case <-s.done:
		return item{err: ErrClosed}
	}
}

// errSeqPanicked is the ending after the panic of a sequence went to the caller.
var errSeqPanicked = reason.New("endwell", "sequence_panicked", "the sequence panicked",
	"The program is at fault, and neither the provider nor the request: its sequence must not panic.")

// run ranges over the sequence. A panic, or the end of the goroutine, is handed to
// the goroutine of Recv, as iter.Pull does.
func (s *seqStream) run() {
	returned := false
	defer func() {
		if !returned {
			v := recover()
			s.answer(item{panicked: v, exited: v == nil})
		}
	}()
	s.iterate()
	returned = true
}

// iterate takes one step for each demand.
func (s *seqStream) iterate() {
	if !s.demanded() {
		return
	}
	for c, err := range s.seq {
		if !s.answer(item{chunk: c, err: err}) || err != nil || !s.demanded() {
			return
		}
	}
	s.answer(item{err: io.EOF})
}

func (s *seqStream) demanded() bool {
	select {
	case <-s.more:
		return true
	case <-s.done:
		return false
	}
}

func (s *seqStream) answer(it item) bool {
	select {
	case s.item <- it:
		return true
	case <-s.done:
		return false
	}
}

// Close ends the stream.
func (s *seqStream) Close() error {
	s.once.Do(func() { close(s.done) })
	return nil
}
