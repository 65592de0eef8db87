package dialects

import (
	"bytes"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// responsesDialects are those that speak OpenAI responses: OpenAI, Azure, xAI, LM
// Studio, Bedrock's OpenAI endpoint, OpenRouter, and gateways.
//
// The answer is ended by the event that brings the final response, and by nothing
// else. Sources: wire/openai-family.md §2, wire/other-families.md §7.
func responsesDialects() []*Dialect {
	return []*Dialect{{
		name: "responses", family: FamilyResponses, facts: responsesFacts,
		open: reading(sse{}, responses{}),
	}}
}

var responsesFacts = Facts{
	Framing:   "SSE",
	Terminal:  "response.completed or response.incomplete",
	KeepAlive: "keepalive events, comments; lifecycle events while it reasons",
	Faults:    "failed, cancelled",
	Note: "error events flat and nested, often followed by response.failed; quota errors inside a 200; " +
		"reasoning was silent for 8.5 minutes: bounds of 5 min and more",
}

// responses reads the frames of one stream.
type responses struct {
	*responsesReading
	id      string // of the first response.created
	seen    responsesSeen
	calls   []responsesCall
	emitted [responsesKinds]bool
	crowded bool // more calls than an answer can have
}

// responsesReading is what is needed while a frame is read.
type responsesReading struct {
	cur jsonscan.Cursor
	ev  responsesEvent
}

var responsesWork scratch[responsesReading]

// responsesKind is what a part of the output is.
type responsesKind uint8

const (
	responsesReasoning responsesKind = iota
	responsesSummary                 // of the reasoning
	responsesText
	responsesRefusal
	responsesTool   // a call that the caller runs
	responsesOutput // other output: hosted tools, images
	responsesKinds
)

// responsesEvent is what one frame says.
type responsesEvent struct {
	typ, object          jsonscan.Str
	delta, text, refusal jsonscan.Str
	args, input, name    jsonscan.Str
	itemID               jsonscan.Str
	at                   responsesPlace
	item, part, response []byte
	answer               bool // it has the output of a whole answer
	found                findings
}

// parse implements parser.
func (p *responses) parse(f *frame, d *reader) *endwell.Evidence {
	outer := responsesWork.lend(&p.responsesReading)
	defer responsesWork.back(&p.responsesReading, outer)
	switch {
	case d.state == endwell.Ended, typedSentinel(f):
		// The sentinel of the chat family is added by gateways; it proves nothing.
		return nil
	case f.kind == frameError:
		return d.report(f.data, nil)
	}
	p.ev.at = responsesPlace{-1, -1}
	d.begin(&p.cur, f.data)
	object := p.ev.read(&p.cur)
	if err := p.cur.End(); err != nil {
		return typedUndecodable(f, d, err)
	}
	if !object {
		return typedStray(p, f, d)
	}
	ev := p.event(f, d)
	if ev == nil && p.crowded {
		return d.evidence(endwell.Unparseable, f.data)
	}
	return ev
}

// read reads the top-level object; false when there is none.
func (e *responsesEvent) read(c *jsonscan.Cursor) bool {
	if !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			e.typ, _ = c.Str()
		case "delta":
			e.delta, _ = c.Str()
		case "output_index":
			e.at.output = readIndex(c, e.at.output)
		case "content_index", "summary_index":
			e.at.part = readIndex(c, e.at.part)
		case "item_id":
			e.itemID, _ = c.Str()
		case "text":
			e.text, _ = c.Str()
		case "refusal":
			e.refusal, _ = c.Str()
		case "arguments":
			e.args, _ = c.Str()
		case "input":
			e.input, _ = c.Str()
		case "name":
			e.name, _ = c.Str()
		case "item":
			e.item = objectSpan(c)
		case "part":
			e.part = objectSpan(c)
		case "response":
			e.response = objectSpan(c)
			e.found.wrapped = e.response
		case "object":
			e.object, _ = c.Str()
			e.found.named(e.object)
		case "output":
			e.answer = e.answer || c.Kind() == '['
		default:
			e.found.member(key, c)
		}
	}
	return true
}

// event says what a frame means by its name.
func (p *responses) event(f *frame, d *reader) *endwell.Evidence {
	name := typedName(p.ev.typ, f)
	known := responsesKnown(name)
	switch {
	case string(name) == "error", string(name) == "response.error", string(f.event) == "error" && !known:
		return responsesReport(f, d, nil)
	case p.ev.typ.Empty() && p.ev.answer && p.ev.object.Equal("response"):
		return p.final(f, d, "", f.data)
	case typedFault(&p.ev.found, p.ev.typ, known):
		return d.report(f.data, p.ev.found.span())
	}
	switch string(name) {
	case "response.created":
		return p.start(f, d)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "response.done":
		return p.final(f, d, strings.TrimPrefix(string(name), responsesPrefix), p.ev.response)
	case "keepalive", "ping":
		d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
	default:
		p.output(name, d)
	}
	return nil
}

const responsesPrefix = "response."

func responsesKnown(name []byte) bool {
	return bytes.HasPrefix(name, []byte(responsesPrefix)) || string(name) == "keepalive" || string(name) == "ping"
}

// start reads response.created. A second one with another id, after output has
// come, is another answer in the same body. Hosts that give every event another id
// send one response.created only (wire/openai-family.md §9.f).
func (p *responses) start(f *frame, d *reader) *endwell.Evidence {
	var c jsonscan.Cursor
	c.Reset(memberOf(p.ev.response, "id"))
	id, _ := c.Str()
	if p.id != "" && !id.Empty() && !id.Equal(p.id) && p.emitted != [responsesKinds]bool{} {
		return d.evidence(endwell.Spliced, f.data)
	}
	p.id = orText(p.id, id)
	return nil
}

// signResponses names the dialect of a frame that only this family writes; "" for
// any other.
func signResponses(f *frame) string {
	s, ok := readSign(f)
	if !ok {
		return ""
	}
	name := string(s.typ.Raw)
	switch {
	case strings.HasPrefix(name, responsesPrefix):
	case name == "keepalive" && s.number, name == "error" && s.number:
	case name == "" && s.object.Equal("response") && s.outputs == '[':
	default:
		return ""
	}
	return "responses"
}
