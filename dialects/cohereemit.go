package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// emit pushes what an event says. Events that say nothing for people (citations,
// ends of blocks, debug, unknown ones) pass.
func (p *cohere) emit(f *frame, d *reader) *endwell.Evidence {
	e := &p.event
	p.tools = p.tools || e.call != nil || e.calls != nil || !e.typ.Empty() && !cohereToolless(e.typ.Raw)
	switch string(e.typ.Raw) {
	case "message-start":
		return p.start(f, d)
	case "content-start", "content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta":
		p.push(d)
	case "message-end":
		return p.end(f, d)
	case "":
		if p.found.known {
			p.push(d)
			return p.end(f, d)
		}
	}
	return nil
}

// start notes the message's id. Another one is another answer, spliced in by a
// retry upstream; the same one again is harmless.
func (p *cohere) start(f *frame, d *reader) *endwell.Evidence {
	id := p.event.id
	switch {
	case id.Empty():
	case p.id == "":
		p.id = id.String()
	case !id.Equal(p.id):
		return d.evidence(endwell.Spliced, f.data)
	}
	return nil
}

// push pushes the pieces of a message, in the fixed order. The plan to use a tool is
// what the model says to itself.
func (p *cohere) push(d *reader) {
	e, first := &p.event, len(d.queue)
	d.pushDetail(endwell.KindReasoning, e.plan)
	d.pushDetail(endwell.KindReasoning, e.thinking)
	p.pushParts(d, "thinking", e.parts)
	d.pushText(e.text)
	p.pushParts(d, "text", e.parts)
	if e.call != nil {
		var c jsonscan.Cursor
		d.nested(&c, e.call)
		d.say(p.pushCall(d, &c, e.index))
	}
	p.pushCalls(d, e.calls)
	p.emitted = p.emitted || d.emittedSince(first)
}

// pushParts pushes the blocks of that type.
func (p *cohere) pushParts(d *reader, want string, parts []byte) {
	var c jsonscan.Cursor
	c.Reset(parts)
	for c.Array(); c.Elem(); {
		if !c.Object() {
			continue
		}
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			if string(key) != want {
				continue
			}
			s, _ := c.Str()
			if want == "text" {
				d.pushText(s)
			} else {
				d.pushDetail(endwell.KindReasoning, s)
			}
		}
	}
}

// pushCalls pushes whole calls.
func (p *cohere) pushCalls(d *reader, calls []byte) {
	var c jsonscan.Cursor
	c.Reset(calls)
	for c.Array(); c.Elem(); p.calls++ {
		p.pushCall(d, &c, p.calls)
	}
}

// pushCall pushes a call, or a piece of one, and returns the text of its arguments. The
// event has its number.
func (p *cohere) pushCall(d *reader, c *jsonscan.Cursor, index int) jsonscan.Str {
	if !c.Object() {
		return jsonscan.Str{}
	}
	var id jsonscan.Str
	var fn function
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "id":
			id, _ = c.Str()
		case "function":
			fn.read(c)
		}
	}
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: index, ID: id.String(), Name: fn.name.String(), Arguments: fn.args(),
	}})
	return fn.said()
}

// end takes message-end, which settles the answer whatever its finish word is, or
// reports why there is none (wire/other-families.md §3.c).
func (p *cohere) end(f *frame, d *reader) *endwell.Evidence {
	e := &p.event
	class := wordClass(cohereWords, e.finish)
	if cohereFault(class, e.finish, p.emitted) || e.reported != nil && !emptyReport(e.reported) {
		return d.finishReport(e.finish, f.data, e.reported)
	}
	if class == endwell.FinishNone && e.typ.Empty() {
		return nil
	}
	if e.finish.Equal("TOOL_CALL") && !p.tools && d.state == endwell.Open {
		// The caller would wait for the result of a call that it never got. Any event
		// that may be of a call counts as one.
		return d.finishFault(endwell.BadOutput, e.finish, f.data)
	}
	d.state = endwell.Settled
	if class != endwell.FinishNone {
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: e.finish.String()})
	}
	d.pushCount(cohereUsage(e.usage))
	return nil
}

// cohereToolless reports whether an event is of no call, as any other may be.
func cohereToolless(event []byte) bool {
	switch string(event) {
	case "content-delta", "message-start", "content-start", "content-end", "tool-plan-delta",
		"citation-start", "citation-end", "message-end", "debug":
		return true
	}
	return false
}

// cohereFault reports whether a finish word reports a fault.
func cohereFault(class endwell.Finish, word jsonscan.Str, emitted bool) bool {
	return class == endwell.FinishFault || !emitted && word.Equal(cohereLimit)
}

// cohereUsage reads the counts of tokens, which differ from those that are billed.
func cohereUsage(span []byte) endwell.Usage {
	var u endwell.Usage
	counts := memberOf(span, "tokens")
	if !readCohereCounts(counts, &u) {
		readCohereCounts(memberOf(span, "billed_units"), &u)
	}
	if n, ok := jsonscan.Int(memberOf(span, "cached_tokens")); ok {
		u.Cached = max(n, 0)
	}
	return u
}

// readCohereCounts reports whether the object counts anything.
func readCohereCounts(object []byte, u *endwell.Usage) bool {
	var c jsonscan.Cursor
	c.Reset(object)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "input_tokens":
			u.Input = readCount(&c)
		case "output_tokens":
			u.Output = readCount(&c)
		case "reasoning_tokens":
			u.Reasoning = readCount(&c)
		}
	}
	return u.Input != 0 || u.Output != 0
}
