package dialects

import (
	"bytes"
	"io"

	"github.com/endwell-go/endwell"
)

// maxLine bounds the text of an unfinished line that is kept after it has been surfaced.
const maxLine = 64 << 10

// looksOn reports whether a body may be none of a model, for all that has been said of it.
// What is of no known wire is surfaced then as it comes and never judged, until a frame is
// clearly of one, or clearly reports a fault. A body that comes to its end without such a
// frame was whole, as far as anybody can tell.
func (l *looking) looksOn() bool {
	switch l.found.framer.(type) {
	case *sse, *ndjson:
		return l.opt.Lenient
	default:
		return false
	}
}

// onlook is look for such a body.
func (l *looking) onlook() (name string, c endwell.Chunk) {
	g := &l.found
	for g.next(l.buf[l.at:]) {
		if name := g.clear(!l.odd); name != "" {
			return name, c
		}
		f := &g.frame
		l.odd = l.odd || f.kind != frameEmpty && !l.idle(f)
		c = l.surface(g.used, f.kind != frameEmpty)
		l.at += g.used
		l.lives++
		g.used, l.given = 0, 0
		if c.Raw != nil {
			l.more = true
			return "", c
		}
	}
	l.more = false
	if l.end == nil {
		c = l.onlookText()
	}
	return "", c
}

// idle reports whether a payload says nothing of whose it is, as any system may send it
// among its events: a document by itself is an answer of some kind.
func (l *looking) idle(f *frame) bool {
	_, events := l.found.framer.(*sse)
	return events && f.kind == frameData && (saysNothing(f.data) || isPing(f.data))
}

// surface makes the chunk of the first n bytes, but for those that have been in one.
func (l *looking) surface(n int, says bool) endwell.Chunk {
	c := endwell.Chunk{Kind: endwell.KindKeepAlive, End: endwell.Open}
	if says {
		c.Kind = endwell.KindMeta
	}
	if says && l.odd {
		if l.strange {
			c.Kind = endwell.KindOutput // it goes on, and may do so for long
		}
		l.strange = true
	}
	if l.given < n {
		c.Raw = l.buf[l.at+l.given : l.at+n : l.at+n]
	}
	return c
}

// over ends a body that is of no known wire: with a chunk that says so, once.
func (l *looking) over() (endwell.Chunk, error) {
	if l.ended {
		return endwell.Chunk{}, io.EOF
	}
	l.ended = true
	return endwell.Chunk{Kind: endwell.KindOutput, End: endwell.Ended}, nil
}

// onlookText surfaces text that is no field of an event and no document, which would be
// kept to its end otherwise: a page and what says that it is an error are.
func (l *looking) onlookText() endwell.Chunk {
	s := &l.found.events
	if l.found.framer != framer(s) || s.kind != frameEmpty && s.kind != frameJunk {
		return endwell.Chunk{}
	}
	b := l.buf[l.at:]
	text := bytes.TrimSpace(b)
	if len(text) == 0 || !l.odd && (text[0] == '<' || mayLabelError(text)) {
		return endwell.Chunk{}
	}
	n := len(b)
	if l.given <= s.line && mayBeginFrame(b[s.line:]) {
		n = s.line
	}
	if n <= l.given || n == s.line && s.kind == frameEmpty {
		return endwell.Chunk{}
	}
	l.odd = true
	c := l.surface(n, true)
	kept := s.line
	if n-kept > maxLine {
		kept = n
	}
	l.at, l.given = l.at+kept, n-kept
	*s = sse{begun: true}
	return c
}

// mayBeginFrame reports whether a line, as far as it has come, may be more than text.
func mayBeginFrame(line []byte) bool {
	field, _ := splitField(line)
	return len(bytes.TrimLeft(line, " \t")) == 0 || field != fieldNone || startsField(line) || looksJSON(line)
}

// mayLabelError reports whether text, as far as it has come, may say that it is an error.
func mayLabelError(text []byte) bool {
	for _, label := range [...]string{"error:", "[error]"} {
		n := min(len(text), len(label))
		if bytes.EqualFold(text[:n], []byte(label[:n])) {
			return true
		}
	}
	return false
}
