package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// output reads an event that brings output: a delta, or its repetition when a part
// or an item is done, which counts where no delta came.
func (p *responses) output(name []byte, d *reader) {
	e := &p.ev
	switch string(name) {
	case "response.output_text.delta":
		p.delta(d, responsesText)
	case "response.function_call_arguments.delta":
		p.callDelta(d, e.delta, false)
	case "response.custom_tool_call_input.delta":
		p.callDelta(d, e.delta, true)
	case "response.reasoning_summary_text.delta", "response.reasoning_summary.delta":
		p.delta(d, responsesSummary)
	case "response.reasoning_text.delta", "response.reasoning.delta":
		p.delta(d, responsesReasoning)
	case "response.refusal.delta":
		p.delta(d, responsesRefusal)

	case "response.output_text.done":
		p.whole(d, responsesText, e.text)
	case "response.reasoning_summary_text.done", "response.reasoning_summary.done":
		p.whole(d, responsesSummary, e.text)
	case "response.reasoning_text.done", "response.reasoning.done":
		p.whole(d, responsesReasoning, e.text)
	case "response.refusal.done":
		p.whole(d, responsesRefusal, e.refusal)
	case "response.content_part.done", "response.reasoning_summary_part.done":
		var part responsesPart
		var c jsonscan.Cursor
		c.Reset(e.part)
		part.read(&c)
		p.whole(d, part.kind, part.text)
	case "response.function_call_arguments.done":
		p.callDone(d, e.args, false)
	case "response.custom_tool_call_input.done":
		p.callDone(d, e.input, true)

	case "response.output_item.added":
		p.added(d)
	case "response.output_item.done":
		p.done(d)
	case "response.image_generation_call.partial_image":
		p.push(d, responsesOutput, jsonscan.Str{})
	default:
		// Deltas of anything else are output that people do not read here: a hosted
		// tool's code or arguments, audio.
		if bytes.HasSuffix(name, []byte(".delta")) && !e.delta.Empty() {
			p.push(d, responsesOutput, jsonscan.Str{})
		}
	}
}

// push pushes output of a kind, unless it is text and empty.
func (p *responses) push(d *reader, kind responsesKind, s jsonscan.Str) {
	before := len(d.queue)
	switch kind {
	case responsesText:
		d.pushText(s)
	case responsesReasoning, responsesSummary:
		d.pushDetail(endwell.KindReasoning, s)
	case responsesRefusal:
		d.pushDetail(endwell.KindRefusal, s)
	case responsesOutput:
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
	p.emitted[kind] = p.emitted[kind] || len(d.queue) > before
}

// delta pushes the delta of a part.
func (p *responses) delta(d *reader, kind responsesKind) {
	if !p.ev.delta.Empty() {
		p.seen.add(kind, p.ev.at, p.ev.itemID)
		p.push(d, kind, p.ev.delta)
	}
}

// whole pushes the text of a part that is done, unless it has been pushed already.
func (p *responses) whole(d *reader, kind responsesKind, s jsonscan.Str) {
	if kind >= responsesTool || s.Empty() || p.seen.has(kind, p.ev.at, p.ev.itemID) {
		return
	}
	p.seen.add(kind, p.ev.at, p.ev.itemID)
	p.push(d, kind, s)
	d.unlearn() // the same again would say nothing
}

// added reads output_item.added.
func (p *responses) added(d *reader) {
	it := p.readItem()
	switch it.kind {
	case responsesTool:
		if p.callOf(&it, p.ev.at.output) == nil {
			p.beginCall(d, &it, "")
		}
	case responsesOutput:
		p.hosted(d, &it)
	}
}

// done reads output_item.done.
func (p *responses) done(d *reader) {
	it := p.readItem()
	place := responsesPlace{p.ev.at.output, -1}
	has := func(kind responsesKind) bool { return p.seen.has(kind, place, it.id) }
	switch it.kind {
	case responsesReasoning:
		if !has(responsesReasoning) && !has(responsesSummary) {
			p.item(d, &it, responsesReasoning)
			p.seen.add(responsesReasoning, place, it.id)
		}
	case responsesText:
		for _, kind := range [...]responsesKind{responsesText, responsesRefusal} {
			if !has(kind) {
				p.item(d, &it, kind)
				p.seen.add(kind, place, it.id)
			}
		}
	case responsesTool:
		p.finishCall(d, &it, p.ev.at.output)
	case responsesOutput:
		p.hosted(d, &it)
	}
}

// hosted pushes an item that people do not read here, once.
func (p *responses) hosted(d *reader, it *responsesItem) {
	place := responsesPlace{p.ev.at.output, -1}
	if !p.seen.has(responsesOutput, place, it.id) {
		p.seen.add(responsesOutput, place, it.id)
		p.push(d, responsesOutput, jsonscan.Str{})
	}
}

// item pushes what an item holds of one kind. Both kinds of reasoning are one here.
func (p *responses) item(d *reader, it *responsesItem, kind responsesKind) {
	switch {
	case it.kind == responsesOutput && kind == responsesOutput:
		p.push(d, kind, jsonscan.Str{})
	case it.kind == responsesReasoning && kind == responsesReasoning:
		p.parts(d, it.summary, kind, responsesSummary)
		p.parts(d, it.content, kind, responsesSummary)
	case it.kind == responsesText && kind < responsesTool:
		p.parts(d, it.content, kind, kind)
		if kind == responsesText {
			p.push(d, kind, it.text)
		}
	}
}

// parts pushes the texts of the parts that are of one of two kinds.
func (p *responses) parts(d *reader, list []byte, kind, or responsesKind) {
	var c jsonscan.Cursor
	c.Reset(list)
	c.Array()
	for c.Elem() {
		var part responsesPart
		part.read(&c)
		if part.kind == kind || part.kind == or {
			p.push(d, part.kind, part.text)
		}
	}
}
