package dialects

import "github.com/endwell-go/endwell"

// interactionsCall is a call of a function: a step. Its arguments follow as text, in
// deltas, or stand whole in its beginning. A beginning whose text is to follow has
// an empty object there, so what stands there is kept until the step ends.
type interactionsCall struct {
	step int
	kept string // arguments that are not yet pushed
}

// maxInteractionsCalls bounds the calls of one answer.
const maxInteractionsCalls = 1024

// pushCall pushes the beginning of a call, or, in the first version of the API, the
// whole of it.
func (p *interactions) pushCall(d *reader, t *interactionsPart, index int) {
	call := p.call(index)
	if call == nil {
		call = p.beginCall(d, index)
	}
	if t.argsObject != nil {
		d.keep(len(t.argsObject))
		call.kept = string(t.argsObject)
	}
	p.pushDelta(d, t, index, t.args.String())
}

// pushArgs pushes a piece of the arguments.
func (p *interactions) pushArgs(d *reader, t *interactionsPart, index int) {
	if call := p.call(index); call != nil {
		call.kept = ""
	} else {
		p.beginCall(d, index)
	}
	p.pushDelta(d, t, index, t.args.String()+string(t.argsObject))
}

// beginCall notes a call. Of more than an answer can have, the frame is too large.
func (p *interactions) beginCall(d *reader, index int) *interactionsCall {
	if len(p.calls) == maxInteractionsCalls {
		d.packed = true
		return &p.calls[maxInteractionsCalls-1]
	}
	p.calls = append(p.calls, interactionsCall{step: index})
	return &p.calls[len(p.calls)-1]
}

// endCall pushes the arguments that were kept, when the step ends.
func (p *interactions) endCall(d *reader, index int) {
	if call := p.call(index); call != nil && call.kept != "" {
		p.pushDelta(d, new(interactionsPart), index, call.kept)
		call.kept = ""
	}
}

// endCalls is endCall for every call.
func (p *interactions) endCalls(d *reader) {
	for i := range p.calls {
		p.endCall(d, p.calls[i].step)
	}
}

// call finds the call of a step: the last ones are the likely ones.
func (p *interactions) call(step int) *interactionsCall {
	for i := len(p.calls) - 1; i >= 0 && i >= len(p.calls)-maxLook; i-- {
		if p.calls[i].step == step {
			return &p.calls[i]
		}
	}
	return nil
}

func (p *interactions) pushDelta(d *reader, t *interactionsPart, index int, args string) {
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: index, ID: t.id.String(), Name: t.name.String(), Arguments: args,
	}})
}
