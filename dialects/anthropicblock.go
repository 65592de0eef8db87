package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// anthropicBlock is a content block that is open.
type anthropicBlock struct {
	index int // on the wire, -1 for none
	kind  anthropicKind
	call  int    // the number of the tool call
	id    string // of the tool call
	input []byte // arguments that came with its start, until deltas come instead
}

// anthropicKind is what a block is for.
type anthropicKind uint8

const (
	anthropicSilent anthropicKind = iota // nothing for people: encrypted thinking, a marker
	anthropicText
	anthropicThinking
	anthropicCall   // a tool call that the caller runs
	anthropicHosted // other output: a hosted tool's call or result, a summary, anything unknown
)

func anthropicKindOf(typ jsonscan.Str) anthropicKind {
	switch string(typ.Raw) {
	case "text":
		return anthropicText
	case "thinking":
		return anthropicThinking
	case "tool_use":
		return anthropicCall
	case "redacted_thinking", "fallback", "":
		return anthropicSilent
	default:
		return anthropicHosted
	}
}

// anthropicContent is a block as content_block_start, or a whole answer, has it.
type anthropicContent struct {
	kind                     anthropicKind
	id, name, text, thinking jsonscan.Str
	input                    []byte
	inputText                jsonscan.Str
}

func (b *anthropicContent) read(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			typ, _ := c.Str()
			b.kind = anthropicKindOf(typ)
		case "id":
			b.id, _ = c.Str()
		case "name":
			b.name, _ = c.Str()
		case "text":
			b.text, _ = c.Str()
		case "thinking":
			b.thinking, _ = c.Str()
		case "input":
			if s, ok := c.Str(); ok {
				b.inputText = s
			} else if k := c.Kind(); k == '{' || k == '[' {
				b.input = c.Raw()
			}
		}
	}
}

// args are the arguments that a block has from its start: "" for an empty object,
// which stands for arguments that are yet to come.
func (b *anthropicContent) args() string {
	if b.input != nil && !emptyValue(b.input) {
		return string(b.input)
	}
	return b.inputText.String()
}

// maxAnthropicBlocks bounds the blocks that are open at once; one is the rule.
const maxAnthropicBlocks = 1024

// begin reads content_block_start.
func (p *anthropic) begin(d *reader) {
	var c jsonscan.Cursor
	var b anthropicContent
	c.Reset(p.ev.block)
	b.read(&c)
	p.tools = p.tools || b.kind == anthropicCall || b.kind == anthropicHosted
	at := p.find(p.ev.index)
	if at >= 0 && b.kind == anthropicCall && p.open[at].id != "" && b.id.Equal(p.open[at].id) {
		return // the same start again
	}
	if at >= 0 && p.ev.index >= 0 {
		p.drop(d, at) // its stop was lost
	}
	if len(p.open) == maxAnthropicBlocks {
		p.crowded = true
		return
	}
	open := anthropicBlock{index: p.ev.index, kind: b.kind}
	if b.kind == anthropicCall {
		open.call, open.id, open.input = p.calls, b.id.String(), []byte(b.args())
		d.keep(len(open.id) + len(open.input))
		p.calls++
	}
	p.open = append(p.open, open)
	d.state = p.state()
	d.pushAnthropic(&b, open.call, "")
}

// pushAnthropic pushes what a block holds from its start.
func (d *reader) pushAnthropic(b *anthropicContent, call int, args string) {
	switch b.kind {
	case anthropicText:
		d.pushText(b.text)
	case anthropicThinking:
		d.pushDetail(endwell.KindReasoning, b.thinking)
	case anthropicCall:
		d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
			Index: call, ID: b.id.String(), Name: b.name.String(), Arguments: args,
		}})
	case anthropicHosted:
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	case anthropicSilent:
	}
}

// delta reads content_block_delta. Unknown types, signatures and citations say
// nothing for people.
func (p *anthropic) delta(d *reader) {
	a := &p.ev.delta
	switch string(a.typ.Raw) {
	case "text_delta":
		d.pushText(a.text)
	case "thinking_delta":
		d.pushDetail(endwell.KindReasoning, a.thinking)
	case "input_json_delta":
		p.args(d, a.json)
	case "compaction_delta":
		if !a.content.Empty() {
			d.push(endwell.Chunk{Kind: endwell.KindOutput})
		}
	case "":
		d.pushDetail(endwell.KindReasoning, a.thinking)
		d.pushText(a.text)
		p.args(d, a.json)
	}
}

// args pushes a piece of the arguments of the block it is for: of the caller's call,
// or of a hosted tool's.
func (p *anthropic) args(d *reader, piece jsonscan.Str) {
	if piece.Empty() {
		return
	}
	at := p.find(p.ev.index)
	switch {
	case at < 0:
		// The start of the block was lost, and so was the call's name.
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
		p.tools = true
	case p.open[at].kind == anthropicCall:
		p.open[at].input = nil
		d.say(piece)
		d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
			Index: p.open[at].call, Arguments: piece.String(),
		}})
	default:
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
}

// close reads content_block_stop. One without its start is harmless (clove#36).
func (p *anthropic) close(d *reader) {
	if at := p.find(p.ev.index); at >= 0 {
		p.drop(d, at)
	}
	if p.finished {
		d.state = p.state()
		d.push(endwell.Chunk{Kind: endwell.KindMeta})
	}
}

// drop closes an open block. Arguments that came whole with its start count unless
// deltas came instead of them.
func (p *anthropic) drop(d *reader, at int) {
	b := &p.open[at]
	if len(b.input) > 0 {
		d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
			Index: b.call, Arguments: string(b.input),
		}})
	}
	p.open = append(p.open[:at], p.open[at+1:]...)
}

// flush closes every block, at the end of the message.
func (p *anthropic) flush(d *reader) {
	for len(p.open) > 0 {
		p.drop(d, 0)
	}
}

// find returns where the open block of that index is: the latest of that index,
// the latest of all for an index of -1, or -1.
func (p *anthropic) find(index int) int {
	for i := len(p.open) - 1; i >= 0; i-- {
		if index < 0 || p.open[i].index == index {
			return i
		}
	}
	return -1
}

// blocks pushes whole blocks, in the fixed order of kinds.
func (p *anthropic) blocks(d *reader, content []byte) {
	if content == nil {
		return
	}
	for _, kind := range [...]anthropicKind{anthropicThinking, anthropicText, anthropicCall, anthropicHosted} {
		var c jsonscan.Cursor
		c.Reset(content)
		c.Array()
		for c.Elem() {
			var b anthropicContent
			if b.read(&c); b.kind != kind {
				continue
			}
			p.tools = p.tools || kind == anthropicCall || kind == anthropicHosted
			d.pushAnthropic(&b, p.calls, b.args())
			if kind == anthropicCall {
				p.calls++
			}
		}
	}
}
