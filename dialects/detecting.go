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
// body that never tells is read as its host speaks, or by the tolerant base. With Lenient
// it is not judged at all: its frames, or its text, are surfaced as they come.
func Detecting(body io.Reader, contentType, host string, opt Options) endwell.Stream {
	l := lookings.take()
	l.opt, l.found.contentType, l.found.host, l.found.guess = opt, contentType, host, opt.Guess
	return &detecting{body: body, looking: l}
}

// detectWithin is how many bytes are looked at before a dialect is taken all the
// same.
const detectWithin = 4 << 20

type detecting struct {
	body    io.Reader
	known   *reader  // for the goroutine of Recv
	looking *looking // until it is known

	mu     sync.Mutex // guards what follows; taken until the dialect is known
	stream *reader
	closed bool
}

// looking is what is needed until the dialect is known.
type looking struct {
	found detector
	opt   Options
	buf   []byte // the body, but for its signs of life, from at on
	at    int
	given int   // bytes from there on that have been surfaced: they may be no model's answer at all
	more  bool  // there may be more frames in it
	lives int   // frames that have been surfaced, and are not in buf any more
	end   error // what the body ended with

	odd     bool // what has been surfaced is no model's, as far as one can tell
	strange bool // there has been a frame of it
	skips   bool // its line goes on, and nothing begins in that
	binary  bool // and so does all the rest of the body, which is no text
	ended   bool // and the one that ends it
}

var lookings scratch[looking]

// Recv implements endwell.Stream.
func (d *detecting) Recv() (endwell.Chunk, error) {
	if d.known != nil {
		return d.known.Recv()
	}
	l := d.looking
	for read := false; ; read = true {
		if l.more {
			if name, c := l.look(); name != "" {
				return d.decide(name)
			} else if c.Raw != nil {
				return c, nil
			}
		}
		switch {
		case l.end == io.EOF && l.odd:
			return l.over()
		case l.end != nil && l.odd && l.looksOn():
			return endwell.Chunk{}, d.brokeOff()
		case l.end != nil, l.large():
			return d.decide(l.found.fallback())
		case read:
			return endwell.Chunk{Kind: endwell.KindKeepAlive}, nil
		}
		l.end, l.more = d.read(), true
	}
}

// brokeOff is how a body ended that is of no known wire and did not come to its end.
func (d *detecting) brokeOff() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return endwell.ErrClosed
	}
	return bodyError(d.looking.end)
}

// large reports whether a dialect has to be taken all the same: a first frame may repeat
// the prompt, but nobody begins with as much white space.
func (l *looking) large() bool {
	n := len(l.buf) - l.at
	return n >= detectWithin || n >= untoldBytes && l.found.framer == nil
}

// look looks at the frames that are there, up to one that tells, or that is surfaced:
// somebody may wait for it. Behind an error nobody does.
func (l *looking) look() (name string, c endwell.Chunk) {
	l.found.ends = l.end == io.EOF
	if !l.found.framed(l.buf[l.at:]) {
		l.more = false
		return "", c
	}
	if l.looksOn() {
		return l.onlook()
	}
	for l.found.next(l.buf[l.at:]) {
		if name := l.found.told(); name != "" {
			return name, c
		}
		if n := l.found.used; l.end == nil && l.found.alive() {
			c = endwell.Chunk{Kind: endwell.KindKeepAlive, Raw: l.buf[l.at : l.at+n : l.at+n], End: endwell.Open}
			l.at += n
			l.lives++
			l.found.used, l.more = 0, true
			return "", c
		}
	}
	l.more = false
	return "", c
}

// RecvRef is that of a known dialect's stream.
func (d *detecting) RecvRef() (*endwell.Chunk, error) {
	if d.known != nil {
		return d.known.RecvRef()
	}
	return d.lent()
}

// lent is RecvRef until the dialect is known.
func (d *detecting) lent() (*endwell.Chunk, error) {
	c, err := d.Recv()
	return &c, err
}

// RecvReady is that of a known dialect's stream.
func (d *detecting) RecvReady() bool { return d.known != nil && d.known.RecvReady() }

// read reads once more. It tolerates as much as the reader of a known dialect does.
func (d *detecting) read() error {
	l := d.looking
	l.buf = slices.Grow(slices.Delete(l.buf, 0, l.at), firstBuffer)
	l.at = 0
	room := l.buf[len(l.buf):cap(l.buf)]
	for range maxIdle {
		n, err := d.body.Read(room)
		if n < 0 || n > len(room) {
			return errBadRead
		}
		l.buf = l.buf[:len(l.buf)+n]
		if n > 0 || err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// fallback is the dialect of a body that does not tell.
func (g *detector) fallback() string {
	name := g.unsigned()
	switch {
	case g.framer == nil && strings.HasPrefix(g.contentType, awsMedia):
		return "bedrock-converse"
	case name == "compatible" && g.ping:
		return "anthropic"
	default:
		return name
	}
}

// decide begins to decode, from the first byte that has not been surfaced.
func (d *detecting) decide(name string) (endwell.Chunk, error) {
	l := d.looking
	r := byName[name].stream(d.body, l.opt)
	if _, list := l.found.framer.(*jsonArray); list && l.lives > 0 {
		if g, ok := r.framer.(*geminiFramer); ok {
			g.known, g.isArray, g.list.opened = true, true, true
		}
	}
	d.mu.Lock()
	d.known, d.stream = r, r
	closed := d.closed
	d.mu.Unlock()
	if closed {
		r.err = endwell.ErrClosed
		_ = r.Close()
	} else {
		r.goOn(l)
	}
	d.looking = nil
	lookings.give(l)
	return r.Recv()
}

// goOn goes on with what has been read of the body while its dialect was looked for.
func (d *reader) goOn(l *looking) {
	d.have(l.buf[:cap(l.buf)], l.at, len(l.buf), d.opt.maxFrame()+1)
	d.err, d.n, d.given = l.end, l.lives, l.given
	if d.err != nil {
		return
	}
	if d.end = d.look(); d.end != nil {
		d.over()
	}
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
