package dialects

import (
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// callIndex numbers the tool calls of one choice, since the wire does not always:
// Mistral sends no index and one whole call in each chunk (wire/openai-family.md
// §5.f), and some hosts repeat an index with a new id (§9.f).
type callIndex struct {
	calls []callKey
	next  int // the lowest number that no call has
}

// callKey is how deltas name a call.
type callKey struct {
	wire     int // the index on the wire, -1 for none
	id, name string
	index    int
}

// maxLook bounds how far back a delta's call is looked for, and maxID how long an id
// or a name may be to tell it by. What is beyond is forgotten.
const (
	maxLook = 128
	maxID   = 64 << 10
)

// of returns the number of the call that a delta begins or continues. wire is -1
// when it has no index.
func (x *callIndex) of(wire int, id, name jsonscan.Str) int {
	if k := x.find(wire, id, name); k != nil {
		k.id, k.name = orText(k.id, kept(id)), orText(k.name, kept(name))
		return k.index
	}
	index := x.next
	if wire > index {
		index = wire
	}
	x.next = index + 1
	if len(x.calls) == 2*maxLook {
		x.calls = slices.Delete(x.calls, 0, maxLook)
	}
	x.calls = append(x.calls, callKey{wire: wire, id: kept(id).String(), name: kept(name).String(), index: index})
	return index
}

// kept is what is kept of an id or a name.
func kept(s jsonscan.Str) jsonscan.Str {
	if len(s.Raw) > maxID {
		return jsonscan.Str{}
	}
	return s
}

// find returns the call that a delta continues: the one with its id, else the latest
// one that it can belong to; nil when it begins another one.
func (x *callIndex) find(wire int, id, name jsonscan.Str) *callKey {
	last := len(x.calls) - 1
	oldest := max(0, len(x.calls)-maxLook)
	for i := last; i >= oldest && !id.Empty(); i-- {
		if k := &x.calls[i]; id.Equal(k.id) && (wire < 0 || k.wire < 0 || wire == k.wire) {
			return k
		}
	}
	for i := last; i >= oldest; i-- {
		if k := &x.calls[i]; k.continuedBy(wire, id, name, i == last) {
			return k
		}
	}
	return nil
}

// continuedBy reports whether a delta belongs to the call k, which has not its id. A
// call begins with its name, so a delta without one begins none, whatever its id is:
// there are hosts that make up an id for each chunk. With a name, another id is
// another call.
func (k *callKey) continuedBy(wire int, id, name jsonscan.Str, latest bool) bool {
	switch {
	case !name.Empty() && !id.Empty() && k.id != "":
		return false
	case wire >= 0 && k.wire >= 0:
		return wire == k.wire && (name.Empty() || k.name == "" || name.Equal(k.name))
	default:
		return latest && name.Empty()
	}
}

func orText(text string, s jsonscan.Str) string {
	if text == "" {
		return s.String()
	}
	return text
}

// pushCalls pushes the deltas of an array of tool calls.
func (p *chat) pushCalls(d *reader, calls []byte, ch *choice) {
	var c jsonscan.Cursor
	d.nested(&c, calls)
	if !c.Array() {
		return
	}
	for !d.packed && c.Elem() {
		if c.Kind() == '{' {
			p.pushCall(d, &c, ch)
		}
	}
}

func (p *chat) pushCall(d *reader, c *jsonscan.Cursor, ch *choice) {
	var id jsonscan.Str
	fn := function{index: -1}
	index := -1
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "index":
			index = readIndex(c, index)
		case "id":
			id, _ = c.Str()
		case "function":
			fn.read(c)
		case "custom":
			fn.free = c.Kind() == '{'
			fn.read(c)
		case "name":
			fn.name, _ = c.Str()
		case "arguments":
			fn.readArgs(c) // Workers AI's own format has no function around them
		}
	}
	if index < 0 {
		index = fn.index
	}
	d.say(fn.said())
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: ch.calls.of(index, id, fn.name),
		ID:    id.String(), Name: fn.name.String(), Arguments: fn.args(), FreeText: fn.free,
	}})
}

// pushFunction pushes the delta of a function call in the legacy form.
func (p *chat) pushFunction(d *reader, span []byte, ch *choice) {
	var c jsonscan.Cursor
	var fn function
	c.Reset(span)
	fn.read(&c)
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: ch.calls.of(0, jsonscan.Str{}, fn.name),
		Name:  fn.name.String(), Arguments: fn.args(),
	}})
}

// function is the function part of a tool call. Arguments are text, or, from some
// hosts, the JSON value itself.
type function struct {
	name, text jsonscan.Str
	value      []byte
	index      int  // -1 for none
	free       bool // a custom tool: its input is plain text
}

func (f *function) read(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "name":
			f.name, _ = c.Str()
		case "index":
			f.index = readIndex(c, f.index)
		case "arguments", "input":
			f.readArgs(c)
		}
	}
}

func (f *function) readArgs(c *jsonscan.Cursor) {
	if s, ok := c.Str(); ok {
		f.text = s
	} else if c.Kind() == '{' || c.Kind() == '[' {
		f.value = c.Raw()
	}
}

// said is the text of the arguments, as they are written; empty when they are a value.
func (f *function) said() jsonscan.Str {
	if f.value != nil {
		return jsonscan.Str{}
	}
	return f.text
}

func (f *function) args() string {
	if f.value != nil {
		return string(f.value)
	}
	return f.text.String()
}
