package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// message is what a delta, or a whole message, says. Values that need a second
// look are kept as spans.
type message struct {
	content   jsonscan.Str
	parts     []byte // content as an array (wire/openai-family.md §5.f)
	reasoning jsonscan.Str
	details   []byte // reasoning_details (wire/openai-family.md §7.f)
	refusal   jsonscan.Str
	calls     []byte       // tool_calls
	function  []byte       // function_call, the legacy form
	outputs   bool         // images or audio
	native    jsonscan.Str // the finish word of the system behind a gateway
}

// readMessage reads the object that is due.
func (p *chat) readMessage(c *jsonscan.Cursor, m *message) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "content":
			if s, ok := c.Str(); ok {
				m.content = s
			} else if c.Kind() == '[' {
				m.parts = c.Raw()
			}
		case "reasoning_content", "reasoning", "reasoning_text", "thinking":
			// Hosts that send two of these names send the same text in both.
			if m.reasoning.Empty() {
				m.reasoning, _ = c.Str()
			}
		case "reasoning_details":
			m.details = arraySpan(c)
		case "refusal":
			m.refusal, _ = c.Str()
		case "tool_calls":
			m.calls = arraySpan(c)
		case "function_call":
			m.function = objectSpan(c)
		case "provider_specific_fields":
			m.native = readSpecific(c, m.native)
		case "images":
			m.outputs = m.outputs || arraySpan(c) != nil
		case "audio":
			m.outputs = m.outputs || objectSpan(c) != nil
		}
	}
}

// push pushes the chunks of a message, in the fixed order.
func (p *chat) push(d *reader, m *message, ch *choice) {
	switch {
	case m.details == nil:
	case m.reasoning.Empty():
		p.pushParts(d, m.details)
	default:
		d.passed(m.details)
	}
	d.pushDetail(endwell.KindReasoning, m.reasoning)
	if m.parts != nil {
		p.pushParts(d, m.parts)
	}
	d.pushText(m.content)
	d.pushDetail(endwell.KindRefusal, m.refusal)
	if m.calls != nil {
		p.pushCalls(d, m.calls, ch)
	}
	if m.function != nil {
		p.pushFunction(d, m.function, ch)
	}
	if m.outputs {
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
}

// say notes what a chunk of text says, for a template.
func (d *reader) say(s jsonscan.Str) {
	if d.lesson != nil {
		d.lesson.said = s.Raw
	}
}

// pushText pushes answer text, unless it is empty.
func (d *reader) pushText(s jsonscan.Str) {
	if s.Empty() {
		return
	}
	d.say(s)
	c := endwell.Chunk{Kind: endwell.KindText, Elided: d.opt.NoText}
	if !d.opt.NoText {
		c.Text = s.String()
	}
	d.push(c)
}

// pushDetail pushes reasoning or refusal text, unless it is empty.
func (d *reader) pushDetail(kind endwell.Kind, s jsonscan.Str) {
	if s.Empty() {
		return
	}
	d.say(s)
	c := endwell.Chunk{Kind: kind, Elided: d.opt.NoText}
	if !d.opt.NoText {
		c.Detail = s.String()
	}
	d.push(c)
}

// pushParts pushes an array of typed parts: text, thinking with parts of its own,
// reasoning details, images. Parts of other types say nothing for people.
func (p *chat) pushParts(d *reader, parts []byte) {
	var c jsonscan.Cursor
	d.nested(&c, parts)
	if !c.Array() {
		return
	}
	for c.Elem() {
		p.pushPart(d, &c)
	}
}

func (p *chat) pushPart(d *reader, c *jsonscan.Cursor) {
	if s, ok := c.Str(); ok {
		d.pushText(s)
		return
	}
	if !c.Object() {
		return
	}
	var typ, text, thinking jsonscan.Str
	var nested []byte
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			typ, _ = c.Str()
		case "text", "summary":
			if s, ok := c.Str(); ok {
				text = s
			}
		case "thinking":
			if s, ok := c.Str(); ok {
				thinking = s
			} else {
				nested = arraySpan(c)
			}
		}
	}
	switch string(typ.Raw) {
	case "text", "output_text":
		d.pushText(text)
	case "thinking":
		d.pushDetail(endwell.KindReasoning, thinking)
		d.pushThinking(nested)
	case "reasoning.text", "reasoning.summary", "reasoning":
		d.pushDetail(endwell.KindReasoning, text)
	case "refusal":
		d.pushDetail(endwell.KindRefusal, text)
	case "image_url", "image", "output_image", "audio", "file":
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
}

// pushThinking pushes the texts of the parts of a thinking part.
func (d *reader) pushThinking(parts []byte) {
	var c jsonscan.Cursor
	d.nested(&c, parts)
	if !c.Array() {
		return
	}
	for c.Elem() {
		if !c.Object() {
			continue
		}
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			if string(key) == "text" {
				s, _ := c.Str()
				d.pushDetail(endwell.KindReasoning, s)
			}
		}
	}
}
