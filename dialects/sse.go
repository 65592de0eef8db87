package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// sse cuts Server-Sent Events, with the tolerance that real hosts need
// (wire/openai-family.md §0.1):
//
//   - lines end with LF, CRLF or CR, also when a CRLF is split between two reads;
//     a byte order mark at the start is skipped;
//   - a blank line ends an event, and so does the next line of an event whose data
//     is a whole JSON document already, since some hosts send no blank lines;
//   - otherwise several data lines are one payload, joined by LF;
//   - a JSON document that stands outside of any field is a frame of its own, and
//     so is a field named "error"; other text outside of fields is kept as junk, up
//     to a line that says it is an error; inside an event it leaves the event its name;
//   - what is left at the end of the body is flushed.
//
// A frame that ends with a CR is complete at once; the LF that may follow it opens
// the next frame's raw bytes.
type sse struct {
	pos    int  // scanned up to here, relative to the frame's start
	line   int  // start of the current line
	begun  bool // the byte order mark has been dealt with
	skipLF bool // the last line ended with the last byte, a CR: an LF belongs to it
	text   bool // payloads are text: only a blank line ends an event
	alone  bool // a line outside of any field is a frame by itself

	block
}

// block is what the lines of the current frame have said.
type block struct {
	kind   frameKind
	event  span
	first  span       // the payload's first line
	pieces int        // how many lines the payload has
	more   *manyLines // nil as long as nothing is known of any payload's lines together
}

// manyLines is what is known of a payload's lines together.
type manyLines struct {
	joined  []byte // the payload, once it has a second line; reused
	event   []byte // the name of an event that goes on behind text that is no field of it
	goesOn  bool   // it does behind this frame
	balance jsonscan.Balance
	fed     int // bytes of the payload that balance has seen
}

func (s *block) many() *manyLines {
	if s.more == nil {
		s.more = new(manyLines)
	}
	return s.more
}

type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// next implements framer.
func (s *sse) next(b []byte, eof bool, f *frame) bool {
	if !s.begun && !s.begin(b, eof) {
		return false
	}
	for {
		s.swallowLF(b)
		end, next := s.lineEnd(b)
		if end < 0 {
			break
		}
		if s.takeLine(b, end, next, false) {
			s.cut(b, false, f)
			return true
		}
	}
	if !eof || len(b) == 0 {
		return false
	}
	if s.line < len(b) && s.takeLine(b, len(b), len(b), true) {
		s.cut(b, s.line == len(b), f)
		return true
	}
	s.line = len(b)
	s.cut(b, true, f)
	return true
}

// begin skips a byte order mark and reports whether there are enough bytes to know.
func (s *sse) begin(b []byte, eof bool) bool {
	bom := []byte("\xef\xbb\xbf")
	if len(b) < len(bom) && !eof && bytes.HasPrefix(bom, b) {
		return false
	}
	s.begun = true
	if bytes.HasPrefix(b, bom) {
		s.pos, s.line = len(bom), len(bom)
	}
	return true
}

func (s *sse) swallowLF(b []byte) {
	if !s.skipLF || s.pos >= len(b) {
		return
	}
	s.skipLF = false
	if b[s.pos] == '\n' {
		s.pos++
		s.line++
	}
}

// lineEnd returns where the current line ends and the next one begins, or -1 when
// its end has not come yet.
func (s *sse) lineEnd(b []byte) (end, next int) {
	rest := b[s.pos:]
	lf := bytes.IndexByte(rest, '\n')
	before := rest
	if lf >= 0 {
		before = rest[:lf]
	}
	if cr := bytes.IndexByte(before, '\r'); cr >= 0 {
		end = s.pos + cr
		if cr+1 == lf {
			return end, end + 2
		}
		s.skipLF = end+1 == len(b)
		return end, end + 1
	}
	if lf < 0 {
		s.pos = len(b)
		return -1, 0
	}
	return s.pos + lf, s.pos + lf + 1
}

// takeLine takes the line that ends at end and is followed by next, and reports
// whether the frame is complete, at s.line: after this line, or before it when it
// begins another frame. An unfinished line is the last of a body that ends in it.
func (s *sse) takeLine(b []byte, end, next int, unfinished bool) bool {
	text := b[s.line:end]
	if len(text) == 0 {
		s.pos, s.line = next, next
		return s.kind != frameBare || !s.open(b)
	}
	field, skip := splitField(text)
	if unfinished && field == fieldNone && startsField(text) {
		field = fieldOther
	}
	if (!s.text || s.kind != frameData) && s.over(b, field) {
		s.pos, s.skipLF = s.line, false
		s.keepEvent(b)
		return true
	}
	s.take(b, field, span{s.line + skip, end})
	s.pos, s.line = next, next
	if s.alone && s.kind == frameJunk {
		s.keepEvent(b)
		return true
	}
	return s.kind == frameBare && s.whole(b) || s.kind == frameJunk && saysError(bytes.TrimSpace(text))
}

// keepEvent keeps the name of an event that goes on behind the frame that ends here, which
// is text that is no field of it.
func (s *block) keepEvent(b []byte) {
	name := s.name(b)
	if s.kind != frameJunk || len(name) == 0 || len(name) > maxEvent {
		return
	}
	m := s.many()
	m.goesOn = true
	if s.event != (span{}) {
		m.event = bytes.Clone(name)
	}
}

// maxEvent is how long the name of an event may be that is kept. Those that say something
// are of a few words.
const maxEvent = 256

// name is the name of the event, "" as long as it has none. A field without a value takes
// the one that is kept.
func (s *block) name(b []byte) []byte {
	if s.event != (span{}) || s.more == nil {
		return s.event.of(b)
	}
	return s.more.event
}

// over reports whether a line with that field begins another frame.
func (s *block) over(b []byte, field fieldName) bool {
	switch s.kind {
	case frameBare, frameJunk:
		return field != fieldNone && field != fieldComment
	case frameData, frameError:
		return field != fieldOther && field != fieldComment && s.whole(b)
	default:
		return false
	}
}

// take notes what a line says.
func (s *block) take(b []byte, field fieldName, at span) {
	switch field {
	case fieldData:
		s.add(b, at, frameData)
	case fieldError:
		s.add(b, at, frameError)
	case fieldEvent:
		s.event = at
	case fieldNone:
		s.takeOutside(b, at)
	case fieldComment, fieldOther:
	}
}

// takeOutside takes a line that is no field. Inside an event it means nothing.
func (s *block) takeOutside(b []byte, at span) {
	switch {
	case s.kind == frameEmpty && looksJSON(at.of(b)):
		s.add(b, at, frameBare)
	case s.kind == frameEmpty:
		s.add(b, at, frameJunk)
	case s.kind == frameBare, s.kind == frameJunk:
		s.add(b, at, s.kind)
	}
}

// add adds a line to the payload. An event with a field named "error" is one,
// whatever else it holds.
func (s *block) add(b []byte, at span, kind frameKind) {
	if s.kind == frameEmpty || kind == frameError {
		s.kind = kind
	}
	s.pieces++
	switch s.pieces {
	case 1:
		s.first = at
	case 2:
		m := s.many()
		m.joined = append(m.joined[:0], s.first.of(b)...)
		fallthrough
	default:
		s.more.joined = append(append(s.more.joined, '\n'), at.of(b)...)
	}
}

func (s *block) payload(b []byte) []byte {
	if s.pieces > 1 {
		return s.more.joined
	}
	return s.first.of(b)
}

// whole and open say whether the payload so far is a whole JSON document, or one
// that goes on. Only payloads of several lines ask, and each byte is fed once.
func (s *block) whole(b []byte) bool { return s.feed(b).Whole() }

func (s *block) open(b []byte) bool {
	bal := s.feed(b)
	return bal.Open() || bal.Broken() && !bal.Whole()
}

func (s *block) feed(b []byte) *jsonscan.Balance {
	p := s.payload(b)
	m := s.many()
	m.balance.Feed(p[m.fed:])
	m.fed = len(p)
	return &m.balance
}

var errorEvent = []byte("error")

// eventName returns an event's name as it is, but for that of an error, which hosts
// write as they like.
func eventName(name []byte) []byte {
	if len(name) >= len(errorEvent) && bytes.EqualFold(bytes.TrimSpace(name), errorEvent) {
		return errorEvent
	}
	return name
}

// reused is m for the next frame. The payload of the last one may be in use.
func (m *manyLines) reused() *manyLines {
	if m == nil {
		return nil
	}
	next := manyLines{}
	if cap(m.joined) <= maxOwn {
		next.joined = m.joined
	}
	if m.goesOn {
		next.event = m.event
	}
	if next.joined == nil && next.event == nil {
		return nil
	}
	*m = next
	return m
}

// cut hands out the frame that ends at s.line and forgets it. Text in an event that goes on
// has no name, unless it is looked at by itself.
func (s *sse) cut(b []byte, tail bool, f *frame) {
	f.raw, f.kind, f.tail = b[:s.line], s.kind, tail
	f.data, f.event = nil, eventName(s.name(b))
	if s.pieces > 0 {
		f.data = s.payload(b)
	}
	if s.more != nil && s.more.goesOn && !s.alone {
		f.event = nil
	}
	s.pos, s.line = 0, 0
	s.block = block{more: s.more.reused()}
}
