package dialects

import (
	"bytes"
	"errors"
	"slices"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// clear returns the name of the dialect that the current frame is clearly of, or of the
// one to read it in when it clearly reports a fault; "" for all else. Other programs have
// members and events of the same names as models: those alone are no sign. A page, a line
// that says that it is an error, and an object that cannot be read are clear at the
// beginning only: behind text, what looks like a field is more text.
func (g *detector) clear(first bool) string {
	f := &g.frame
	if g.hint == "" {
		g.hint = mark(f.raw)
	}
	switch {
	case first && f.kind == frameJunk && g.judged(f.data[:min(len(f.data), maxNotice)], false):
		return g.unsigned()
	case clearFault(f) && !(g.text && f.kind == frameError && firstObject(f.data) == nil):
		return g.unsigned()
	case f.tail && (first || f.kind == frameData) && looksJSON(f.data) && half(bytes.TrimSpace(f.data)), first && garbled(bytes.TrimSpace(f.data)):
		return g.unsigned() // half a document, in any wire
	case first && f.kind == frameData && onlyDone(f.data):
		return g.unsigned() // an answer of nothing
	case first && g.guess != nil && g.reads((*findings).fault):
		return g.unsigned() // an error document where a model's answer is expected
	case f.kind == frameJunk, f.kind == frameEmpty:
		return ""
	}
	switch name := signedBy(f); {
	case name == "" || !clearSign(name, f.data) && !g.expects(name):
		return ""
	case name == "compatible":
		return g.chat()
	default:
		return name
	}
}

// expects reports whether a dialect is the one that was expected, so that a sign of it is
// none of chance. Pings are no sign of any.
func (g *detector) expects(name string) bool {
	d := g.expected()
	return d != nil && d.family == byName[name].family && !isPing(g.frame.data)
}

// garbled reports whether a payload begins as an object with a member, and is none. Text may
// begin with a brace.
func garbled(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return ok && len(rest) > 1 && rest[0] == '"' && !whole(data)
}

// half reports whether a payload begins a document that it does not end.
func half(data []byte) bool {
	var c jsonscan.Cursor
	c.Reset(data)
	return errors.Is(c.End(), jsonscan.ErrUnexpectedEnd)
}

// clearSign reports whether a frame that is signed so is of that dialect beyond doubt.
func clearSign(name string, data []byte) bool {
	switch name {
	case "anthropic":
		return !isPing(data)
	case "compatible":
		return clearChoice(data)
	case "gemini":
		return clearCandidate(data)
	case "cohere":
		return hasOneOf(data, "delta", "message")
	case "cohere-v1":
		return cohereV1Events[string(bytes.Trim(memberOf(data, "event_type"), `"`))]
	case "interactions":
		return clearInteraction(data)
	case "responses":
		return hasOneOf(data, "response", "sequence_number", "item_id", "item", "output_index", "object")
	case "watsonx":
		return memberOf(data, "choices") == nil || clearChoice(data)
	case "writer":
		return clearChoice(data)
	case "replicate":
		return false // any program may call an event "output"
	default:
		return true
	}
}

// hasOneOf reports whether an object has one of those members.
func hasOneOf(object []byte, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return memberOf(object, name) != nil })
}

// hasObject reports whether an object has that member, as an object.
func hasObject(object []byte, name string) bool {
	value := memberOf(object, name)
	return len(value) > 0 && value[0] == '{'
}

// emptyList reports whether a value is a list of nothing.
func emptyList(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, []byte("["))
	return ok && string(bytes.TrimSpace(rest)) == "]"
}

// clearInteraction reports whether an event is one of an interaction's own, with what it
// is about, or an interaction by itself.
func clearInteraction(data []byte) bool {
	if !bytes.HasPrefix(memberOf(data, "event_type"), []byte(`"interaction.`)) {
		return memberOf(data, "object") != nil
	}
	return hasOneOf(data, "interaction", "interaction_id")
}

// clearChoice reports whether the choices are those of an answer: each has a message, or
// text and how it ended; an answer without any says what it is otherwise.
func clearChoice(data []byte) bool {
	choices := memberOf(data, "choices")
	first := firstOf(choices)
	if first == nil {
		return emptyList(choices) && hasOneOf(data, "model", "object", "usage")
	}
	return hasObject(first, "delta") || hasObject(first, "message") || memberOf(first, "finish_reason") != nil ||
		memberOf(first, "text") != nil && memberOf(first, "index") != nil
}

// clearCandidate reports whether the candidates are those of Gemini, or its prompt was
// blocked, or the error is Google's. It may be an element of a list, or wrapped.
func clearCandidate(data []byte) bool {
	if first := firstOf(data); first != nil {
		data = first
	}
	if inner := memberOf(data, "response"); inner != nil && inner[0] == '{' {
		data = inner
	}
	candidates := memberOf(data, "candidates")
	if first := firstOf(candidates); first != nil {
		return hasObject(first, "content") || memberOf(first, "finishReason") != nil ||
			memberOf(first, "index") != nil && hasOneOf(data, "usageMetadata", "modelVersion", "responseId")
	}
	return hasOneOf(data, "promptFeedback", "modelVersion", "error")
}

// clearFault reports whether a frame reports a fault whatever its wire is: an event of that
// name, an error that is an object with something in it, errors of what was no success, or
// nothing but an error.
func clearFault(f *frame) bool {
	if f.kind == frameError || string(f.event) == "error" {
		return len(bytes.TrimSpace(f.data)) > 0 && !noReport(f.data)
	}
	if f.kind != frameData && f.kind != frameBare && f.kind != frameElement || !looksJSON(f.data) {
		return false
	}
	if first := firstOf(f.data); first != nil {
		return clearFault(&frame{kind: f.kind, data: first})
	}
	var c jsonscan.Cursor
	c.Reset(f.data)
	c.Object()
	members, reported, said, named, listed, failed := 0, false, false, false, false, false
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		members++
		switch string(key) {
		case "error":
			switch c.Kind() {
			case '{':
				span := objectSpan(&c)
				for _, name := range [...]string{"message", "type", "code"} {
					value := memberOf(span, name)
					reported = reported || value != nil && !emptyReport(value)
				}
			case '"':
				s, _ := c.Str()
				said = !s.Empty()
			default:
				c.Skip()
			}
		case "errors":
			listed = arraySpan(&c) != nil
		case "success":
			ok, is := c.Bool()
			failed = is && !ok
		case "type", "object":
			s, _ := c.Str()
			named = named || s.Equal("error")
		case "jsonrpc":
			return false // its errors are answers to calls
		default:
			c.Skip()
		}
	}
	return c.End() == nil && (reported || said && members == 1 || named && members > 1 || listed && failed)
}
