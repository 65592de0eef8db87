package dialects

import (
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// push pushes what a frame says of the content, in the fixed order.
func (p *converse) push(d *reader) {
	s := &p.said
	if s.content != nil {
		p.pushContent(d, s.content)
	}
	d.pushDetail(endwell.KindReasoning, s.reasoning)
	d.pushText(s.text)
	if s.tool.begins || s.tool.continues {
		p.pushTool(d, s.index, &s.tool)
	}
	if s.output {
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
	for i := range d.queue {
		p.emitted = p.emitted || d.queue[i].Emission()
	}
	p.begun = p.begun || s.started || s.content != nil || p.emitted
	p.tools = p.tools || s.tool.begins || s.tool.continues || s.output || s.unknown
}

// pushTool pushes a piece of a tool's use: a call for the caller, or other output
// when the tool runs at the provider's. No input at all means a call without arguments
// (wire/other-families.md §6.f).
func (p *converse) pushTool(d *reader, index int, t *converseTool) {
	if t.begins {
		p.host(index, t.typ.Equal("server_tool_use"))
	}
	if slices.Contains(p.hosted, index) {
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
		return
	}
	args := function{text: t.text, value: t.value}
	d.say(args.said())
	d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
		Index: p.calls.of(index, t.id, t.name),
		ID:    t.id.String(), Name: t.name.String(), Arguments: args.args(),
	}})
}

// maxHosted bounds the blocks of hosted tools that are known; with more all are
// forgotten. A block is over before the next one begins.
const maxHosted = 1024

// host notes whether the block that begins is of a hosted tool.
func (p *converse) host(index int, hosted bool) {
	at := slices.Index(p.hosted, index)
	switch {
	case hosted && at < 0:
		if len(p.hosted) == maxHosted {
			p.hosted = p.hosted[:0]
		}
		p.hosted = append(p.hosted, index)
	case !hosted && at >= 0:
		p.hosted = slices.Delete(p.hosted, at, at+1)
	}
}

// pushContent pushes the content of an answer that is not streamed, in the fixed
// order.
func (p *converse) pushContent(d *reader, content []byte) {
	p.tools = p.tools || converseTools(content)
	for _, kind := range [...]endwell.Kind{
		endwell.KindReasoning, endwell.KindText, endwell.KindToolCall, endwell.KindOutput,
	} {
		var c jsonscan.Cursor
		c.Reset(content)
		c.Array()
		for i := 0; c.Elem(); i++ {
			p.pushBlock(d, &c, i, kind)
		}
	}
}

// converseTools reports whether the content has a block that may be a tool's use: any
// but text and reasoning.
func converseTools(content []byte) bool {
	var c jsonscan.Cursor
	c.Reset(content)
	for c.Array(); c.Elem(); {
		if !c.Object() {
			continue
		}
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			if string(key) != "text" && string(key) != "reasoningContent" {
				return true
			}
		}
	}
	return false
}

// pushBlock pushes one block of content if it is of that kind.
func (p *converse) pushBlock(d *reader, c *jsonscan.Cursor, index int, kind endwell.Kind) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch word := string(key); {
		case word == "reasoningContent" && kind == endwell.KindReasoning:
			d.pushDetail(kind, converseReasoning(objectSpan(c)))
		case word == "text" && kind == endwell.KindText:
			s, _ := c.Str()
			d.pushText(s)
		case word == "toolUse" && kind == endwell.KindToolCall:
			t := converseTool{begins: true}
			if t.read(c) {
				p.pushTool(d, index, &t)
			}
		case kind == endwell.KindOutput && (word == "toolResult" || word == "image" || word == "audio"):
			d.push(endwell.Chunk{Kind: kind})
		}
	}
}

// converseReasoning returns the text of a block of reasoning.
func converseReasoning(block []byte) jsonscan.Str {
	var c jsonscan.Cursor
	c.Reset(memberOf(memberOf(block, "reasoningText"), "text"))
	s, _ := c.Str()
	return s
}

// pushConverseUsage pushes a usage record, if there is one.
func (d *reader) pushConverseUsage(span []byte) {
	if span == nil {
		return
	}
	var u endwell.Usage
	var c jsonscan.Cursor
	c.Reset(span)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "inputTokens", "inputTokenCount":
			u.Input = readCount(&c)
		case "outputTokens", "outputTokenCount":
			u.Output = readCount(&c)
		case "totalTokens":
			u.Total = readCount(&c)
		case "cacheReadInputTokens", "cacheReadInputTokenCount":
			u.Cached = readCount(&c)
		}
	}
	d.pushCount(u)
}
