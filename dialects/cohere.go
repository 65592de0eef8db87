package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// cohereDialects are Cohere's chat v2 and v1, from Cohere and from the hosts that
// serve its models with the same frames.
func cohereDialects() []*Dialect {
	return []*Dialect{{
		name: "cohere", family: FamilyCohere, facts: cohereFacts,
		open: reading(sse{}, cohere{}),
	}, {
		name: "cohere-v1", family: FamilyCohereV1, facts: cohereV1Facts,
		open: reading(ndjson{}, cohereV1{}),
	}}
}

// cohereFacts: wire/other-families.md §3, v2.
var cohereFacts = Facts{
	Framing:   "SSE",
	Terminal:  "message-end, then data: [DONE]; the latter alone proves nothing",
	KeepAlive: "none documented",
	Faults:    "ERROR, TIMEOUT, USER_CANCEL; an error inside message-end; TOOL_CALL without a call",
	Note:      "the failure stands in the terminal frame; ERROR_LIMIT before any output is one too",
}

// cohereWords are the finish words of both versions (wire/other-families.md §3.b).
var cohereWords = map[string]endwell.Finish{
	"COMPLETE": endwell.FinishStop, "STOP_SEQUENCE": endwell.FinishStop,
	"MAX_TOKENS": endwell.FinishLength, cohereLimit: endwell.FinishLength,
	"TOOL_CALL": endwell.FinishToolCalls, "ERROR_TOXIC": endwell.FinishFilter,
	"ERROR": endwell.FinishFault, "TIMEOUT": endwell.FinishFault, "USER_CANCEL": endwell.FinishFault,
}

// cohereLimit says that the context was used up: a cut answer if there is one, a
// request that is too long if there is none.
const cohereLimit = "ERROR_LIMIT"

// cohere reads the events of one answer. An answer that is not streamed is one
// document, with the message at its top.
type cohere struct {
	*cohereReading
	id      string
	calls   int  // how many calls a document that is not streamed has
	tools   bool // something that may be a call has come
	emitted bool
}

// cohereReading is what is needed while a frame is read.
type cohereReading struct {
	cur   jsonscan.Cursor
	found findings
	event cohereEvent
}

var cohereWork scratch[cohereReading]

// cohereEvent is what one event says.
type cohereEvent struct {
	typ, id        jsonscan.Str
	index          int
	finish         jsonscan.Str
	reported       []byte // delta.error
	usage          []byte
	text, thinking jsonscan.Str
	plan           jsonscan.Str
	parts          []byte // content as an array
	call, calls    []byte // tool_calls as an object, as an array
	plain          bool   // message is a text
}

// parse implements parser.
func (p *cohere) parse(f *frame, d *reader) *endwell.Evidence {
	outer := cohereWork.lend(&p.cohereReading)
	defer cohereWork.back(&p.cohereReading, outer)
	if ev := reportedOutside(f, d); ev != nil {
		return ev
	}
	if isDone(f.data) {
		p.done(d)
		return nil
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

// done takes the sentinel, which ends an answer only after its message-end
// (wire/other-families.md §3.a).
func (p *cohere) done(d *reader) {
	if d.state == endwell.Settled {
		d.state = endwell.Ended
	}
	d.push(endwell.Chunk{Kind: endwell.KindMeta})
}

// document reads the top-level object.
func (p *cohere) document(f *frame) {
	c, e, fd := &p.cur, &p.event, &p.found
	if !c.Object() {
		fd.other = true
		return
	}
	if cohereEvents[string(f.event)] {
		e.typ.Raw = f.event
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			if s, ok := c.Str(); ok {
				e.typ = s
			}
		case "id":
			e.id, _ = c.Str()
		case "index":
			e.index = readIndex(c, e.index)
		case "delta":
			p.delta()
		case "message":
			s, ok := c.Str()
			e.plain = ok && !s.Empty()
			fd.said = fd.said || e.plain
			fd.known = fd.known || c.Kind() == '{'
			p.message()
		case "finish_reason":
			e.finish, _ = c.Str()
		case "usage":
			e.usage = orSpan(e.usage, objectSpan(c))
		default:
			fd.member(key, c)
		}
	}
	fd.named(e.typ)
	fd.known = fd.known || cohereEvents[string(e.typ.Raw)] ||
		!e.typ.Empty() && !fd.faulty && !errorType(e.typ) && !fd.problem(e.typ.Raw)
}

// delta reads what an event adds, or how the message ended.
func (p *cohere) delta() {
	c, e := &p.cur, &p.event
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "message":
			p.message()
		case "finish_reason":
			e.finish, _ = c.Str()
		case "error":
			e.reported = orReport(e.reported, reportSpan(c))
		case "usage":
			e.usage = orSpan(e.usage, objectSpan(c))
		}
	}
}

// message reads a message, or a piece of one.
func (p *cohere) message() {
	c, e := &p.cur, &p.event
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "content":
			p.content()
		case "tool_plan":
			e.plan, _ = c.Str()
		case "tool_calls":
			if e.call = objectSpan(c); e.call == nil {
				e.calls = arraySpan(c)
			}
		}
	}
}

// content reads a block, or a piece of one; the blocks of a document that is not
// streamed are an array.
func (p *cohere) content() {
	c, e := &p.cur, &p.event
	if s, ok := c.Str(); ok {
		e.text = s
		return
	}
	if !c.Object() {
		e.parts = arraySpan(c)
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "text":
			e.text, _ = c.Str()
		case "thinking":
			e.thinking, _ = c.Str()
		}
	}
}

// signCohere names the dialect of a frame that only Cohere's own API writes.
func signCohere(f *frame) string {
	var c jsonscan.Cursor
	var finish, message bool
	c.Reset(f.data)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			if s, _ := c.Str(); cohereEvents[string(s.Raw)] {
				return "cohere"
			}
		case "event_type":
			if s, _ := c.Str(); cohereV1Events[string(s.Raw)] {
				return "cohere-v1"
			}
		case "is_finished":
			if _, is := c.Bool(); is {
				return "cohere-v1"
			}
		case "response_id", "generation_id":
			return "cohere-v1"
		case "finish_reason":
			_, finish = c.Str()
		case "message":
			// An answer that is not streamed: the message is at the top.
			message = memberOf(objectSpan(&c), "role") != nil
		case "usage":
			if memberOf(objectSpan(&c), "billed_units") != nil {
				return "cohere"
			}
		}
	}
	if finish && message && c.End() == nil {
		return "cohere"
	}
	return ""
}

// cohereEvents are the events of v2.
var cohereEvents = map[string]bool{
	"message-start": true, "content-start": true, "content-delta": true, "content-end": true,
	"tool-plan-delta": true, "tool-call-start": true, "tool-call-delta": true, "tool-call-end": true,
	"citation-start": true, "citation-end": true, "message-end": true,
}
