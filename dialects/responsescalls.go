package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// responsesCall is a tool call that has begun.
type responsesCall struct {
	output     int // the item's index, -1 for none
	id, callID string
	index      int
	named      bool
	free       bool   // its arguments are plain text
	begun      bool   // some of its arguments have been pushed
	held       string // arguments that came with its beginning, until others come
}

// maxResponsesCalls bounds the calls of one answer.
const maxResponsesCalls = 1024

// callOf finds the call of an item; nil when it has not begun. Hosts reuse indices,
// and ids: two of the three names must not disagree.
func (p *responses) callOf(it *responsesItem, output int) *responsesCall {
	for i := len(p.calls) - 1; i >= 0; i-- {
		k := &p.calls[i]
		sameID := !it.id.Empty() && it.id.Equal(k.id)
		sameCall := !it.callID.Empty() && it.callID.Equal(k.callID)
		unsaid := it.callID.Empty() || k.callID == ""
		switch {
		case output >= 0 && k.output >= 0:
			if output == k.output && (sameID || sameCall || unsaid) {
				return k
			}
		case sameID || sameCall:
			return k
		}
	}
	return nil
}

// callFor finds the call that an event without an item is for: by the item's id,
// else by its index, else the latest. It is begun when there is none.
func (p *responses) callFor(d *reader) *responsesCall {
	e := &p.ev
	for i := len(p.calls) - 1; i >= 0; i-- {
		if !e.itemID.Empty() && e.itemID.Equal(p.calls[i].id) {
			return &p.calls[i]
		}
	}
	for i := len(p.calls) - 1; i >= 0; i-- {
		if e.at.output < 0 || e.at.output == p.calls[i].output {
			return &p.calls[i]
		}
	}
	return p.beginCall(d, &responsesItem{id: e.itemID, name: e.name}, "")
}

// beginCall notes and pushes the beginning of a call. Arguments that come with it
// are held back: deltas, which most servers send, would repeat them.
func (p *responses) beginCall(d *reader, it *responsesItem, args string) *responsesCall {
	if len(p.calls) == maxResponsesCalls {
		p.crowded = true
		return &p.calls[maxResponsesCalls-1]
	}
	k := responsesCall{
		output: p.ev.at.output, id: it.id.String(), callID: it.callID.String(),
		index: len(p.calls), named: !it.name.Empty(), free: it.free, begun: args != "",
	}
	if args == "" {
		k.held = it.arguments()
		if it.value != nil && emptyValue(it.value) {
			k.held = ""
		}
	}
	d.keep(len(k.id) + len(k.callID) + len(k.held))
	p.calls = append(p.calls, k)
	p.emitted[responsesTool] = true
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: k.index, ID: responsesCallID(it), Name: it.name.String(), Arguments: args, FreeText: k.free,
	}})
	return &p.calls[k.index]
}

// responsesCallID is the id by which the caller answers a call. It is not known of
// a call whose beginning was lost, until its item is done.
func responsesCallID(it *responsesItem) string {
	if it.callID.Empty() && !it.name.Empty() {
		return it.id.String()
	}
	return it.callID.String()
}

// callDelta pushes a piece of a call's arguments.
func (p *responses) callDelta(d *reader, piece jsonscan.Str, free bool) {
	k := p.callFor(d)
	k.free = k.free || free
	if piece.Empty() {
		return
	}
	k.begun, k.held = true, ""
	d.say(piece)
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: k.index, Arguments: piece.String(), FreeText: k.free,
	}})
}

// callDone pushes the whole arguments of a call, unless deltas have.
func (p *responses) callDone(d *reader, args jsonscan.Str, free bool) {
	if k := p.callFor(d); !k.begun {
		p.callDelta(d, args, free)
		d.unlearn() // the same again would say nothing
	}
}

// finishCall completes a call with what its item says and no event has said.
func (p *responses) finishCall(d *reader, it *responsesItem, output int) {
	k := p.callOf(it, output)
	if k == nil {
		p.beginCall(d, it, it.arguments())
		return
	}
	k.free = k.free || it.free
	t := endwell.ToolCallDelta{Index: k.index, FreeText: k.free}
	if !k.named && !it.name.Empty() {
		t.ID, t.Name, k.named = responsesCallID(it), it.name.String(), true
	}
	if !k.begun {
		t.Arguments = it.arguments()
	}
	if t.Name == "" && t.Arguments == "" {
		return
	}
	k.begun, k.held = k.begun || t.Arguments != "", ""
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &t})
}

// flush pushes the arguments that came with the beginning of a call, when nothing
// came later.
func (k *responsesCall) flush(d *reader) {
	if k.begun || k.held == "" {
		return
	}
	k.begun = true
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: k.index, Arguments: k.held, FreeText: k.free,
	}})
}
