package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// cohereV1Facts: wire/other-families.md §3, v1.
var cohereV1Facts = Facts{
	Framing:   "NDJSON (application/stream+json), or SSE if asked for",
	Terminal:  `stream-end, "is_finished":true`,
	KeepAlive: "none documented; blank lines",
	Faults:    "ERROR, TIMEOUT, USER_CANCEL; stream-error",
	Note:      "the end repeats the whole text",
}

// cohereV1 reads the events of one answer of /v1/chat or /v1/generate.
type cohereV1 struct {
	*cohereV1Reading
	id      string
	calls   int
	pieces  bool // calls came in pieces
	planned bool // the plan came in pieces
	emitted bool
}

// cohereV1Reading is what is needed while a frame is read.
type cohereV1Reading struct {
	cur   jsonscan.Cursor
	found findings
	event cohereV1Event
}

var cohereV1Work scratch[cohereV1Reading]

// cohereV1Event is what one event says.
type cohereV1Event struct {
	typ, id     jsonscan.Str
	index       int
	text        jsonscan.Str
	finish      jsonscan.Str
	calls, call []byte // tool_calls, tool_call_delta
	response    []byte // the whole answer, at the end
	meta        []byte
	finished    bool
	plain       bool // message is a text
}

// parse implements parser.
func (p *cohereV1) parse(f *frame, d *reader) *endwell.Evidence {
	outer := cohereV1Work.lend(&p.cohereV1Reading)
	defer cohereV1Work.back(&p.cohereV1Reading, outer)
	if ev := reportedOutside(f, d); ev != nil || isDone(f.data) {
		return ev
	}
	d.begin(&p.cur, f.data)
	p.document(f)
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	switch {
	case p.found.other:
		return strayValue(p, f, d)
	case p.found.fault(), p.event.plain && !p.found.known:
		return d.finishReport(p.event.finish, f.data, p.found.span())
	}
	return p.emit(f, d)
}

// document reads the top-level object.
func (p *cohereV1) document(f *frame) {
	c, e, fd := &p.cur, &p.event, &p.found
	if !c.Object() {
		fd.other = true
		return
	}
	if cohereV1Events[string(f.event)] {
		e.typ.Raw = f.event
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "event_type":
			if s, ok := c.Str(); ok {
				e.typ = s
			}
		case "is_finished":
			v, is := c.Bool()
			e.finished, fd.known = e.finished || v, fd.known || is
		case "generation_id":
			e.id, _ = c.Str()
		case "index":
			e.index = readIndex(c, e.index)
		case "text":
			s, ok := c.Str()
			e.text, fd.known = s, fd.known || ok
		case "finish_reason":
			e.finish, _ = c.Str()
		case "tool_calls":
			e.calls = arraySpan(c)
		case "tool_call_delta":
			e.call = objectSpan(c)
		case "response":
			e.response = objectSpan(c)
			fd.wrapped = e.response
		case "generations":
			fd.known = fd.known || c.Kind() == '['
		case "meta":
			e.meta = objectSpan(c)
		case "message":
			s, _ := c.Str()
			e.plain = !s.Empty()
			fd.said = fd.said || e.plain
		default:
			fd.member(key, c)
		}
	}
	fd.known = fd.known || !e.typ.Empty() && !errorType(e.typ)
}

// cohereV1Events are the events of v1.
var cohereV1Events = map[string]bool{
	"stream-start": true, "search-queries-generation": true, "search-results": true,
	"text-generation": true, "citation-generation": true, "tool-calls-chunk": true,
	"tool-calls-generation": true, "stream-end": true, "stream-error": true,
}
