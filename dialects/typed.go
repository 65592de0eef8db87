package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// What the families whose frames name themselves in a member "type" have in common:
// Anthropic messages and OpenAI responses. The JSON's type counts, and the name of
// the SSE event only where there is none, since gateways lose it
// (wire/other-families.md §1.c).

// typedName returns the name of a frame: its type, else its event name.
func typedName(typ jsonscan.Str, f *frame) []byte {
	if typ.Empty() {
		return f.event
	}
	return typ.Raw
}

// typedFault reports whether a frame that is no error by its name reports a fault
// all the same. A frame whose name is known does so by a member "error" only, one
// with an unknown name also by naming an error, one without a name in any way.
func typedFault(fd *findings, typ jsonscan.Str, known bool) bool {
	switch {
	case fd.reported != nil && !emptyReport(fd.reported):
		return true
	case typ.Empty():
		return fd.fault()
	case known:
		return false
	default:
		return errorType(typ) && fd.said || fd.faulty || fd.problem(typ.Raw)
	}
}

// typedSentinel reports whether a frame is the sentinel of the chat family, which
// gateways add to every stream.
func typedSentinel(f *frame) bool {
	return f.kind == frameData && string(f.event) != "error" && isDone(f.data)
}

// typedUndecodable judges a payload that is not JSON. In an event that is named an
// error it is the report.
func typedUndecodable(f *frame, d *reader, err error) *endwell.Evidence {
	if string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	return d.undecodable(f, err)
}

// typedStray judges a payload that is JSON, but no object. In an event that is named
// an error it is the report.
func typedStray(p parser, f *frame, d *reader) *endwell.Evidence {
	if string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	return strayValue(p, f, d)
}

// typedSign is what the members of a frame's top level tell about its family.
type typedSign struct {
	typ, object                  jsonscan.Str
	content, role, stop, outputs byte   // the kinds of those members' values
	number                       bool   // it has a sequence_number
	more                         bool   // it has members beside its type
	report                       []byte // the member "error", when it is an object
}

// readSign looks at the top level of a frame; false when it is no JSON object.
func readSign(f *frame) (s typedSign, ok bool) {
	var c jsonscan.Cursor
	c.Reset(bytes.TrimSpace(f.data))
	if !c.Object() {
		return s, false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		s.more = s.more || string(key) != "type"
		switch string(key) {
		case "type":
			s.typ, _ = c.Str()
		case "object":
			s.object, _ = c.Str()
		case "error":
			s.report = objectSpan(&c)
		case "content":
			s.content = c.Kind()
		case "role":
			s.role = c.Kind()
		case "stop_reason":
			s.stop = c.Kind()
		case "output":
			s.outputs = c.Kind()
		case "sequence_number":
			s.number = true
		}
	}
	return s, c.End() == nil
}
