package transport

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
)

// reply is the body that is handed over: the raw bytes of the chain's chunks, and the
// chain's ending.
type reply struct {
	x       *exchange
	st      endwell.Stream
	refs    referrer // st, if it has it
	ready   readier  // st, if it can tell
	raw     []byte   // of the current chunk, as far as it has not been read
	torn    []byte   // of a frame that is handed over with what follows it, if anything does
	sealed  [16]byte // where the bytes of a sentinel begin, while the chain is asked for its verdict
	end     error
	pending <-chan struct{} // closed when advance, on another goroutine, is through
	closed  atomic.Bool
	reading atomic.Bool // held by whoever uses the other fields, where somebody asks for the ending

	// What follows a whole answer is read within a bound of bytes and time.
	whole    bool
	restLeft int
	restTime time.Duration

	lines lineEnds
}

// readier is a stream that can tell that its Recv will not wait.
type readier interface{ RecvReady() bool }

// eventer is a stream that can tell whether its body is of events, and the last frame
// was one.
type eventer interface{ Events() (framed, last bool) }

// referrer is a stream that can lend its chunk instead of copying it, until the next
// call.
type referrer interface {
	RecvRef() (*endwell.Chunk, error)
}

// Read implements io.Reader.
func (r *reply) Read(p []byte) (int, error) {
	if r.x.ending == nil {
		return r.read(p)
	}
	if !r.reading.CompareAndSwap(false, true) {
		return 0, endwell.ErrClosed
	}
	n, err := r.read(p)
	r.reading.Store(false)
	return n, err
}

func (r *reply) read(p []byte) (int, error) {
	if r.pending != nil {
		<-r.pending
		r.pending = nil
	}
	if r.closed.Load() {
		return 0, r.afterClose()
	}
	if len(r.raw) == 0 {
		r.advance()
	}
	if len(r.raw) == 0 {
		return 0, r.end
	}
	n := copy(p, r.raw)
	r.raw = r.raw[n:]
	for len(r.raw) == 0 && n < len(p) && r.more() {
		more := copy(p[n:], r.raw)
		r.raw = r.raw[more:]
		n += more
	}
	return n, nil
}

// more moves on to bytes that have come already, and does not wait for others. As many
// of them go into one Read as there is room for, as they would without a chain.
func (r *reply) more() bool {
	for r.ready != nil && len(r.raw) == 0 && r.end == nil && !r.whole && r.ready.RecvReady() {
		r.step()
	}
	return len(r.raw) > 0
}

// afterClose is the ending for whoever reads what he has closed: an ending that has
// been reached stays.
func (r *reply) afterClose() error {
	if r.end == nil || len(r.raw) > 0 {
		r.x.note(r.closing()) // Close does not where a Read was at work
		r.raw, r.end = nil, endwell.ErrClosed
	}
	return r.end
}

// failed reports whether the stream ended, and not whole, before anything came of it.
func (r *reply) failed() bool { return r.end != nil && r.end != io.EOF && len(r.raw) == 0 }

// advance moves on to the next bytes, or to the ending.
func (r *reply) advance() {
	for len(r.raw) == 0 && r.end == nil {
		r.step()
	}
}

// step asks the chain once, or what is behind a whole answer.
func (r *reply) step() {
	if r.whole {
		r.rest()
		return
	}
	raw, kind, state, err := r.recv()
	tears := err == nil && state != endwell.Ended && kind == endwell.KindKeepAlive && r.tears(raw)
	if r.torn != nil && err == nil && !tears {
		raw, r.torn = append(r.torn, raw...), nil // it was not the end
	}
	switch {
	case err == nil && state == endwell.Ended:
		r.seal(raw)
	case tears:
		before := r.torn
		r.torn = bytes.Clone(raw) // this may be the end, and what came before it was not
		r.take(before)
	case err == nil:
		r.take(raw)
	case r.torn != nil && r.tear():
	default:
		r.conclude(err)
	}
}

// tear drops a frame without payload that the body's end has cut off: clients that take
// the blank line for granted would read half a line. A line feed at its beginning is the
// end of the line before. It reports whether there is that to hand over first.
func (r *reply) tear() bool {
	if r.torn[0] == '\n' {
		r.take(r.torn[:1])
	}
	r.torn = nil
	return len(r.raw) > 0
}

// recv asks the chain for a chunk and returns what matters here of it.
func (r *reply) recv() (raw []byte, kind endwell.Kind, state endwell.End, err error) {
	if r.refs == nil {
		c, err := r.st.Recv()
		return c.Raw, c.Kind, c.End, err
	}
	c, err := r.refs.RecvRef()
	if err != nil {
		return nil, 0, 0, err
	}
	return c.Raw, c.Kind, c.End, nil
}

// tears reports whether the bytes of a frame without payload may be the beginning of an
// event that the body's end has cut off.
func (r *reply) tears(raw []byte) bool {
	if len(raw) == 0 || endsBlank(raw) {
		return false
	}
	framed, _ := r.events()
	return framed
}

// events says what the stream of the body says of it; nothing of a body that is of no
// known wire, and passes as it comes.
func (r *reply) events() (framed, last bool) {
	if st, ok := r.x.inner.(eventer); ok {
		return st.Events()
	}
	return false, false
}

// seal asks the chain for its verdict before the sentinel is handed over, since clients
// stop reading there. When that is a fault, it takes the sentinel's place. A chain
// without a sentinel check reads on, and is not followed beyond a bound.
func (r *reply) seal(raw []byte) {
	raw = append(r.sealed[:0], raw...)
	for limit := len(raw) + drainBytes; len(raw) <= limit; {
		c, err := r.st.Recv()
		if err == io.EOF {
			r.take(raw)
		}
		if err != nil {
			r.conclude(err)
			return
		}
		raw = append(raw, c.Raw...)
	}
	r.take(raw)
}

// conclude takes the chain's ending. Behind an answer that is whole there may be more
// of its body.
func (r *reply) conclude(err error) {
	if err != io.EOF {
		r.finish(err)
		return
	}
	r.whole = true
	if r.x.readsOn() {
		r.restLeft, r.restTime = drainBytes, drainTime
	}
}

// take takes the bytes of a chunk and notes how they end.
func (r *reply) take(raw []byte) {
	if len(raw) > 0 {
		r.raw = raw
		r.lines.take(raw)
	}
}

// rest reads on behind a whole answer, past the chain, which has seen all it needs:
// what is left of the bytes still belongs to the body, and the body's own end brings
// the trailer, and the connection back to its pool.
func (r *reply) rest() {
	if r.restLeft <= 0 || r.restTime <= 0 {
		r.finish(io.EOF)
		return
	}
	begun, before := time.Now(), r.x.body.read
	late := time.AfterFunc(r.restTime, func() { _ = r.x.body.Close() })
	c, err := r.x.inner.Recv()
	late.Stop()
	r.restTime -= time.Since(begun)
	if err != nil {
		r.finish(io.EOF)
		return
	}
	r.restLeft -= r.x.body.read - before
	r.take(c.Raw)
}

// finish notes the ending and releases the stream.
func (r *reply) finish(err error) {
	r.end = err
	r.x.note(err)
	if _, event := r.events(); event {
		r.raw = r.lines.missing(err != io.EOF)
	}
	_ = r.st.Close()
}

// Close implements io.Closer. It may run beside Read, which it unblocks.
func (r *reply) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	if r.x.ending != nil && r.reading.CompareAndSwap(false, true) {
		if r.advanced() {
			r.x.note(r.closing())
		}
		r.reading.Store(false)
	}
	return r.st.Close()
}

// advanced reports whether nobody else is at work on the reply. Who is notes the
// ending.
func (r *reply) advanced() bool {
	select {
	case <-r.pending:
		r.pending = nil
	default:
	}
	return r.pending == nil
}
