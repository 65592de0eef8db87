package dialects

import "github.com/endwell-go/endwell/internal/jsonscan"

// responsesItem is an output item.
type responsesItem struct {
	kind             responsesKind
	free             bool // a custom tool: its input is plain text
	id, callID, name jsonscan.Str
	args             jsonscan.Str
	value            []byte // arguments that are no text
	text             jsonscan.Str
	content, summary []byte
}

// readItem reads the item of the current event.
func (p *responses) readItem() (it responsesItem) {
	var c jsonscan.Cursor
	c.Reset(p.ev.item)
	it.read(&c)
	return it
}

func (it *responsesItem) read(c *jsonscan.Cursor) {
	it.kind = responsesKinds
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			typ, _ := c.Str()
			it.kind = responsesItemKind(typ)
			it.free = typ.Equal("custom_tool_call")
		case "id":
			it.id, _ = c.Str()
		case "call_id":
			it.callID, _ = c.Str()
		case "name":
			it.name, _ = c.Str()
		case "arguments", "input":
			if s, ok := c.Str(); ok {
				it.args = s
			} else {
				it.value = objectSpan(c)
			}
		case "content":
			if s, ok := c.Str(); ok {
				it.text = s
			} else {
				it.content = arraySpan(c)
			}
		case "summary":
			it.summary = arraySpan(c)
		}
	}
}

// responsesItemKind gives the kind of an item. Calls that the caller runs, but not
// with arguments of their own, such as a shell's, count as other output.
func responsesItemKind(typ jsonscan.Str) responsesKind {
	switch string(typ.Raw) {
	case "message":
		return responsesText
	case "reasoning":
		return responsesReasoning
	case "function_call", "custom_tool_call":
		return responsesTool
	case "mcp_list_tools", "compaction", "":
		return responsesKinds // says nothing for people
	default:
		return responsesOutput
	}
}

// arguments are the arguments of a call that is done.
func (it *responsesItem) arguments() string {
	if it.value != nil {
		return string(it.value)
	}
	return it.args.String()
}

// responsesPart is a part of a message or of reasoning.
type responsesPart struct {
	kind responsesKind
	text jsonscan.Str
}

func (p *responsesPart) read(c *jsonscan.Cursor) {
	p.kind = responsesKinds
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			typ, _ := c.Str()
			p.kind = responsesPartKind(typ)
		case "text", "refusal":
			if s, ok := c.Str(); ok {
				p.text = s
			}
		}
	}
}

func responsesPartKind(typ jsonscan.Str) responsesKind {
	switch string(typ.Raw) {
	case "output_text", "text":
		return responsesText
	case "refusal":
		return responsesRefusal
	case "reasoning_text":
		return responsesReasoning
	case "summary_text":
		return responsesSummary
	default:
		return responsesKinds
	}
}

// responsesPlace says where output stands: the item's index and the part's in it,
// each -1 when the frame has none.
type responsesPlace struct{ output, part int }

// responsesSeen remembers which parts have been pushed, so that their repetition
// does not count. The same id is the same item; other ids tell items apart only
// where there are no indices, since some hosts give every event another id
// (wire/other-families.md §7.g).
type responsesSeen struct {
	parts []responsesMark
}

type responsesMark struct {
	kind responsesKind
	at   responsesPlace
	id   string
}

// maxResponsesParts bounds what is remembered; of an answer with more parts,
// repetitions of text do not count at all.
const maxResponsesParts = 4096

// add notes a part. Its cost is a look at the last one as long as that goes on.
func (s *responsesSeen) add(kind responsesKind, at responsesPlace, id jsonscan.Str) {
	if n := len(s.parts); n > 0 && s.parts[n-1].same(kind, at, id) || n == maxResponsesParts {
		return
	}
	s.parts = append(s.parts, responsesMark{kind: kind, at: at, id: id.String()})
}

// has reports whether a part has been pushed. A place without an index, or without
// a part, is any.
func (s *responsesSeen) has(kind responsesKind, at responsesPlace, id jsonscan.Str) bool {
	for i := range s.parts {
		if s.parts[i].matches(kind, at, id) {
			return true
		}
	}
	return len(s.parts) == maxResponsesParts
}

func (m *responsesMark) same(kind responsesKind, at responsesPlace, id jsonscan.Str) bool {
	return m.kind == kind && m.at == at && (at.output >= 0 || id.Equal(m.id))
}

func (m *responsesMark) matches(kind responsesKind, at responsesPlace, id jsonscan.Str) bool {
	switch {
	case m.kind != kind, m.at.part >= 0 && at.part >= 0 && m.at.part != at.part:
		return false
	case m.at.output >= 0 && at.output >= 0:
		return m.at.output == at.output || m.id != "" && id.Equal(m.id)
	default:
		return m.id == "" || id.Empty() || id.Equal(m.id)
	}
}
