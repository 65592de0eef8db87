package dialects

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/endwell-go/endwell"
)

// Detecting decodes a body whose dialect is not known: it looks at the first frames
// as they come, surfacing signs of life, and then decodes as Dialect.Stream does. A
// body that never tells is read as its host speaks, or by the tolerant base.
func Detecting(body io.Reader, contentType, host string, opt Options) endwell.Stream {
	return &detecting{body: body, found: detector{contentType: contentType, host: host}, opt: opt}
}

// detectWithin is how many bytes are looked at before a dialect is taken all the
// same.
const detectWithin = 256 << 10

type detecting struct {
	body  io.Reader
	found detector
	opt   Options
	first []byte
	life  sse            // cuts signs of life
	known endwell.Stream // for the goroutine of Recv

	mu     sync.Mutex // guards what follows; taken until the dialect is known
	stream endwell.Stream
	closed bool
}

// Recv implements endwell.Stream.
func (d *detecting) Recv() (endwell.Chunk, error) {
	if d.known != nil {
		return d.known.Recv()
	}
	if d.found.alive > 0 {
		return d.alive(), nil
	}
	err := d.read()
	name := d.found.look(d.first)
	switch {
	case name != "":
		return d.decide(name, err)
	case err != nil, len(d.first) >= detectWithin:
		return d.decide(d.found.fallback(), err)
	case d.found.alive > 0:
		return d.alive(), nil
	default:
		return endwell.Chunk{Kind: endwell.KindKeepAlive}, nil
	}
}

// alive takes the first sign of life, a comment or blank lines, out of what is looked
// at: it means the same in any dialect, and somebody may wait for it.
func (d *detecting) alive() endwell.Chunk {
	var f frame
	if !d.life.next(d.first[:d.found.alive], false, &f) {
		f.raw = d.first[:d.found.alive]
	}
	n := len(f.raw)
	d.first = d.first[n:]
	d.found.used -= n
	d.found.alive -= n
	return endwell.Chunk{Kind: endwell.KindKeepAlive, Raw: f.raw[:n:n], End: endwell.Open}
}

// Ready is that of a known dialect's stream.
func (d *detecting) Ready() bool {
	ready, ok := d.known.(interface{ Ready() bool })
	return ok && ready.Ready()
}

// read reads once more, into first. It tolerates as much as the reader of a known
// dialect does.
func (d *detecting) read() error {
	d.first = slices.Grow(d.first, firstBuffer)
	room := d.first[len(d.first):cap(d.first)]
	for range maxIdle {
		n, err := d.body.Read(room)
		if n < 0 || n > len(room) {
			return errBadRead
		}
		d.first = d.first[:len(d.first)+n]
		if n > 0 || err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// fallback is the dialect of a body that does not tell.
func (g *detector) fallback() string {
	name := g.variant()
	_, events := g.framer.(*awsEvents)
	switch {
	case events, g.framer == nil && strings.HasPrefix(g.contentType, "application/vnd.amazon.eventstream"):
		return "bedrock-converse"
	case name == "compatible" && g.ping:
		return "anthropic"
	default:
		return name
	}
}

// decide begins to decode, from the first byte.
func (d *detecting) decide(name string, err error) (endwell.Chunk, error) {
	rest := &replay{first: d.first, err: err, body: d.body}
	d.first, d.found = nil, detector{}
	d.mu.Lock()
	d.stream = byName[name].Stream(rest, d.opt)
	d.known = d.stream
	closed := d.closed
	d.mu.Unlock()
	if closed {
		rest.first, rest.err = nil, endwell.ErrClosed
		_ = d.known.Close()
	}
	return d.known.Recv()
}

// Close implements endwell.Stream.
func (d *detecting) Close() error {
	d.mu.Lock()
	st, was := d.stream, d.closed
	d.closed = true
	d.mu.Unlock()
	switch {
	case was:
		return nil
	case st != nil:
		return st.Close()
	}
	if c, ok := d.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// replay is a body whose first bytes, and error, have been read already.
type replay struct {
	first []byte
	err   error
	body  io.Reader
}

// Read implements io.Reader.
func (r *replay) Read(p []byte) (int, error) {
	switch {
	case len(r.first) > 0:
		n := copy(p, r.first)
		if r.first = r.first[n:]; len(r.first) == 0 {
			r.first = nil // it was a copy of the body's beginning
		}
		return n, nil
	case r.err != nil:
		return 0, r.err
	default:
		return r.body.Read(p)
	}
}

// Close implements io.Closer.
func (r *replay) Close() error {
	if c, ok := r.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Drain passes to the body.
func (r *replay) Drain() {
	if b, ok := r.body.(drainer); ok {
		b.Drain()
	}
}
