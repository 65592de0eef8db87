package endwelltest

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strconv"
	"sync"

	"github.com/endwell-go/endwell"
)

// passEveryChunk runs a whole answer through the decorator.
func passEveryChunk(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: everyKind(), end: io.EOF})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	for i, want := range n.chunks {
		c, err := b.recv(s)
		if err != nil {
			b.failf("chunk %d of %d did not pass: Recv returned %v", i+1, len(n.chunks), err)
			break
		}
		if d := difference(want, c); d != "" {
			b.failf("chunk %d of %d, of kind %v, was changed, left out, repeated or moved: it differs in %s", i+1, len(n.chunks), want.Kind, d)
		}
		if c.ToolCall != want.ToolCall || c.Usage != want.Usage || c.Native != want.Native {
			b.failf("what a chunk of kind %v points to was replaced", want.Kind)
		}
		if c.Emission() && n.asked() > i+1 {
			b.failf("the next chunk was asked for before an emission was handed out")
		}
	}
	_, end := b.recv(s)
	if end != io.EOF {
		b.failf("a whole answer ended with %v, not with io.EOF itself", end)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// once closes a stream and checks that what is below was opened and closed once.
func (b *bench) once(n *inner, s endwell.Stream) {
	b.close(s)
	b.close(s)
	if n.opened() != 1 {
		b.failf("one call opened the next handler %d times", n.opened())
	}
	if !eventually(patience/5, func() bool { return n.closes() > 0 }) {
		b.failf("Close did not close the next stream")
	}
	if settle(); n.closes() > b.closed() {
		b.failf("the next stream was closed %d times, more often than its caller closed", n.closes())
	}
}

// passFailure runs an answer that fails through the decorator.
func passFailure(b *bench, mw endwell.Middleware, err error, chunks []endwell.Chunk) {
	n := b.below(mw, &inner{chunks: chunks, end: err})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	got, end := b.drain(s)
	if len(got) > len(chunks) {
		b.failf("%d chunks came out where %d went in", len(got), len(chunks))
	}
	if !passed(err, end) {
		b.failf("%v became %v", err, end)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// passed reports whether an error came through as it was. One that has been
// classified may come as a copy, since a decorator may note on it what it knows, but
// not inside another error, and with every field.
func passed(was, is error) bool {
	a, classified := was.(*endwell.Error)
	b, still := is.(*endwell.Error)
	if !classified || !still || a == nil || b == nil {
		return same(was, is)
	}
	return reflect.DeepEqual(*a.WithOriginal(nil), *b.WithOriginal(nil))
}

// passTransient runs an answer that stalls after an emission through the decorator:
// nobody may send it again, but what there is to retry may be noted on the error.
func passTransient(b *bench, mw endwell.Middleware) {
	stalled := &endwell.Error{Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Bound: endwell.BoundIdle}
	n := b.below(mw, &inner{chunks: append(preamble(), full(endwell.KindText)), end: stalled})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	chunks, end := b.drain(s)
	if len(chunks) != len(n.chunks) {
		b.failf("%d chunks came before the failure, not %d", len(chunks), len(n.chunks))
	}
	var e *endwell.Error
	if !errors.As(end, &e) || e.Fault != stalled.Fault || e.Category != stalled.Category || e.Bound != stalled.Bound {
		b.failf("%v became %v", error(stalled), end)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// passRefusal calls a next handler whose Open fails.
func passRefusal(b *bench, mw endwell.Middleware, err error) {
	b.below(mw, &inner{refusal: err})
	s, got := b.open()
	if got == nil {
		defer b.close(s)
		_, got = b.drain(s)
	}
	if !passed(err, got) {
		b.failf("%v became %v", err, got)
	}
}

// passNothing calls a next handler that breaks the contract of Open. That may pass
// as it is, but not as a stream that panics.
func passNothing(b *bench, mw endwell.Middleware) {
	b.below(mw, &inner{nothing: true})
	b.do("Open")
	s, err := b.next.Open(b.ctx, b.req)
	if err != nil || s == nil {
		return
	}
	defer b.close(s)
	if _, err = b.recv(s); err == nil || err == io.EOF {
		b.failf("Recv returned %v where there is no stream", err)
	}
}

// passCancelRecv ends the caller's context while the next stream waits.
func passCancelRecv(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: append(preamble(), full(endwell.KindText))})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	ended := b.pending(s)
	b.do("Recv, whose context has ended")
	b.stop()
	end := <-ended
	if end != context.Canceled {
		b.failf("the caller's own ending, %v, became %v", context.Canceled, end)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// passCancelOpen ends the caller's context while the next Open waits.
func passCancelOpen(b *bench, mw endwell.Middleware) {
	b.below(mw, &inner{waits: true})
	ended := make(chan error, 1)
	go func() {
		var end error = errNothing
		defer func() { ended <- end }()
		defer b.caught()
		var s endwell.Stream
		if s, end = b.open(); end == nil {
			defer b.close(s)
			_, end = b.recv(s)
		}
	}()
	settle()
	b.do("Open, whose context has ended")
	b.stop()
	if end := <-ended; end != context.Canceled {
		b.failf("the caller's own ending, %v, became %v", context.Canceled, end)
	}
}

// passCloseRecv closes the decorator's stream while the next one waits.
func passCloseRecv(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: append(preamble(), full(endwell.KindText))})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	ended := b.pending(s)
	b.do("Close while Recv waits")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			defer b.caught()
			b.close(s)
		})
	}
	all.Wait()
	b.do("Recv, whose stream has been closed")
	end := <-ended
	if end != endwell.ErrClosed {
		b.failf("the caller's own ending, %v, became %v", endwell.ErrClosed, end)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// passOneClose reads a stream to its end and closes it once.
func passOneClose(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: everyKind(), end: io.EOF})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	_, _ = b.drain(s)
	b.close(s)
	eventually(patience/5, func() bool { return n.closes() > 0 })
	if settle(); n.closes() != 1 {
		b.failf("one Close after the end closed the next stream %d times", n.closes())
	}
}

// passUnread closes a stream that was never read.
func passUnread(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: everyKind(), end: io.EOF})
	s, ok := b.mustOpen()
	if !ok {
		return
	}
	b.close(s)
	_, end := b.recv(s)
	if end != endwell.ErrClosed {
		b.failf("a stream that was closed at once ended with %v, not with %v", end, endwell.ErrClosed)
	}
	b.sticks(s, end)
	b.once(n, s)
}

// passAtOnce makes several calls through one decorated handler, chunk by chunk in
// turn, so that what they share shows.
func passAtOnce(b *bench, mw endwell.Middleware) {
	n := b.below(mw, &inner{chunks: everyKind(), end: io.EOF})
	var streams []endwell.Stream
	for range 3 {
		s, ok := b.mustOpen()
		if !ok {
			return
		}
		defer b.close(s)
		streams = append(streams, s)
	}
	for i, want := range n.chunks {
		for _, s := range streams {
			c, err := b.recv(s)
			if err != nil || difference(want, c) != "" {
				b.failf("chunk %d of %d did not pass in one of several calls at once: they share what belongs to one call", i+1, len(n.chunks))
				return
			}
		}
	}
}

// passTwice applies the decorator to two handlers, which must not get mixed up.
func passTwice(b *bench, mw endwell.Middleware) {
	said := func(i int) []endwell.Chunk {
		c := full(endwell.KindText)
		c.Text = strconv.Itoa(i)
		last := full(endwell.KindMeta)
		last.End = endwell.Ended
		return []endwell.Chunk{c, last}
	}
	b.below(mw, &inner{chunks: said(1), end: io.EOF})
	first := b.next
	second := mw(&inner{b: b, chunks: said(2), end: io.EOF})
	for i, next := range []endwell.Next{first, second} {
		b.next = next
		s, ok := b.mustOpen()
		if !ok {
			return
		}
		if c, _ := b.recv(s); c.Text != strconv.Itoa(i+1) {
			b.failf("the decorator was applied to two handlers, and a call of one got to the other")
		}
		b.close(s)
	}
}
