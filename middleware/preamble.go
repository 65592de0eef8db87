package middleware

import "github.com/endwell-go/endwell"

// The bounds of a preamble that is held back.
const (
	maxPreambleChunks = 64
	maxPreambleBytes  = 256 << 10
)

// preamble holds chunks back, with copies of what would not live as long.
type preamble struct {
	chunks []endwell.Chunk
	bytes  int
	at     int
}

// add keeps a chunk and reports whether the bounds still hold. Keep-alives in a row
// become one, since their number says nothing.
func (p *preamble) add(c endwell.Chunk) bool {
	p.bytes += len(c.Raw)
	if n := len(p.chunks); c.Kind == endwell.KindKeepAlive && n > 0 && p.chunks[n-1].Kind == endwell.KindKeepAlive {
		was := &p.chunks[n-1]
		was.Raw = append(was.Raw, c.Raw...)
		if c.End != endwell.Unstated {
			was.End = c.End
		}
	} else {
		if c.Raw != nil {
			c.Raw = append([]byte(nil), c.Raw...)
		}
		p.chunks = append(p.chunks, c)
	}
	return len(p.chunks) <= maxPreambleChunks && p.bytes <= maxPreambleBytes
}

// hold keeps a chunk and reports whether the preamble is over with it: it is the
// first emission, or the bounds are passed.
func (p *preamble) hold(c endwell.Chunk) (over bool) {
	if c.Emission() {
		p.last(c)
		return true
	}
	return !p.add(c)
}

// last keeps the chunk that ends the preamble as it is: it is delivered before the
// stream below is asked again.
func (p *preamble) last(c endwell.Chunk) { p.chunks = append(p.chunks, c) }

// next hands out the next chunk.
func (p *preamble) next() (endwell.Chunk, bool) {
	if p.at >= len(p.chunks) {
		p.drop()
		return endwell.Chunk{}, false
	}
	p.at++
	return p.chunks[p.at-1], true
}

func (p *preamble) drop() { *p = preamble{} }
