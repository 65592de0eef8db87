package dialects

import (
	"bytes"
	"io"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/ask"
)

const (
	maxLine   = 64 << 10 // bytes of an unfinished line that are kept after they have been surfaced
	maxNotice = 256      // bytes of a line that is not yet output
)

// looksOn reports whether a body may be none of a model, for all that has been said of it.
// What is of no known wire is surfaced then as it comes and never judged, until a frame is
// clearly of one, or clearly reports a fault. A body that comes to its end without such a
// frame was whole, as far as anybody can tell.
func (l *looking) looksOn() bool {
	switch l.found.framer.(type) {
	case *sse, *ndjson, *jsonArray:
		return l.opt.Lenient
	default:
		return false
	}
}

// onlook is look for such a body.
func (l *looking) onlook() (name string, c endwell.Chunk) {
	g := &l.found
	if l.skips {
		if c = l.restOfLine(); c.Raw != nil {
			return "", c
		}
	}
	for !l.skips && g.next(l.buf[l.at:]) {
		if l.noText(g.frame.raw) {
			return "", l.file()
		}
		if name := l.clear(); name != "" {
			return name, c
		}
		f := &g.frame
		if f.tail && !l.odd && (f.kind == frameEmpty || l.idle(f)) {
			break // nothing has been said, and now nothing will be
		}
		g.text = g.text || f.kind == frameJunk
		l.odd = l.odd || f.kind != frameEmpty && !l.idle(f)
		c = l.surface(g.used, f.kind != frameEmpty)
		l.strange = l.strange || l.odd && f.kind != frameEmpty
		l.at += g.used
		l.lives++
		g.used, l.given = 0, 0
		if c.Raw != nil {
			return "", c
		}
	}
	l.more = false
	if l.end == nil && !l.skips {
		c = l.onlookText()
	}
	return "", c
}

// clear is the detector's. Behind elements of a list that are no model's there may be
// those of Gemini, which goes on within the list, and else a fault: that is left to be
// read as all that the body is.
func (l *looking) clear() string {
	f := &l.found.frame
	name := l.found.clear(!l.odd)
	switch _, list := l.found.framer.(*jsonArray); {
	case !list, !l.odd, name == "gemini":
		return name
	case !clearFault(f):
		return ""
	}
	end := l.at + len(f.raw)
	l.buf, l.at, l.end = l.buf[:end], end-len(f.data), io.EOF
	return l.found.unsigned()
}

// idle reports whether a payload says nothing of whose it is, as any system may send it
// among its events: a document by itself is an answer of some kind.
func (l *looking) idle(f *frame) bool {
	_, events := l.found.framer.(*sse)
	return events && f.kind == frameData && (saysNothing(f.data) || isPing(f.data))
}

// surface makes the chunk of the first n bytes, but for those that have been in one. What
// goes on is output: more than one frame, or a line that is longer than those of a
// gateway that has something to say before the answer.
func (l *looking) surface(n int, says bool) endwell.Chunk {
	c := endwell.Chunk{Kind: endwell.KindKeepAlive, End: endwell.Open}
	switch {
	case says && l.odd && (l.strange || l.found.text && n > maxNotice):
		c.Kind = endwell.KindOutput
	case says:
		c.Kind = endwell.KindMeta
	}
	if l.given < n {
		c.Raw = l.buf[l.at+l.given : l.at+n : l.at+n]
	}
	return c
}

// over ends a body that is of no known wire: with a chunk that says so, once. A list that
// is not closed is cut.
func (l *looking) over() (endwell.Chunk, error) {
	if list, ok := l.found.framer.(*jsonArray); ok && !list.done {
		d := byName[l.found.unsigned()].stream(nil, l.opt)
		d.n = l.lives
		return endwell.Chunk{}, d.evidence(endwell.Cut, nil)
	}
	if l.ended {
		return endwell.Chunk{}, io.EOF
	}
	l.ended = true
	return endwell.Chunk{Kind: endwell.KindOutput, End: endwell.Ended}, nil
}

// onlookText surfaces a line of text that is no field of an event and no document as far as
// it has come, since it may go on for long: but a page, and what says that it is an error.
// A line beyond a bound is kept no more, and neither is an event or a document.
func (l *looking) onlookText() endwell.Chunk {
	s := &l.found.events
	b := l.buf[l.at:]
	if len(b) >= detectWithin && (l.odd || !l.found.judged(b[:maxNotice], true)) {
		return l.skip()
	}
	if l.found.framer != framer(s) || s.kind != frameEmpty {
		return endwell.Chunk{}
	}
	line := b[s.line:]
	if begin := line[:min(len(line), maxNotice)]; mayBeginFrame(begin) && (len(line) <= maxNotice || !blank(begin)) ||
		!l.odd && l.found.judged(begin, true) {
		return endwell.Chunk{}
	}
	l.odd, l.found.text = true, true
	if l.noText(b[max(s.line, l.given):]) {
		return l.file()
	}
	if len(b) > maxLine {
		return l.skip()
	}
	c := l.surface(len(b), true)
	l.given = len(b)
	return c
}

// skip surfaces all that is buffered of a line, whose rest is no beginning of anything.
func (l *looking) skip() endwell.Chunk {
	n := len(l.buf) - l.at
	l.odd = true
	c := l.surface(n, true)
	l.at, l.given, l.skips, l.strange = l.at+n, 0, true, true
	l.found.events = sse{begun: true, alone: true}
	l.found.framer = &l.found.events
	return c
}

// file surfaces all that is buffered of what is no text, in which whatever looks like a
// frame is a part of something else.
func (l *looking) file() endwell.Chunk {
	l.binary, l.found.used = true, 0
	return l.skip()
}

// restOfLine surfaces what there is of such a rest.
func (l *looking) restOfLine() endwell.Chunk {
	b := l.buf[l.at:]
	n := len(b)
	if i := bytes.IndexAny(b, "\r\n"); i >= 0 && !l.binary {
		n, l.skips = i+1, false
	}
	c := l.surface(n, true)
	l.at += n
	return c
}

// blank reports whether the beginning of a line says nothing: blanks, or a list of blanks.
func blank(begin []byte) bool { return len(bytes.TrimLeft(begin, " \t[")) == 0 }

// judged reports whether text at the beginning of a body is a page, or says that it is an
// error; partly, whether it may be when more of it has come.
func (g *detector) judged(text []byte, partly bool) bool {
	if ask.Page(ask.MediaType(g.contentType), text, partly) {
		return true
	}
	text = bytes.TrimSpace(text)
	if partly {
		return len(text) > 0 && mayLabelError(text)
	}
	return saysError(text)
}

// noText reports whether there is a byte that text has not, in what does not say that it is
// text: a control character, but for those that end lines and pages, separate records
// (RFC 7464), move, colour or ring.
func (l *looking) noText(b []byte) bool {
	if ask.Text(ask.MediaType(l.found.contentType)) {
		return false
	}
	for _, c := range b {
		if c < ' ' && controls>>c&1 != 0 {
			return true
		}
	}
	return false
}

// controls are the control characters that are in no text.
const controls = uint32(1<<0x20-1) &^ (1<<'\a' | 1<<'\b' | 1<<'\t' | 1<<'\n' | 1<<'\v' | 1<<'\f' | 1<<'\r' | 1<<0x1b | 1<<0x1e)

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
