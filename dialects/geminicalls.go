package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// geminiCall is a tool call whose arguments are streamed: functionCall with
// willContinue begins it, partialArgs go on, and one without willContinue ends it,
// as {} or together with the last arguments (wire/other-families.md §2.g).
type geminiCall struct {
	index    int
	id, name string
	args     geminiArgs
}

// geminiFunction is a functionCall of the wire.
type geminiFunction struct {
	id, name      jsonscan.Str
	args, partial []byte
	more          bool // willContinue
}

func (fn *geminiFunction) read(c *jsonscan.Cursor) {
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "id":
			fn.id, _ = c.Str()
		case "name":
			fn.name, _ = c.Str()
		case "args":
			fn.args = orSpan(fn.args, objectSpan(c))
		case "partialArgs":
			fn.partial = orSpan(fn.partial, arraySpan(c))
		case "willContinue":
			fn.more, _ = c.Bool()
		}
	}
	if fn.more && fn.args != nil && emptyValue(fn.args) {
		fn.args = nil // they are to come
	}
}

// streamed reports whether more of the call is to come, or came in pieces.
func (fn *geminiFunction) streamed() bool {
	return fn.args == nil && (fn.more || fn.partial != nil)
}

// pushCall pushes what a functionCall says: a whole call, or a piece of one. A call
// without arguments has "".
func (k *geminiCandidate) pushCall(d *reader, span []byte) {
	var c jsonscan.Cursor
	var fn geminiFunction
	c.Reset(span)
	fn.read(&c)
	switch {
	case k.call != nil && k.call.goesOn(&fn):
		k.pushPiece(d, &fn)
	case fn.streamed():
		k.endCall(d)
		k.call = &geminiCall{index: k.calls, id: fn.id.String(), name: fn.name.String()}
		d.keep(len(k.call.id) + len(k.call.name))
		k.calls++
		k.pushPiece(d, &fn)
	case fn.args != nil, !fn.name.Empty():
		k.endCall(d)
		k.pushDelta(d, &fn, k.calls, string(fn.args))
		k.calls++
	}
}

// goesOn reports whether fn is a piece of the call that is open: it has no
// arguments of its own, and names no other call.
func (call *geminiCall) goesOn(fn *geminiFunction) bool {
	if fn.args != nil {
		return false
	}
	if !fn.id.Empty() && call.id != "" {
		return fn.id.Equal(call.id)
	}
	return fn.name.Empty() || fn.partial != nil && fn.name.Equal(call.name)
}

// pushPiece pushes the next piece of the open call, and ends it with the last one.
// The text of the pieces, put together, is the arguments' JSON.
func (k *geminiCandidate) pushPiece(d *reader, fn *geminiFunction) {
	call := k.call
	text := call.args.append(nil, fn.partial)
	if !fn.more {
		text = call.args.appendEnd(text)
		k.call = nil
	}
	if len(text) > 0 {
		k.pushDelta(d, fn, call.index, string(text))
	}
}

// endCall ends the open call, if there is one, when another begins: a model writes
// one call after the other.
func (k *geminiCandidate) endCall(d *reader) {
	if k.call != nil {
		k.pushPiece(d, new(geminiFunction))
	}
}

func (k *geminiCandidate) pushDelta(d *reader, fn *geminiFunction, index int, args string) {
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: index, ID: fn.id.String(), Name: fn.name.String(), Arguments: args,
	}})
}
