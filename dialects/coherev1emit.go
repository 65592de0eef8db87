package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// emit pushes what an event says. An event without a type is one of /v1/generate,
// or an answer that is not streamed.
func (p *cohereV1) emit(f *frame, d *reader) *endwell.Evidence {
	e, first := &p.event, len(d.queue)
	switch string(e.typ.Raw) {
	case "stream-start":
		return p.start(f, d)
	case "text-generation":
		p.text(d)
	case "tool-calls-chunk":
		p.planned = p.planned || !e.text.Empty()
		d.pushDetail(endwell.KindReasoning, e.text)
		p.pushPiece(d)
	case "tool-calls-generation":
		p.pushWhole(d)
	case "stream-error":
		return d.finishReport(e.finish, f.data, nil)
	case "stream-end":
		return p.end(f, d, e.finish, e.response)
	case "":
		p.text(d)
		p.pushCalls(d, e.calls)
	}
	p.emitted = p.emitted || d.emittedSince(first)
	switch {
	case e.finished:
		return p.end(f, d, e.finish, e.response)
	case e.typ.Empty():
		return p.unary(f, d)
	}
	return nil
}

// start notes the answer's id. Another one is another answer, spliced in by a retry
// upstream; the same one again is harmless.
func (p *cohereV1) start(f *frame, d *reader) *endwell.Evidence {
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

// text pushes answer text, which /v1/generate numbers by generation.
func (p *cohereV1) text(d *reader) {
	first := len(d.queue)
	d.pushText(p.event.text)
	for i := first; i < len(d.queue); i++ {
		d.queue[i].Index = p.event.index
	}
}

// pushPiece pushes a piece of a call. Its parameters come as text.
func (p *cohereV1) pushPiece(d *reader) {
	if p.event.call == nil {
		return
	}
	p.pieces = true
	var c jsonscan.Cursor
	c.Reset(p.event.call)
	p.pushCall(d, &c, 0)
}

// pushWhole pushes the plan and the calls, unless they came in pieces before.
func (p *cohereV1) pushWhole(d *reader) {
	if !p.planned {
		d.pushDetail(endwell.KindReasoning, p.event.text)
	}
	if !p.pieces {
		p.pushCalls(d, p.event.calls)
	}
}

// pushCalls pushes whole calls. Their parameters are objects.
func (p *cohereV1) pushCalls(d *reader, calls []byte) {
	var c jsonscan.Cursor
	c.Reset(calls)
	for c.Array(); c.Elem(); p.calls++ {
		p.pushCall(d, &c, p.calls)
	}
}

// pushCall pushes a call, or a piece of one. v1 gives calls no ids.
func (p *cohereV1) pushCall(d *reader, c *jsonscan.Cursor, index int) {
	if !c.Object() {
		return
	}
	var name, text jsonscan.Str
	var value []byte
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "index":
			index = readIndex(c, index)
		case "name":
			name, _ = c.Str()
		case "parameters":
			if s, ok := c.Str(); ok {
				text = s
			} else {
				value = objectSpan(c)
			}
		}
	}
	args := function{text: text, value: value}
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: index, Name: name.String(), Arguments: args.args(),
	}})
}

// unary ends an answer that is not streamed.
func (p *cohereV1) unary(f *frame, d *reader) *endwell.Evidence {
	if !p.event.finish.Empty() {
		return p.settle(f, d, p.event.finish, p.event.meta)
	}
	if memberOf(f.data, "generations") != nil {
		return p.end(f, d, p.event.finish, f.data)
	}
	return nil
}

// end takes the last event. It repeats the whole answer, which counts only if
// nothing of it has come before (wire/other-families.md §3, v1).
func (p *cohereV1) end(f *frame, d *reader, finish jsonscan.Str, response []byte) *endwell.Evidence {
	r := readCohereResponse(response)
	if r.first != nil {
		g := readCohereResponse(r.first)
		r.text, r.finish = g.text, orStr(r.finish, g.finish)
	}
	if !p.emitted {
		first := len(d.queue)
		d.pushText(r.text)
		p.pushCalls(d, r.calls)
		p.emitted = d.emittedSince(first)
	}
	d.unlearn() // the same again would say nothing
	return p.settle(f, d, orStr(finish, r.finish), r.meta)
}

// settle pushes the finish word and the counts.
func (p *cohereV1) settle(f *frame, d *reader, finish jsonscan.Str, meta []byte) *endwell.Evidence {
	class := wordClass(cohereWords, finish)
	if cohereFault(class, finish, p.emitted) {
		return d.finishReport(finish, f.data, nil)
	}
	d.state = endwell.Settled
	if class != endwell.FinishNone {
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: finish.String()})
	}
	d.pushCount(cohereUsage(meta))
	d.seal()
	return nil
}

// cohereResponse is the whole answer, as the end repeats it.
type cohereResponse struct {
	text, finish jsonscan.Str
	calls, meta  []byte
	first        []byte // the first of the generations
}

// readCohereResponse reads a whole answer, or one of its generations.
func readCohereResponse(span []byte) (r cohereResponse) {
	var c jsonscan.Cursor
	c.Reset(span)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "text":
			r.text, _ = c.Str()
		case "finish_reason":
			r.finish, _ = c.Str()
		case "tool_calls":
			r.calls = arraySpan(&c)
		case "meta":
			r.meta = objectSpan(&c)
		case "generations":
			r.first = firstOf(c.Raw())
		}
	}
	return r
}
