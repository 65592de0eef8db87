package dialects

import (
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// interaction is what is said of the whole of one: in an event, or as the document
// that answers a call which is not streamed.
type interaction struct {
	id, status jsonscan.Str
	usage      []byte
	reported   []byte // a non-null error
	steps      []byte // or outputs, in the first version
	object     bool   // it says itself what it is
}

// read reads the object that is due.
func (i *interaction) read(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "error" {
			i.reported = orReport(i.reported, reportSpan(c))
			continue
		}
		i.member(key, c)
	}
}

// member reads one member and reports whether it is one of an interaction's.
func (i *interaction) member(key []byte, c *jsonscan.Cursor) bool {
	switch string(key) {
	case "id":
		i.id, _ = c.Str()
	case "status":
		s, ok := c.Str()
		if !ok {
			return false
		}
		i.status = s
	case "usage":
		i.usage = orSpan(i.usage, objectSpan(c))
	case "steps", "outputs":
		i.steps = orSpan(i.steps, arraySpan(c))
	case "object":
		s, _ := c.Str()
		i.object = s.Equal("interaction")
	default:
		return false
	}
	return true
}

// interactionsWords are the values of status (the reference of InteractionStatus).
// An agent's budget is a limit as that of tokens is. A cancelled interaction was
// cut off, though not by this caller.
var interactionsWords = map[string]endwell.Finish{
	"in_progress":     endwell.FinishNone,
	"completed":       endwell.FinishStop,
	"requires_action": endwell.FinishToolCalls,
	"incomplete":      endwell.FinishLength,
	"budget_exceeded": endwell.FinishLength,
	"failed":          endwell.FinishFault,
	"cancelled":       endwell.FinishFault,
}

// class gives the class of a status. One that completed with calls of functions
// waits for their results, whatever it says.
func (p *interactions) class(status string) endwell.Finish {
	class, ok := interactionsWords[status]
	switch {
	case !ok:
		return endwell.FinishUnknown
	case class == endwell.FinishStop && len(p.calls) > 0:
		return endwell.FinishToolCalls
	default:
		return class
	}
}

// completed ends the answer. Steps that were streamed are not read again.
func (p *interactions) completed(f *frame, d *reader) *endwell.Evidence {
	status := p.event.whole.status.String()
	if status == "" {
		status = "completed"
	}
	class := p.class(status)
	if class == endwell.FinishFault {
		return p.failed(f, d, status)
	}
	if !p.emitted {
		p.pushSteps(d)
	}
	p.endCalls(d)
	slices.SortStableFunc(d.queue, byFrameRank)
	// The state comes with the last chunk, as nothing is read after it.
	d.state = endwell.Settled
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: p.class(status), Detail: status})
	d.pushCount(readInteractionsUsage(p.event.whole.usage))
	d.state = endwell.Ended
	d.queue[len(d.queue)-1].End = d.state
	return nil
}

// unary reads an answer that is not streamed. One that still goes on, in the
// background, is not complete.
func (p *interactions) unary(f *frame, d *reader) *endwell.Evidence {
	if status := p.event.whole.status; status.Empty() || status.Equal("in_progress") {
		return nil
	}
	return p.completed(f, d)
}

// status takes a change of status: interaction.status_update, or an event that is
// named after the status.
func (p *interactions) status(f *frame, d *reader, name string) *endwell.Evidence {
	status := p.event.whole.status.String()
	if status == "" {
		status = name
	}
	switch class := p.class(status); class {
	case endwell.FinishFault:
		return p.failed(f, d, status)
	case endwell.FinishStop, endwell.FinishToolCalls, endwell.FinishLength:
		p.endCalls(d)
		d.state = endwell.MayEnd
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: status})
	default:
	}
	return nil
}

// failed makes evidence of a status that is a fault.
func (p *interactions) failed(f *frame, d *reader, status string) *endwell.Evidence {
	ev := d.report(f.data, p.event.whole.reported)
	if ev.Code == "" {
		ev.Code = status
	}
	ev.Finish = status
	return ev
}

// readInteractionsUsage reads a usage record. Thoughts are not part of the output,
// and part of the total.
func readInteractionsUsage(span []byte) (u endwell.Usage) {
	var c jsonscan.Cursor
	c.Reset(span)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "total_input_tokens":
			u.Input = readCount(&c)
		case "total_output_tokens":
			u.Output = readCount(&c)
		case "total_tokens":
			u.Total = readCount(&c)
		case "total_thought_tokens":
			u.Reasoning = readCount(&c)
		case "total_cached_tokens":
			u.Cached = readCount(&c)
		}
	}
	return u
}
