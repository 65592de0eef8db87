package dialects

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync/atomic"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/jsonscan"
	"github.com/endwell-go/endwell/internal/reason"
)

// Bounds of a reader, and of what it keeps as evidence.
const (
	maxFrame    = 32 << 20
	maxEvidence = 32 << 10
	maxIdle     = 100      // reads in a row that return nothing at all
	maxChunks   = 64 << 10 // of one frame; more are not kept, and it is too large
	maxQueue    = 16       // chunks that a queue keeps room for
)

// parser turns the frames of one stream into chunks. parse pushes what f says; on
// evidence of a fault, what it has pushed for this frame is dropped.
type parser interface {
	parse(f *frame, out *reader) *endwell.Evidence
}

// reader is the stream of every dialect: it fills a buffer from the body, has a
// framer cut frames and a parser read them. One read of the body serves one Recv
// at most, a whole frame is delivered before the next read, and bytes that come
// together with an error are judged before the error is.
type reader struct {
	input
	body   io.Reader
	framer framer
	parser parser
	opt    Options

	tmpl   *template // nil until a frame could be one
	lesson *lesson   // nil unless a frame is being learned from

	frame  *frame // nil between two frames
	n      int    // frames so far
	queue  []endwell.Chunk
	room   [1]endwell.Chunk // where the queue begins
	at     int
	err    error  // what the body ended with
	end    error  // what the stream ended with
	early  []byte // text outside of the protocol, until there is a payload; then that, until one says something
	kept   int    // bytes that the parser keeps beyond their frames
	blank  int    // bytes at r that are white space, until begun
	given  int    // bytes at r that have been in a chunk already, while the dialect was looked for
	state  endwell.End
	teach  bool        // a frame has come that a template could be learned from
	vain   uint8       // how many in a row it could not
	spoke  bool        // a payload has said something
	known  bool        // one is of a wire that is known; asked for with Lenient only
	stray  bool        // something has come that may say why the answer is no longer
	dry    bool        // there is no frame before there are more bytes
	packed bool        // a frame has more chunks than it may, or a parser keeps too much
	begun  bool        // the first bytes have been looked at
	paid   bool        // a payload has been seen
	event  bool        // the last frame was one of events
	ended  atomic.Bool // state is Ended
	closed atomic.Bool
	taken  atomic.Bool // behind the end: by a read of the body, or for good by Drain
}

// Recv implements endwell.Stream.
func (d *reader) Recv() (endwell.Chunk, error) {
	c, err := d.RecvRef()
	if err != nil {
		return endwell.Chunk{}, err
	}
	return *c, nil
}

// RecvRef is Recv without a copy of the chunk, which is valid until the next call.
func (d *reader) RecvRef() (*endwell.Chunk, error) {
	if d.at < len(d.queue) {
		d.at++
		return &d.queue[d.at-1], nil
	}
	if d.end != nil {
		return nil, d.end
	}
	if d.end = d.recv(); d.end != nil {
		d.over()
		return nil, d.end
	}
	d.at = 1
	return &d.queue[0], nil
}

// RecvReady reports whether the next Recv returns without waiting for the body, for a caller
// who gathers what is there. It counts as a Recv: what the last one returned is over.
func (d *reader) RecvReady() bool {
	if d.at < len(d.queue) || d.end != nil || d.err != nil {
		return true
	}
	if d.dry {
		return false
	}
	ok, err := d.nextFrame()
	switch {
	case err != nil:
		d.end = err
		d.over()
	case ok:
		d.at = 0
	default:
		d.dry = true
	}
	return !d.dry
}

// recv fills the queue with what the next Recv calls return.
func (d *reader) recv() error {
	for {
		if d.dry {
			d.dry = false
		} else if ok, err := d.nextFrame(); ok || err != nil {
			return err
		}
		if d.err != nil {
			if d.opt.Lenient && d.err == io.EOF && d.strange() {
				return nil
			}
			return d.bodyEnd()
		}
		n, err := d.fill()
		switch {
		case err != nil:
			return err
		case d.err != nil && d.closed.Load():
			return endwell.ErrClosed
		case n > 0 && d.err == nil:
			return d.look()
		}
	}
}

// look fills the queue with what has just been read: a frame, or a sign of life.
func (d *reader) look() error {
	if ok, err := d.nextFrame(); ok || err != nil {
		return err
	}
	d.clear()
	d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
	d.dry = true
	return nil
}

// nextFrame fills the queue with the chunks of the next frame, if it is complete.
func (d *reader) nextFrame() (ok bool, err error) {
	if d.r == d.w && d.err == nil {
		return false, nil
	}
	if d.tmpl != nil && d.tmpl.live && d.framer.fresh() {
		if ok, wait := d.again(); ok || wait {
			return ok, nil
		}
	}
	b := d.buf[d.r:d.w]
	if ev := d.firstLook(b); ev != nil {
		return false, ev
	}
	f := d.frame
	if f == nil {
		f = frameWork.take()
	}
	if d.frame = f; !d.framer.next(b, d.err != nil, f) {
		return false, nil
	}
	ok, err = d.take(f)
	d.frame = nil
	frameWork.give(f)
	return ok, err
}

var frameWork = scratch[frame]{clean: func(f *frame) {
	*f = frame{coded: f.coded[:0]}
	if cap(f.coded) > maxKept {
		f.coded = nil
	}
}}

// take takes the frame that has been cut.
func (d *reader) take(f *frame) (ok bool, err error) {
	d.n++
	d.event = f.kind != frameBare && f.kind != frameJunk
	d.r += len(f.raw)
	d.blank = max(0, d.blank-len(f.raw))
	if len(f.raw) > d.opt.maxFrame() {
		return false, d.evidence(endwell.TooLarge, f.raw)
	}
	if t := d.tmpl; t != nil {
		t.was, t.live, t.tries = t.live, false, 0
	}
	before := d.state
	ev := d.parse(f)
	if ev == nil && d.framer.repeats(f.raw) {
		d.learn(f.raw, f)
	}
	d.dismiss()
	if ev != nil {
		d.clear()
		if ev.Kind == endwell.Cut && d.err != io.EOF {
			return false, bodyError(d.err)
		}
		return false, ev
	}
	d.queue[0].Raw = f.raw
	if d.state == endwell.Ended && before != endwell.Ended {
		d.queue[0].Raw = d.retire(len(f.raw))
	}
	if d.given > 0 {
		d.trim()
	}
	return true, nil
}

// trim takes from a chunk's bytes those that have been in one already.
func (d *reader) trim() {
	c := &d.queue[0]
	n := min(d.given, len(c.Raw))
	c.Raw, d.given = c.Raw[n:], d.given-n
}

// clear empties the queue. One that had to grow for a frame of many chunks is dropped.
func (d *reader) clear() {
	if cap(d.queue) <= maxQueue && cap(d.queue) > 0 {
		d.queue = d.queue[:0]
	} else {
		d.queue = d.room[:0]
	}
	d.at = 0
}

// firstLook judges the first bytes of the body: a page is no stream.
func (d *reader) firstLook(b []byte) *endwell.Evidence {
	if d.begun {
		return nil
	}
	var ok bool
	if d.blank, ok = skipBlank(b, d.blank); !ok {
		return nil
	}
	d.begun = true
	if b[d.blank] != '<' {
		return nil
	}
	return d.evidence(endwell.NotAStream, b)
}

// skipBlank returns where the white space ends that b begins with, a byte order mark
// included, of which n bytes are known already; false when it may go on.
func skipBlank(b []byte, n int) (int, bool) {
	const bom = "\xef\xbb\xbf"
	if n == 0 && len(b) < len(bom) && strings.HasPrefix(bom, string(b)) {
		return 0, false
	}
	if n == 0 && bytes.HasPrefix(b, []byte(bom)) {
		n = len(bom)
	}
	for n < len(b) && (jsonBlank(b[n]) || b[n] == '\n') {
		n++
	}
	return n, n < len(b)
}

// parse fills the queue with what f says, at least one chunk.
func (d *reader) parse(f *frame) *endwell.Evidence {
	d.clear()
	payload := bytes.TrimSpace(f.data)
	switch {
	case f.kind == frameJunk && string(f.event) == "error":
		return d.report(f.data, nil)
	case f.kind == frameJunk, f.kind == frameBare && !f.tail && !whole(payload):
		return d.outside(f)
	case f.kind == frameError && noReport(payload):
		d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
		return nil
	case len(payload) == 0 && string(f.event) != "error":
		d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
		return nil
	}
	if ev := d.parser.parse(f, d); ev != nil {
		return ev
	}
	if d.packed {
		return d.evidence(endwell.TooLarge, f.data)
	}
	d.keepUnread(f)
	d.paid = true
	if d.state == endwell.Ended {
		d.ended.Store(true)
	}
	if len(d.queue) == 0 {
		d.push(endwell.Chunk{Kind: endwell.KindMeta})
	}
	return nil
}

// whole reports whether b is one JSON document.
func whole(b []byte) bool {
	var c jsonscan.Cursor
	c.Reset(b)
	return c.End() == nil
}

// keepJunk keeps text outside of the protocol, in case nothing else comes.
func (d *reader) keepJunk(b []byte) {
	if !d.paid && len(d.early) < maxEvidence {
		d.early = append(d.early, b[:min(len(b), maxEvidence-len(d.early))]...)
	}
}

// push appends a chunk to the queue, stamped with the state of the answer.
func (d *reader) push(c endwell.Chunk) {
	if len(d.queue) == maxChunks {
		d.packed = true
		return
	}
	c.End = d.state
	d.queue = append(d.queue, c)
}

// keep notes that the parser keeps n bytes beyond the frame. All that it keeps of an
// answer may be as much as one frame.
func (d *reader) keep(n int) {
	d.kept += n
	d.packed = d.packed || d.kept > d.opt.maxFrame()
}

// evidence makes evidence of the current frame. A body that is no stream has none.
func (d *reader) evidence(kind endwell.EvidenceKind, body []byte) *endwell.Evidence {
	ev := &endwell.Evidence{
		Kind: kind, InBand: true, Dialect: d.opt.dialect.name, Header: d.opt.Header,
		Frame: d.n, Body: bytes.Clone(body[:min(len(body), maxEvidence)]),
	}
	if kind == endwell.NotAStream {
		ev.Frame = 0
	}
	return ev
}

// bodyEnd says how the stream ends now that the body has and everything in it has
// been delivered.
func (d *reader) bodyEnd() error {
	if d.err == io.EOF && len(d.early) > 0 {
		if !d.paid {
			return d.evidence(endwell.NotAStream, d.early)
		}
		if ev := d.foreign(); ev != nil {
			return ev
		}
	}
	return bodyError(d.err)
}

// brokenBody is an error of the body's Read: it is the transport's, whatever its
// type, and says so with endwell.Broken.
type brokenBody struct{ error }

// Unwrap returns the error and the fault that it stands for.
func (b brokenBody) Unwrap() []error { return []error{b.error, endwell.Broken} }

// bodyError marks an error of the body, unless it says itself what it is.
func bodyError(err error) error {
	if err == io.EOF || err == endwell.ErrClosed || err == errBadRead {
		return err
	}
	t := errtree.Flatten(err)
	_, evident := errtree.Find[*endwell.Evidence](t)
	_, judged := errtree.Find[*endwell.Error](t)
	if evident || judged || t.Has(context.Canceled) || t.Has(context.DeadlineExceeded) {
		return err
	}
	return brokenBody{err}
}

// fill reads once, growing the buffer when a frame needs it. It returns an error
// for a frame above the cap; the body's own error is kept for later.
func (d *reader) fill() (int, error) {
	if err := d.makeRoom(); err != nil {
		return 0, err
	}
	if !d.ended.Load() {
		return d.read()
	}
	if !d.taken.CompareAndSwap(false, true) {
		d.err = endwell.ErrClosed
		return 0, nil
	}
	n, err := d.read()
	d.taken.Store(false)
	return n, err
}

// read reads into the room that there is.
func (d *reader) read() (int, error) {
	for range maxIdle {
		n, err := d.body.Read(d.buf[d.w:])
		if n < 0 || n > len(d.buf)-d.w {
			return 0, errBadRead
		}
		d.w += n
		d.ahead = d.w == len(d.buf)
		d.err = err
		if n > 0 || err != nil {
			return n, nil
		}
	}
	d.err = io.ErrNoProgress
	return 0, nil
}

var errBadRead = reason.New("dialects", "read_count", "the body's Read returned an impossible count",
	"The program is at fault, and neither the provider nor the request: what it reads the answer through has to keep the contract of io.Reader.")

// makeRoom moves what is buffered to the front, or to a buffer with more room: for a
// frame that has none in it, and for a body that fills it faster than it is emptied.
func (d *reader) makeRoom() error {
	have, limit := d.w-d.r, d.opt.maxFrame()
	d.release()
	switch {
	case have > limit:
		ev := d.evidence(endwell.TooLarge, d.buf[d.r:d.w])
		ev.Frame = d.n + 1
		return ev
	case d.large && !d.ahead && have <= maxRest:
		d.settle(limit + 1)
	case have == 0:
		d.r, d.w = 0, 0
	}
	size := len(d.buf)
	if !d.ahead || size >= min(readBuffer, limit) {
		if size-d.w > size/2 {
			return nil
		}
		if have <= size/2 && d.r > 0 {
			copy(d.buf, d.buf[d.r:d.w])
			d.r, d.w = 0, have
			return nil
		}
		if d.w < size {
			return nil
		}
	}
	d.grow(limit + 1)
	return nil
}

// release lets go of what the last frame has said.
func (d *reader) release() { clear(d.queue[:cap(d.queue)]) }

// over lets go of what an ended stream needs no more. A body that broke may be written
// to its buffer still, whatever it has promised.
func (d *reader) over() {
	d.clear()
	d.release()
	if d.err == io.EOF {
		d.lendBack()
	}
	if d.frame != nil {
		frameWork.give(d.frame)
		d.frame = nil
	}
	d.input = input{}
}

// drainer is a body that can be read to its end before it is closed, so that its
// connection can be used again.
type drainer interface{ Drain() }

// Close closes the body, once. It may run beside Recv, which it unblocks. Behind the end
// of the answer the body is drained, unless a Recv reads it; none does after that.
func (d *reader) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	if b, ok := d.body.(drainer); ok && d.ended.Load() && d.taken.CompareAndSwap(false, true) {
		b.Drain()
	}
	if c, ok := d.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
