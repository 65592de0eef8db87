package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// interactionsPart is a step, a block of content, or a delta of one.
type interactionsPart struct {
	typ, text  jsonscan.Str
	id, name   jsonscan.Str
	args       jsonscan.Str // arguments as text
	argsObject []byte       // arguments as they are
	content    []byte       // a block, or a list of them
	summary    []byte       // of a thought: a list of blocks
	data       bool         // it has data or a place where they are
}

// read reads the object that is due.
func (t *interactionsPart) read(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			t.typ, _ = c.Str()
		case "text", "thought":
			if s, ok := c.Str(); ok {
				t.text = s
			}
		case "id":
			t.id, _ = c.Str()
		case "name":
			t.name, _ = c.Str()
		case "arguments", "partial_arguments":
			if s, ok := c.Str(); ok {
				t.args = s
			} else {
				t.argsObject = orSpan(t.argsObject, objectSpan(c))
			}
		case "content":
			if k := c.Kind(); k == '{' || k == '[' {
				t.content = c.Raw()
			}
		case "summary":
			t.summary = arraySpan(c)
		case "data", "uri":
			s, _ := c.Str()
			t.data = t.data || !s.Empty()
		}
	}
}

// start begins a step, with what it holds already. An answer that seemed to be
// complete goes on.
func (p *interactions) start(d *reader) {
	if d.state == endwell.MayEnd {
		d.state = endwell.Open
	}
	p.push(d, &p.event.part, p.event.index)
}

// push pushes what a part of the step with that index says. Types that are not
// known, and signatures, annotations and what the user said, say nothing here.
func (p *interactions) push(d *reader, t *interactionsPart, index int) {
	first := len(d.queue)
	switch typ := t.typ.Raw; string(typ) {
	case "text":
		d.pushText(t.text)
	case "thought", "thought_summary":
		d.pushDetail(endwell.KindReasoning, t.text)
		pushInteractionsThoughts(d, t.summary)
		pushInteractionsThoughts(d, t.content)
	case "model_output":
		p.pushBlocks(d, t.content, index)
	case "function_call":
		p.pushCall(d, t, index)
	case "arguments_delta":
		p.pushArgs(d, t, index)
	case "image", "audio", "video", "document":
		if t.data {
			d.push(endwell.Chunk{Kind: endwell.KindOutput})
		}
	default:
		if bytes.HasSuffix(typ, []byte("_call")) || bytes.HasSuffix(typ, []byte("_result")) {
			d.push(endwell.Chunk{Kind: endwell.KindOutput})
		}
	}
	p.emitted = p.emitted || len(d.queue) > first
}

// pushBlocks pushes the blocks of a step: a list, or a single one.
func (p *interactions) pushBlocks(d *reader, blocks []byte, index int) {
	eachInteractionsBlock(blocks, func(t *interactionsPart) {
		if !t.typ.Equal("model_output") {
			p.push(d, t, index)
		}
	})
}

// pushInteractionsThoughts pushes the texts of a thought: a list of blocks, or a single one.
func pushInteractionsThoughts(d *reader, blocks []byte) {
	var c jsonscan.Cursor
	c.Reset(blocks)
	if !c.Array() {
		pushInteractionsThought(d, &c)
	}
	for c.Elem() {
		pushInteractionsThought(d, &c)
	}
}

func pushInteractionsThought(d *reader, c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "text" {
			s, _ := c.Str()
			d.pushDetail(endwell.KindReasoning, s)
		}
	}
}

// pushSteps pushes the steps of an answer that came whole.
func (p *interactions) pushSteps(d *reader) {
	index := 0
	eachInteractionsBlock(p.event.whole.steps, func(t *interactionsPart) {
		p.push(d, t, index)
		index++
	})
}

// eachInteractionsBlock reads the objects of a list, or a single one.
func eachInteractionsBlock(blocks []byte, yield func(*interactionsPart)) {
	var c jsonscan.Cursor
	c.Reset(blocks)
	if c.Kind() == '{' {
		var t interactionsPart
		t.read(&c)
		yield(&t)
		return
	}
	c.Array()
	for c.Elem() {
		var t interactionsPart
		t.read(&c)
		yield(&t)
	}
}
