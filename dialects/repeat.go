package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// repeatable is a framer some of whose frames are cut without a look at what precedes
// or follows them, so that the same bytes with another text are a frame again.
// repeats says whether raw is such a frame, fresh whether the framer is between two
// frames and owes nothing.
type repeatable interface {
	repeats(raw []byte) bool
	fresh() bool
}

// begin is how a parser begins to read a document with its own cursor when it gives
// leave to learn a template: a frame that gave one chunk of text, and comes again with
// another text that is not empty and other values where it asked for none, would give
// the same chunk with that text, and leave the parser as it is.
func (d *reader) begin(c *jsonscan.Cursor, doc []byte) {
	if d.tmpl != nil {
		c.Record(&d.tmpl.spans)
		d.tmpl.read = doc
	}
	c.Reset(doc)
}

// again fills the queue with the frame at the front of the buffer, if it is the last
// one again. wait says that it may be, and that no frame is complete before there are
// more bytes.
func (d *reader) again() (ok, wait bool) {
	b, t := d.buf[d.r:d.w], d.tmpl
	m, ok := t.match(b)
	switch {
	case ok && m.n <= d.opt.maxFrame():
	case !ok && m.cut && d.err == nil && t.tries < maxTries:
		t.tries++
		return false, true
	default:
		return false, false
	}
	t.tries, t.misses = 0, 0
	d.frame.n++
	d.r += m.n
	d.queue = append(d.queue[:0], t.says(m.text, d.opt.NoText))
	d.queue[0].Raw = b[:m.n]
	return true, false
}

// parsePayload has a parser read a payload whose frame cannot be compared as a whole,
// since it has a checksum or is coded.
func (d *reader) parsePayload(p parser, f *frame) *endwell.Evidence {
	if t := d.tmpl; t != nil && t.was && string(t.event) == string(f.event) {
		if m, ok := t.match(f.data); ok && m.n == len(f.data) {
			t.live, t.misses = true, 0
			d.queue = append(d.queue, t.says(m.text, d.opt.NoText))
			return nil
		}
	}
	ev := p.parse(f, d)
	if ev == nil {
		d.learn(f.data, f)
	}
	return ev
}

// learn makes the frame that has been parsed the template, if it can be one.
func (d *reader) learn(raw []byte, f *frame) {
	if len(d.queue) != 1 || len(raw) > maxTemplate || !spoken(d.queue[0].Kind) || d.queue[0].End != d.state {
		return
	}
	switch {
	case d.opt.NoTemplates:
	case d.tmpl == nil:
		d.tmpl = new(template)
	case d.tmpl.misses < maxMisses:
		d.tmpl.learn(raw, f, d.said, d.queue[0])
	}
}

// spoken reports whether chunks of a kind are text that a template may stand for.
func spoken(k endwell.Kind) bool {
	return k == endwell.KindText || k == endwell.KindReasoning || k == endwell.KindRefusal
}

// learn takes over a frame, of which text is what its chunk says.
func (t *template) learn(raw []byte, f *frame, text []byte, c endwell.Chunk) {
	at := offset(raw, f.data)
	if at < 0 || len(text) == 0 || offset(f.data, t.read) != 0 || len(t.read) != len(f.data) {
		return
	}
	holes, found := t.holes[:0], false
	for _, s := range t.spans.List {
		h := hole{from: at + s.From, to: at + s.To, number: s.Kind == jsonscan.UnreadNumber}
		if s.Kind == jsonscan.ReadString {
			if s.From == s.To || &f.data[s.From] != &text[0] {
				continue
			}
			h.text, h.varies, found = true, true, true
		}
		holes = append(holes, h)
	}
	if t.holes = holes; !found || len(holes) > maxHoles {
		return
	}
	t.doc, t.event = append(t.doc[:0], raw...), append(t.event[:0], f.event...)
	t.body = at + len(bytes.TrimRight(f.data, " \t\r\n"))
	c.Raw, c.Text, c.Detail = nil, "", ""
	t.chunk, t.live = c, true
	t.misses++
}

// offset returns where part begins in all, of which it is a slice; -1 when it is none.
func offset(all, part []byte) int {
	at := cap(all) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(all) || &all[at] != &part[0] {
		return -1
	}
	return at
}

// says is the chunk of a frame with that text.
func (t *template) says(text jsonscan.Str, elided bool) endwell.Chunk {
	c := t.chunk
	switch {
	case elided:
	case c.Kind == endwell.KindText:
		c.Text = text.String()
	default:
		c.Detail = text.String()
	}
	return c
}

// fresh implements repeatable.
func (s *sse) fresh() bool { return s.begun && s.pos == 0 && !s.skipLF && !s.text }

// repeats implements repeatable: an event that ends with a blank line, in LF or CRLF.
func (s *sse) repeats(raw []byte) bool {
	return raw[0] > ' ' && raw[0] < 0x7f && (bytes.HasSuffix(raw, []byte("\n\n")) || bytes.HasSuffix(raw, []byte("\r\n\r\n")))
}

// fresh implements repeatable.
func (n *ndjson) fresh() bool {
	return n.lines == nil && n.begun && n.pos == 0 && !n.owed && n.place == ndjsonBetween
}

// repeats implements repeatable: one document on a line of its own.
func (n *ndjson) repeats(raw []byte) bool {
	return n.lines == nil && raw[0] == '{' && (bytes.HasSuffix(raw, []byte("}\n")) || bytes.HasSuffix(raw, []byte("}\r\n")))
}
