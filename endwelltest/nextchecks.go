package endwelltest

import (
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/endwell-go/endwell"
)

// tryAnswer reads a whole answer and looks at every chunk.
func tryAnswer(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	defer b.close(s)
	var seen inspection
	for range maxChunks {
		c, err := b.recv(s)
		if err != nil {
			seen.whole(b, err)
			seen.kept(b)
			b.sticks(s, err)
			return
		}
		seen.add(b, c)
	}
	b.failf("the answer had not ended after %d chunks", maxChunks)
}

// tryAtOnce opens one request several times and reads the answers side by side.
func tryAtOnce(b *bench) {
	said := make([]string, 4)
	var all sync.WaitGroup
	for i := range said {
		all.Go(func() {
			defer b.caught()
			s, ok := b.mustOpen()
			if !ok {
				return
			}
			defer b.close(s)
			chunks, end := b.drain(s)
			said[i] = textOf(chunks)
			if end != io.EOF {
				b.failf("one of several answers at once ended with %v", end)
			}
		})
	}
	all.Wait()
	for _, other := range said[1:] {
		if other != said[0] {
			b.failf("several calls at once got different answers, %q and %q: they share what belongs to one call", said[0], other)
		}
	}
}

func textOf(chunks []endwell.Chunk) string {
	var text strings.Builder
	for _, c := range chunks {
		text.WriteString(c.Text)
		text.WriteString(c.Detail)
	}
	return text.String()
}

// tryUnread closes a stream that was never read, several times.
func tryUnread(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	for range 3 {
		b.close(s)
	}
	_, err := b.recv(s)
	b.stopped(err, "the stream was closed before its first Recv")
	if _, again := b.recv(s); !same(again, err) {
		b.failf("the ending after Close is not sticky: %v, then %v", err, again)
	}
	b.close(s)
}

// tryAbandoned leaves an answer in its middle.
func tryAbandoned(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	if _, err := b.recv(s); err != nil {
		b.failf("the answer ended before its first chunk: %v", err)
	}
	b.close(s)
	b.close(s)
}

// tryLate opens under a context that is done.
func tryLate(b *bench) {
	b.stop()
	s, err := b.open()
	if err == nil {
		defer b.close(s)
		_, err = b.drain(s)
	}
	b.stopped(err, "the context was done before Open")
}

// tryFailure reads an answer that breaks off.
func tryFailure(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	defer b.close(s)
	chunks, end := b.drain(s)
	var emitted bool
	for _, c := range chunks {
		emitted = emitted || c.Emission()
	}
	if !emitted {
		b.failf("nothing was emitted before the failure")
	}
	if errors.Is(end, io.EOF) {
		b.failf("the failure reads %v, which is or wraps io.EOF: it says that the answer is whole", end)
	}
	b.sticks(s, end)
}

// tryCancelRecv ends the context of a stream that waits.
func tryCancelRecv(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	defer b.close(s)
	ended := b.pending(s)
	b.do("Recv, whose context has ended")
	b.stop()
	end := <-ended
	b.stopped(end, "the context ended while Recv waited")
	b.sticks(s, end)
}

// tryCloseRecv closes a stream that waits.
func tryCloseRecv(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	ended := b.pending(s)
	b.close(s)
	b.do("Recv, whose stream has been closed")
	end := <-ended
	b.stopped(end, "the stream was closed while Recv waited")
	b.sticks(s, end)
}

// tryCloseMany closes a stream that waits from many goroutines.
func tryCloseMany(b *bench) {
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	ended := b.pending(s)
	b.do("Close from many goroutines")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			defer b.caught()
			_ = s.Close()
		})
	}
	all.Wait()
	b.do("Recv, whose stream has been closed")
	b.stopped(<-ended, "the stream was closed while Recv waited")
}

// tryCancelOpen ends the context of an Open that waits. A provider may open before
// it asks: then its first Recv waits.
func tryCancelOpen(b *bench) {
	ended := make(chan error, 1)
	go func() {
		var end error = errNothing
		defer func() { ended <- end }()
		defer b.caught()
		var s endwell.Stream
		if s, end = b.open(); end == nil {
			defer b.close(s)
			_, end = b.drain(s)
		}
	}()
	settle()
	select {
	case end := <-ended:
		b.failf("Open should wait, and gave up by itself, with %v", end)
		return
	default:
	}
	b.do("Open, whose context has ended")
	b.stop()
	b.stopped(<-ended, "the context ended while Open waited")
}

// tryRefusal calls a provider that refuses. One that opens before it asks says so
// with its first Recv.
func tryRefusal(b *bench) {
	s, err := b.open()
	if err != nil {
		if errors.Is(err, io.EOF) {
			b.failf("the refusal reads %v, which is or wraps io.EOF", err)
		}
		return
	}
	defer b.close(s)
	chunks, end := b.drain(s)
	for _, c := range chunks {
		if c.Emission() {
			b.failf("a refused call emitted something of kind %v", c.Kind)
		}
	}
	if errors.Is(end, io.EOF) {
		b.failf("a refused call ended with %v, which says that the answer is whole", end)
	}
}
