package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// ndjson cuts newline-delimited JSON, by the documents rather than by the lines,
// since hosts write one without the other (wire/other-families.md §3, §4.c3):
//
//   - a document is a frame as soon as its last bracket is there, so several may
//     stand on one line, one may take several lines, and the last one needs no line
//     end; the line end belongs to the frame if it came along, else to the next one;
//   - blank lines are frames without payload; other text is a frame of junk, line by
//     line, and an error when it says so;
//   - a line that ends inside a string, begins as an object and is none, or is
//     followed by the next document before it is whole, is a frame all the same:
//     nothing that follows could mend it;
//   - a body that begins as Server-Sent Events, or goes on so before its first document,
//     is read as such, since servers choose the framing by a header that gateways lose.
type ndjson struct {
	lines *sse // when the body is SSE after all
	begun bool // the first bytes of the frame have been looked at
	docs  bool // there has been a document: what follows is no event

	pos   int // scanned up to here, relative to the frame's start
	from  int // where the payload begins
	line  int // where the current line of a document begins
	depth int
	place ndjsonPlace
	owed  bool // the line end of the last document has not come yet
	value bool // the document's last line ended after a value
}

// ndjsonPlace says where the next byte is.
type ndjsonPlace uint8

const (
	ndjsonBetween ndjsonPlace = iota // before a payload
	ndjsonOpened                     // after a document's first bracket
	ndjsonInside                     // in a document, outside of strings
	ndjsonString                     // in a string
	ndjsonEscape                     // after a backslash
	ndjsonJunk                       // in a line that is no document
	ndjsonBroken                     // in a line that begins as an object and is none
)

// next implements framer.
func (n *ndjson) next(b []byte, eof bool, f *frame) bool {
	if n.lines == nil && !n.begun && !n.begin(b, eof) {
		return false
	}
	if n.lines != nil {
		return n.lines.next(b, eof, f)
	}
	for n.pos < len(b) {
		if n.step(b, f) {
			return true
		}
	}
	if !eof || len(b) == 0 {
		return false
	}
	n.flush(b, f)
	return true
}

// begin chooses the framing by the first bytes and reports whether there are enough
// of them to know.
func (n *ndjson) begin(b []byte, eof bool) bool {
	bom := []byte("\xef\xbb\xbf")
	if len(b) < len(bom) && !eof && bytes.HasPrefix(bom, b) {
		return false
	}
	rest := bytes.TrimPrefix(b, bom)
	n.pos = max(n.pos, len(b)-len(rest))
	for n.pos < len(b) && (jsonBlank(b[n.pos]) || b[n.pos] == '\n') {
		n.pos++
	}
	rest = b[n.pos:]
	if len(rest) == 0 && !eof {
		return false
	}
	is, known := beginsEvent(rest, eof)
	if is {
		n.lines = new(sse)
	}
	n.begun = known
	return known
}

// beginsEvent reports whether a line begins an event: a comment, or a field, whose colon may
// be missing where nothing follows it. It is not known as long as there are not enough bytes.
func beginsEvent(line []byte, eof bool) (is, known bool) {
	if len(line) > 0 && line[0] == ':' {
		return true, true
	}
	for _, field := range [...]string{"data", "event", "id", "retry"} {
		rest, ok := bytes.CutPrefix(line, []byte(field))
		switch {
		case ok && len(rest) == 0, !ok && len(line) < len(field) && field[:len(line)] == string(line):
			return ok && eof, eof
		case ok && (rest[0] == ':' || rest[0] == '\r' || rest[0] == '\n'):
			return true, true
		}
	}
	return false, true
}

// step looks at what comes next and reports whether a frame is complete.
func (n *ndjson) step(b []byte, f *frame) bool {
	switch n.place {
	case ndjsonBetween:
		return n.between(b, f)
	case ndjsonOpened:
		n.opened(b)
	case ndjsonInside:
		return n.inside(b, f)
	case ndjsonString:
		return n.text(b, f)
	case ndjsonEscape:
		n.pos++
		n.place = ndjsonString
	default:
		return n.toLineEnd(b, f)
	}
	return false
}

// between looks for the next payload. A line without any is a frame, unless it is
// what is left of a document's line.
func (n *ndjson) between(b []byte, f *frame) bool {
	switch c := b[n.pos]; {
	case c == '\n':
		n.pos++
		if n.owed {
			n.owed = false
			return false
		}
		n.cut(b, nil, frameEmpty, f)
		return true
	case jsonBlank(c):
		n.pos++
	case c == '{' || c == '[':
		n.from, n.depth, n.place = n.pos, 1, ndjsonOpened
		n.pos++
	default:
		n.from, n.place = n.pos, ndjsonJunk
	}
	return false
}

// opened looks at what follows a document's first bracket, which tells a list from
// a label in brackets, such as that of a log line, and an object from other text.
func (n *ndjson) opened(b []byte) {
	list := b[n.from] == '['
	switch c := b[n.pos]; {
	case jsonBlank(c) || c == '\n':
		n.pos++
	case c == '"', !list && c == '}', list && (c == '{' || c == '[' || c == ']'):
		n.place = ndjsonInside
	case list:
		n.place = ndjsonJunk
	default:
		n.place = ndjsonBroken
	}
}

// inside looks for the document's last bracket.
func (n *ndjson) inside(b []byte, f *frame) bool {
	i := ndjsonNext(b, n.pos)
	if n.pos = i; i == len(b) {
		return false
	}
	switch b[i] {
	case '"':
		n.place = ndjsonString
	case '\n':
		n.endLine(b)
	case '{', '[':
		if n.value && i == n.line {
			n.cut(b, b[n.from:i], frameData, f)
			return true
		}
		n.depth++
	default:
		n.depth--
	}
	n.pos++
	if n.depth > 0 {
		return false
	}
	n.whole(b, f)
	return true
}

// ndjsonNext returns the index of the next bracket or line end of a document outside
// of strings, or of the quote before a string that is cut or has more than plain text.
// It is len(b) if there is none.
func ndjsonNext(b []byte, i int) int {
	for {
		for i < len(b) && !ndjsonStructural[b[i]] {
			i++
		}
		if i == len(b) || b[i] != '"' {
			return i
		}
		end := jsonscan.Plain(b, i+1)
		if end == len(b) || b[end] != '"' {
			return i
		}
		i = end + 1
	}
}

var ndjsonStructural = [256]bool{'"': true, '\n': true, '{': true, '[': true, '}': true, ']': true}

// endLine notes how a line of a document ends. A bracket that opens at the
// beginning of the next one can belong to the document only if no value precedes
// it.
func (n *ndjson) endLine(b []byte) {
	n.line = n.pos + 1
	i := n.pos - 1
	if b[i] == '\r' {
		i--
	}
	switch b[i] {
	case '\n':
	case ',', ':', '{', '[', ' ', '\t':
		n.value = false
	default:
		n.value = true
	}
}

// text looks for the end of a string. A line end cannot stand in one, so the frame
// ends there.
func (n *ndjson) text(b []byte, f *frame) bool {
	i := jsonscan.Plain(b, n.pos)
	if n.pos = i; i == len(b) {
		return false
	}
	n.pos++
	switch b[i] {
	case '"':
		n.place = ndjsonInside
	case '\\':
		n.place = ndjsonEscape
	case '\n':
		n.cut(b, b[n.from:i], frameData, f)
		return true
	}
	return false
}

// toLineEnd looks for the end of a line that is no document.
func (n *ndjson) toLineEnd(b []byte, f *frame) bool {
	i := bytes.IndexByte(b[n.pos:], '\n')
	if i < 0 {
		n.pos = len(b)
		return false
	}
	end := n.pos + i
	n.pos = end + 1
	n.cut(b, b[n.from:end], n.lineKind(b[n.from:end]), f)
	return true
}

// lineKind is what a line that is no document is taken for.
func (n *ndjson) lineKind(line []byte) frameKind {
	switch {
	case saysError(line):
		return frameError
	case n.place == ndjsonJunk:
		return frameJunk
	default:
		return frameData
	}
}

// whole hands out the document that ends at pos, with its line end if that is here.
func (n *ndjson) whole(b []byte, f *frame) {
	data := b[n.from:n.pos]
	rest := b[n.pos:]
	owed := true
	for _, end := range [...]string{"\n", "\r\n"} {
		if len(rest) >= len(end) && string(rest[:len(end)]) == end {
			n.pos += len(end)
			owed = false
		}
	}
	n.cut(b, data, frameData, f)
	n.owed = owed
}

// flush hands out what is left at the end of the body.
func (n *ndjson) flush(b []byte, f *frame) {
	kind := frameEmpty
	var data []byte
	switch n.place {
	case ndjsonBetween:
	case ndjsonJunk, ndjsonBroken:
		data = b[n.from:]
		kind = n.lineKind(data)
	default:
		data, kind = b[n.from:], frameData
	}
	n.pos = len(b)
	n.cut(b, data, kind, f)
	f.tail = true
}

// cut hands out the frame that ends at pos and forgets it.
func (n *ndjson) cut(b, data []byte, kind frameKind, f *frame) {
	f.raw, f.data, f.kind = b[:n.pos], data, kind
	f.event, f.tail = nil, false
	docs := n.docs || kind == frameData
	*n = ndjson{begun: docs, docs: docs}
}

// jsonBlank reports whether c is JSON's white space, apart from LF.
func jsonBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
