package dialects

import (
	"bytes"
	"encoding/base64"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// invokeDialects returns Bedrock's InvokeModelWithResponseStream: an AWS event
// stream whose events, named chunk, hold the JSON of the model's own wire in base64
// (wire/other-families.md §6). The wire is told by the first payload that tells.
func invokeDialects() []*Dialect {
	return []*Dialect{{
		name: "bedrock-invoke", family: FamilyInvoke,
		facts: Facts{
			Framing:   "AWS event stream, JSON in base64 within",
			Terminal:  "the model's own: message_stop, messageStop, a finish word",
			KeepAlive: "none, not even Claude's pings",
			Faults:    "the model's own",
			Note:      "Anthropic, Nova, Cohere chat, chat choices, and models that write text only",
		},
		open: reading(awsEvents{}, awsParser[invoke, *invoke]{}),
	}}
}

// invoke decodes the payloads of one stream and hands them to the parser of the
// model's wire.
type invoke struct {
	native parser // nil until a payload tells
	events bool   // there have been messages of the event stream
	plain  invokeText
}

// parse implements parser. Text in place of the event stream is read as the model's
// own wire, and text after it as an error document, unless it is of that wire.
func (p *invoke) parse(f *frame, d *reader) *endwell.Evidence {
	switch {
	case f.kind == awsFrame:
		p.events = true
	case p.events && p.tell(f.data) == nil:
		return p.plain.parse(f, d)
	default:
		return p.wire(f.data).parse(f, d)
	}
	if len(f.event) > 0 && string(f.event) != "chunk" {
		return nil
	}
	if ok, ev := p.payload(f, d); !ok || ev != nil {
		return ev
	}
	w := p.wire(f.coded)
	f.data, f.event, f.kind = f.coded, nil, frameData
	switch w.(type) {
	case *converse, *invokeText:
		f.kind = awsFrame
	}
	if ev := d.parsePayload(w, f); ev != nil {
		return ev
	}
	p.count(w, f.data, d)
	return nil
}

var invokeMetricsName = []byte(`"amazon-bedrock-invocationMetrics"`)

// count pushes the counts that Bedrock adds to the last payload, for the wires that
// know nothing of them and may have none of their own.
func (p *invoke) count(w parser, doc []byte, d *reader) {
	switch w.(type) {
	case *chat, *cohereV1:
		if d.state != endwell.Ended && bytes.Contains(doc, invokeMetricsName) {
			d.pushConverseUsage(memberOf(doc, "amazon-bedrock-invocationMetrics"))
		}
	}
}

// payload decodes the member bytes, into the frame; ok is false when there is none, or an empty
// one.
func (p *invoke) payload(f *frame, d *reader) (ok bool, ev *endwell.Evidence) {
	var coded jsonscan.Str
	var c jsonscan.Cursor
	c.Reset(f.data)
	c.Object()
	for key, more := c.Key(); more; key, more = c.Key() {
		if string(key) == "bytes" {
			coded, _ = c.Str()
		}
	}
	if err := c.End(); err != nil {
		return false, d.undecodable(f, err)
	}
	if coded.Empty() {
		return false, nil
	}
	text := coded.Raw
	if coded.Escaped { // some writers escape the slash
		text = coded.AppendTo(nil)
	}
	doc, err := base64.StdEncoding.AppendDecode(f.coded[:0], text)
	if err != nil {
		ev = d.evidence(endwell.Unparseable, f.data)
		ev.Cause = err
		return false, ev
	}
	f.coded = doc
	return true, nil
}

// wire returns the parser for a payload: the one that an earlier payload told, or
// this one tells, or else the tolerant one.
func (p *invoke) wire(doc []byte) parser {
	if p.native == nil {
		p.native = p.tell(doc)
	}
	if p.native == nil {
		return &p.plain
	}
	return p.native
}

// tell returns the parser of the wire that a payload is of; nil when it does not
// tell.
func (p *invoke) tell(doc []byte) parser {
	var c jsonscan.Cursor
	c.Reset(doc)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "messageStart", "messageStop", "contentBlockStart", "contentBlockDelta", "contentBlockStop":
			return new(converse)
		case "metadata":
			if span := objectSpan(&c); memberOf(span, "usage") != nil || memberOf(span, "metrics") != nil {
				return new(converse)
			}
		case "output":
			if memberOf(objectSpan(&c), "message") != nil {
				return new(converse)
			}
		case "choices":
			if invokeMessages(&c) {
				return &p.plain
			}
			return &chat{words: invokeWords}
		case "type":
			if s, ok := c.Str(); ok && invokeClaudeType(s) {
				return new(anthropic)
			}
		case "event_type":
			return new(cohereV1)
		case "outputText", "generation", "completion", "outputs", "generations", "results":
			return &p.plain
		}
	}
	return nil
}

// invokeMessages reports whether the choices are of the kind that Mistral has on
// Bedrock: whole messages and a stop_reason, where the chat wire has a delta and a
// finish_reason.
func invokeMessages(c *jsonscan.Cursor) bool {
	if !c.Array() || !c.Elem() {
		return false
	}
	first := objectSpan(c)
	return memberOf(first, "stop_reason") != nil && memberOf(first, "finish_reason") == nil &&
		memberOf(first, "delta") == nil
}

// invokeClaudeType reports whether a type is of Anthropic's events, or of its
// answers that are not streamed.
func invokeClaudeType(s jsonscan.Str) bool {
	switch string(s.Raw) {
	case "message", "message_start", "message_delta", "message_stop", "content_block_start",
		"content_block_delta", "content_block_stop", "ping", "error", "vertex_event":
		return true
	default:
		return false
	}
}
