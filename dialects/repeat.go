package dialects

import (
	"bytes"
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// lesson is what a template is learned from, while a frame is parsed.
type lesson struct {
	read      []byte // the document
	spans     jsonscan.Spans
	said      []byte // the text that was pushed last, as it is written
	usage     []byte // the usage record in the document, if it has one
	counters  *counters
	counts    jsonscan.Spans // of the record
	uncounted bool           // nobody asks for them
	parts     [maxParts]part
	nested    int // how many parts there are; more than fit when it is larger
	holes     []hole
}

// part is a value of the document that was kept, and read on its own.
type part struct {
	doc   []byte
	spans jsonscan.Spans
}

var lessons = scratch[lesson]{clean: func(l *lesson) {
	spans := cap(l.spans.List) + cap(l.counts.List)
	for i := range l.parts {
		l.parts[i].doc = nil
		spans += cap(l.parts[i].spans.List)
	}
	*l = lesson{spans: l.spans, counts: l.counts, parts: l.parts, holes: l.holes[:0]}
	if spans > maxSpans {
		*l = lesson{}
	}
}}

const (
	maxSpans = 1 << 10 // kept for the next lesson
	maxParts = 3       // read on their own
)

// begin is how a parser begins to read a document with its own cursor when it gives
// leave to learn a template: a frame that gave one chunk of text, and comes again with
// another text that is not empty and other values where it asked for none, would give
// the same chunk with that text, and leave the parser as it is. So would one that gave a
// record of usage besides, and comes with other counts; see counted.
func (d *reader) begin(c *jsonscan.Cursor, doc []byte) {
	if d.teach && (d.tmpl == nil || d.tmpl.misses < maxMisses) {
		if d.lesson == nil {
			d.lesson = lessons.take()
		}
		c.Record(&d.lesson.spans)
		d.lesson.read, d.lesson.uncounted = doc, d.opt.LastUsage
	}
	c.Reset(doc)
}

// nested is how a parser begins to read a part of the document with a cursor of its own,
// under the same terms as begin.
func (d *reader) nested(c *jsonscan.Cursor, doc []byte) {
	if l := d.lesson; l != nil {
		if l.nested < len(l.parts) {
			p := &l.parts[l.nested]
			p.doc = doc
			c.Record(&p.spans)
		}
		l.nested++
	}
	c.Reset(doc)
}

// passed is how a parser says that it looks at nothing in a part of the document that it
// has kept, as long as the frame says what it says.
func (d *reader) passed(doc []byte) {
	if d.lesson == nil {
		return
	}
	var c jsonscan.Cursor
	d.nested(&c, doc)
	c.Skip()
}

// counted is how a parser says where the usage record stands that it has read in the
// document, and that it keeps none of its counts but the one that is state.
func (d *reader) counted(record []byte, by *counters) {
	if l := d.lesson; l != nil {
		l.usage, l.counters = record, by
	}
}

// unlearn takes back the leave: the same frame again would say something else.
func (d *reader) unlearn() {
	if d.lesson != nil {
		d.lesson.said = nil
	}
}

// dismiss ends a lesson.
func (d *reader) dismiss() {
	if d.lesson != nil {
		lessons.give(d.lesson)
		d.lesson = nil
	}
}

// again fills the queue with the frame at the front of the buffer, if it is the last
// one again. wait says that it may be, and that no frame is complete before there are
// more bytes.
func (d *reader) again() (ok, wait bool) {
	b, t := d.buf[d.r:d.w], d.tmpl
	var m match
	switch ok := t.match(b, &m); {
	case ok && m.n <= d.opt.maxFrame():
	case !ok && m.cut && d.err == nil && t.tries < maxTries:
		t.tries++
		return false, true
	default:
		return false, false
	}
	t.tries, t.misses = 0, 0
	d.n++
	d.r += m.n
	d.queue = d.queue[:0]
	d.says(t, m.text)
	d.queue[0].Raw = b[:m.n]
	return true, false
}

// parsePayload has a parser read a payload whose frame cannot be compared as a whole,
// since it has a checksum or is coded.
func (d *reader) parsePayload(p parser, f *frame) *endwell.Evidence {
	if t := d.tmpl; t != nil && t.was && string(t.named()) == string(f.event) {
		var m match
		if t.match(f.data, &m) && m.n == len(f.data) {
			t.live, t.misses = true, 0
			d.says(t, m.text)
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
	n := len(d.queue)
	if n == 0 || n > 2 || len(raw) > maxTemplate || d.opt.NoTemplates || !goesOn(&d.queue[0]) {
		return
	}
	l := d.lesson
	if d.teach = d.vain < maxMisses; l == nil {
		return
	}
	if n == 2 && (l.usage == nil || d.queue[1].Kind != endwell.KindUsage) ||
		d.queue[0].End != d.state || d.queue[n-1].End != d.state || !l.study(raw, f) {
		d.vain++
		return
	}
	d.vain = 0
	if d.tmpl == nil {
		d.tmpl = new(template)
	}
	t := d.tmpl
	t.learn(raw, f, l)
	t.takes(&d.queue[0])
	switch {
	case l.usage == nil, d.opt.LastUsage:
		t.counts = nil
	case n == 2:
		counts := *d.queue[1].Usage
		t.counts = &counts
	default:
		t.counts = new(endwell.Usage)
	}
}

// takes takes over what the chunk says besides its text.
func (t *template) takes(c *endwell.Chunk) {
	t.index, t.kind, t.end = int32(c.Index), c.Kind, c.End
	if t.call, t.free = 0, false; c.ToolCall != nil {
		t.call, t.free = int32(c.ToolCall.Index), c.ToolCall.FreeText
	}
}

// goesOn reports whether a chunk is one that a template may stand for: text, or more of
// a tool call's arguments.
func goesOn(c *endwell.Chunk) bool {
	call := c.ToolCall
	return spoken(c.Kind) || c.Kind == endwell.KindToolCall && call != nil && call.ID == "" && call.Name == ""
}

// spoken reports whether chunks of a kind are text.
func spoken(k endwell.Kind) bool {
	return k == endwell.KindText || k == endwell.KindReasoning || k == endwell.KindRefusal
}

// study finds the holes of a frame, and reports whether it can be a template.
func (l *lesson) study(raw []byte, f *frame) bool {
	at := offset(raw, f.data)
	if at < 0 || len(l.said) == 0 || offset(f.data, l.read) != 0 || len(l.read) != len(f.data) || len(f.event) > maxName {
		return false
	}
	record, found := within(f.data, l.usage), false
	if l.usage != nil && record < 0 {
		return false
	}
	l.holes = l.holes[:0]
	for _, s := range l.spans.List {
		if record >= 0 && s.From > record {
			if !l.countHoles(at + record) {
				return false
			}
			record = -1
		}
		l.hole(at, f.data, s, &found)
	}
	return (record < 0 || l.countHoles(at+record)) && l.nestedHoles(at, f.data, &found) && found && len(l.holes) <= maxHoles
}

// hole adds the hole of a scalar of doc, which stands at that place. A string that was
// asked for is none, unless it is the text.
func (l *lesson) hole(at int, doc []byte, s jsonscan.Span, found *bool) {
	h := holeAt(at, s)
	if s.Kind == jsonscan.ReadString {
		if s.From == s.To || &doc[s.From] != &l.said[0] {
			return
		}
		h.text, h.varies, *found = true, true, true
	}
	l.holes = append(l.holes, h)
}

// nestedHoles adds the holes of the parts that were read on their own. It reports false
// when there are too many, or when one was read twice.
func (l *lesson) nestedHoles(at int, doc []byte, found *bool) bool {
	if l.nested == 0 {
		return true
	}
	if l.nested > len(l.parts) {
		return false
	}
	for i := range l.parts[:l.nested] {
		p := &l.parts[i]
		from := within(doc, p.doc)
		if from < 0 {
			return false
		}
		for _, s := range p.spans.List {
			l.hole(at+from, p.doc, s, found)
		}
	}
	slices.SortFunc(l.holes, func(a, b hole) int { return int(a.from) - int(b.from) })
	for i := 1; i < len(l.holes); i++ {
		if l.holes[i].from < l.holes[i-1].to {
			return false
		}
	}
	return true
}

func holeAt(at int, s jsonscan.Span) hole {
	return hole{from: uint16(at + s.From), to: uint16(at + s.To), number: s.Kind == jsonscan.UnreadNumber}
}

// countHoles adds the holes of the usage record, which stands at that place. It reports
// false when a count is a number in one member and none in another, since the last
// one counts.
func (l *lesson) countHoles(at int) bool {
	r := recordReading{at: at, lesson: l}
	r.cur.Record(&l.counts)
	r.cur.Reset(l.usage)
	r.read(l.counters.top)
	return r.numbers&r.others == 0
}

// recordReading finds the holes of a usage record.
type recordReading struct {
	cur             jsonscan.Cursor
	at              int
	lesson          *lesson
	numbers, others uint // the counts that are a number, and those that are something else
}

func (r *recordReading) read(names func(key []byte) counter) {
	c, l := &r.cur, r.lesson
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		n, number, first := names(key), c.Kind() == '0', len(l.counts.List)
		switch {
		case n == l.counters.state && n != countNone:
			c.Raw()
			continue
		case n == countDetails && c.Kind() == '{':
			r.read(l.counters.details)
			continue
		case n == countDetails || n == countNone:
			n = countNone
		case number:
			r.numbers |= 1 << n
		default:
			r.others, n = r.others|1<<n, countNone
		}
		c.Skip()
		for _, s := range l.counts.List[first:] {
			h := holeAt(r.at, s)
			h.varies = n != countNone
			if !l.uncounted {
				h.count = n
			}
			l.holes = append(l.holes, h)
		}
	}
}

// learn takes over what has been found out about a frame.
func (t *template) learn(raw []byte, f *frame, l *lesson) {
	at := offset(raw, f.data)
	if t.holes == nil {
		t.holes = t.near[:0]
	}
	t.holes = append(t.holes[:0], l.holes...)
	name := f.event
	if len(raw) > len(f.data) {
		name = nil // it is in raw
	}
	t.doc = append(append(slices.Grow(t.doc[:0], len(raw)+len(name)), raw...), name...)[:len(raw)]
	t.event = uint8(len(name))
	doc := bytes.TrimRight(f.data, " \t\r\n") // an object, since there is a member that says something
	t.body = uint16(at + len(doc))
	t.pad = uint16(at + len(bytes.TrimRight(doc[:len(doc)-1], " ")))
	t.live = true
	t.misses++
}

// named is the name of the event that doc was the payload of.
func (t *template) named() []byte { return t.doc[len(t.doc) : len(t.doc)+int(t.event)] }

// within returns where part, which is a slice of all, begins in it; -1 when it is none.
func within(all, part []byte) int {
	for at := 0; len(part) > 0; at++ {
		i := bytes.Index(all[at:], part)
		if i < 0 {
			break
		}
		if at += i; &all[at] == &part[0] {
			return at
		}
	}
	return -1
}

// offset returns where part begins in all, of which it is a slice; -1 when it is none.
func offset(all, part []byte) int {
	at := cap(all) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(all) || &all[at] != &part[0] {
		return -1
	}
	return at
}

// says fills the queue, which is empty, with what a frame with that text says.
func (d *reader) says(t *template, text jsonscan.Str) {
	if cap(d.queue) == 0 {
		d.queue = d.room[:0]
	}
	d.queue = d.queue[:1]
	c := &d.queue[0]
	*c = endwell.Chunk{}
	c.Kind, c.Index, c.End = t.kind, int(t.index), t.end
	switch {
	case c.Kind == endwell.KindToolCall:
		c.ToolCall = &endwell.ToolCallDelta{Index: int(t.call), Arguments: text.String(), FreeText: t.free}
	case d.opt.NoText:
		c.Elided = true
	case c.Kind == endwell.KindText:
		c.Text = text.String()
	default:
		c.Detail = text.String()
	}
	if t.counts != nil && *t.counts != (endwell.Usage{}) {
		d.queue = append(d.queue, endwell.Chunk{Kind: endwell.KindUsage, Usage: newUsage(*t.counts), End: t.end})
	}
}
