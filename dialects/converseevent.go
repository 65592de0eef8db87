package dialects

import (
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// converseName is an event of ConverseStream.
type converseName uint8

const (
	converseOther converseName = iota
	converseStart
	converseBlockStart
	converseDelta
	converseBlockStop
	converseStop
	converseMetadata
)

func converseEventOf(name []byte) converseName {
	switch string(name) {
	case "contentBlockDelta":
		return converseDelta
	case "messageStart":
		return converseStart
	case "contentBlockStart":
		return converseBlockStart
	case "contentBlockStop":
		return converseBlockStop
	case "messageStop":
		return converseStop
	case "metadata":
		return converseMetadata
	default:
		return converseOther
	}
}

// converseEvent is what one frame says. Values that need a second look are spans.
type converseEvent struct {
	known     bool // it is part of an answer
	started   bool // messageStart
	stopped   bool // messageStop, or a stop reason of an answer that is not streamed
	index     int  // contentBlockIndex, -1 for none
	text      jsonscan.Str
	reasoning jsonscan.Str
	tool      converseTool
	output    bool // an image, audio, a result of a hosted tool
	unknown   bool // a block or delta of a kind that is not known
	reason    jsonscan.Str
	usage     []byte
	content   []byte // the content of an answer that is not streamed
	exception string
	thrown    []byte // the document of the exception
}

// converseTool is what a block or a delta says of a tool's use.
type converseTool struct {
	begins, continues bool
	id, name, typ     jsonscan.Str
	text              jsonscan.Str // the input, as text
	value             []byte       // the input, as JSON
}

// document reads the payload of an event, or a payload whose members are events.
func (p *converse) document(named converseName) {
	c := &p.cur
	if named != converseOther {
		p.event(named)
		return
	}
	if !c.Object() {
		p.found.other = true
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if name := converseEventOf(key); name != converseOther {
			p.event(name)
		} else {
			p.member(key)
		}
	}
}

// member reads a member that is no event: of an answer that is not streamed, or of
// an error document.
func (p *converse) member(key []byte) {
	c, s := &p.cur, &p.said
	switch string(key) {
	case "output":
		s.content = memberOf(memberOf(objectSpan(c), "message"), "content")
		s.known = s.known || s.content != nil
	case "stopReason":
		s.reason, _ = c.Str()
		s.stopped = s.stopped || !s.reason.Empty() && !s.reason.Equal("null")
		s.known = s.known || s.stopped
	case "usage":
		s.usage = orSpan(s.usage, objectSpan(c))
	default:
		if c.Kind() == '{' && strings.HasSuffix(string(key), "Exception") {
			s.exception, s.thrown = string(key), c.Raw()
			return
		}
		p.found.member(key, c)
	}
}

// event reads the object that an event is.
func (p *converse) event(name converseName) {
	c, s := &p.cur, &p.said
	if !c.Object() {
		return
	}
	s.known = true
	s.started = s.started || name == converseStart
	s.stopped = s.stopped || name == converseStop
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "contentBlockIndex":
			s.index = readIndex(c, s.index)
		case "delta":
			p.delta()
		case "start":
			p.blockStart()
		case "stopReason":
			s.reason, _ = c.Str()
		case "usage":
			s.usage = orSpan(s.usage, objectSpan(c))
		}
	}
}

// delta reads the object of a delta. Kinds that are not known pass.
func (p *converse) delta() {
	c, s := &p.cur, &p.said
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "text":
			s.text, _ = c.Str()
		case "reasoningContent":
			p.reasoning()
		case "toolUse":
			s.tool.continues = s.tool.read(c)
		case "toolResult", "image", "audio":
			s.output = s.output || c.Kind() != 'n'
		case "citation":
		default:
			s.unknown = true
		}
	}
}

// reasoning reads reasoningContent. A signature and redacted content are nothing
// for people.
func (p *converse) reasoning() {
	c := &p.cur
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "text" {
			p.said.reasoning, _ = c.Str()
		}
	}
}

// blockStart reads the object with which a block starts. Blocks of text have none,
// or an empty one.
func (p *converse) blockStart() {
	c, s := &p.cur, &p.said
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "toolUse":
			s.tool.begins = s.tool.read(c)
		case "toolResult", "image", "audio":
			s.output = s.output || c.Kind() != 'n'
		default:
			s.unknown = true
		}
	}
}

// read reads an object toolUse and reports whether there is one.
func (t *converseTool) read(c *jsonscan.Cursor) bool {
	if !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "toolUseId":
			t.id, _ = c.Str()
		case "name":
			t.name, _ = c.Str()
		case "type":
			t.typ, _ = c.Str()
		case "input":
			if s, ok := c.Str(); ok {
				t.text = s
			} else if k := c.Kind(); k == '{' || k == '[' {
				t.value = c.Raw()
			}
		}
	}
	return true
}
