package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// template recognises a frame that is the last one again with other text. Most frames
// of an answer are: they differ in the text, in counters and in padding, so comparing
// what stands around those reads them, at a fraction of what parsing costs.
//
// It is learned from a frame that was parsed and gave one chunk of text. Whatever the
// parser asked for must be there again, byte by byte, but for the text; values that it
// passed over may be others of their kind, strings for strings and numbers for numbers,
// and there may be more or fewer spaces before the brace that ends the document, where
// Anthropic hides the length of its texts. They are held to the same grammar as by the
// cursor. A frame that does not match is parsed, and the template learned anew: between
// the frame that it was learned from and one that matches there is nothing but matches,
// so the parser is in the state in which the first one left it.
type template struct {
	doc    []byte // the frame that it was learned from, framing included; the event's name stands behind it
	holes  []hole
	near   [8]hole // where most holes have room
	counts *endwell.Usage
	index  int32  // of the chunk, which is at most maxIndex
	call   int32  // of the tool call that it is a piece of
	body   uint16 // where the JSON document in doc ends
	pad    uint16 // where the spaces before its last brace begin
	event  uint8  // length of the name of the event that doc was the payload of
	misses uint8  // how often it was learned in a row without a match since
	tries  uint8  // how often it was held against a frame that is not complete
	kind   endwell.Kind
	end    endwell.End
	padded bool // the number of those spaces has varied
	free   bool // and that call's arguments are plain text
	live   bool // the last frame matched, or was learned from
	was    bool // and so did the one before it
}

// hole is a place where a frame may differ from the one that was learned from.
type hole struct {
	from, to uint16
	count    counter // what the number in it counts
	number   bool
	text     bool // it is the text of the chunk
	varies   bool // it has varied, or has to be read
}

// Bounds of what is learned: a frame's size, its holes, and how often in vain.
const (
	maxTemplate = 2 << 10
	maxHoles    = 24
	maxMisses   = 32
	maxTries    = 2
	maxName     = 255 // of the event whose payload it is
)

// match is a frame that matched.
type match struct {
	n    int // its length
	text jsonscan.Str
	cut  bool // none yet: the bytes ended, within the document, before any difference
}

// match holds b, which may go on behind the frame, against the template. Most holes
// never vary, so they are compared with the rest first.
func (t *template) match(b []byte, m *match) bool {
	if t.walk(b, false, m) {
		return true
	}
	if m.cut || !t.walk(b, true, m) {
		return false
	}
	t.loosen(b)
	return true
}

// walk compares, with all holes or with those that vary.
func (t *template) walk(b []byte, all bool, m *match) bool {
	at, from := 0, 0 // in b, in doc
	for i := range t.holes {
		h := &t.holes[i]
		if !all && !h.varies {
			continue
		}
		fixed := t.doc[from:h.from]
		if !m.has(b, at, fixed) {
			return false
		}
		at += len(fixed)
		end, escaped := h.end(b, at)
		if end < 0 || end == len(b) || h.text && end == at {
			m.cut = end == len(b)
			return false
		}
		switch {
		case h.text:
			m.text = jsonscan.Str{Raw: b[at:end:end], Escaped: escaped}
		case h.count != countNone:
			*h.count.of(t.counts) = countOf(b[at:end])
		}
		at, from = end, int(h.to)
	}
	if all || t.padded {
		fixed := t.doc[from:t.pad]
		if !m.has(b, at, fixed) {
			return false
		}
		at += len(fixed)
		if at += spaces(b[at:]); at == len(b) {
			m.cut = true
			return false
		}
		from = int(t.body) - 1
	}
	fixed := t.doc[from:]
	if len(b)-at < len(fixed) {
		m.cut = len(b)-at < int(t.body)-from && bytes.HasPrefix(fixed, b[at:])
		return false
	}
	m.n = at + len(fixed)
	return string(b[at:m.n]) == string(fixed)
}

// has reports whether b has the bytes at that place, and notes when it may have them yet.
func (m *match) has(b []byte, at int, fixed []byte) bool {
	if len(b)-at < len(fixed) {
		m.cut = bytes.HasPrefix(fixed, b[at:])
		return false
	}
	return string(b[at:at+len(fixed)]) == string(fixed)
}

// spaces counts the spaces that b begins with. Of all white space they alone are no end
// of a line, whatever frames the document.
func spaces(b []byte) (n int) {
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}

// end returns where the value in the hole ends in b, as the functions of jsonscan do.
func (h *hole) end(b []byte, at int) (end int, escaped bool) {
	if h.number {
		return jsonscan.NumberEnd(b, at), false
	}
	return jsonscan.TextEnd(b, at)
}

// loosen notes which holes vary, now that b matches with all of them.
func (t *template) loosen(b []byte) {
	at, from := 0, 0
	for i := range t.holes {
		h := &t.holes[i]
		at += int(h.from) - from
		end, _ := h.end(b, at)
		h.varies = h.varies || string(b[at:end]) != string(t.doc[h.from:h.to])
		at, from = end, int(h.to)
	}
	at += int(t.pad) - from
	t.padded = t.padded || spaces(b[at:]) != int(t.body)-1-int(t.pad)
}
