package dialects

import "bytes"

// fieldName is the field of an SSE line.
type fieldName uint8

const (
	fieldNone    fieldName = iota // no field that SSE knows
	fieldData                     // payload
	fieldEvent                    // event name
	fieldError                    // not SSE, but sent: wire/openai-family.md §10.3
	fieldComment                  // begins with a colon
	fieldOther                    // id, retry: nothing for us
)

// splitField returns the field of a line and where its value begins: after the
// colon and one space, if there is one.
func splitField(line []byte) (field fieldName, value int) {
	colon := bytes.IndexByte(line[:min(len(line), len("event:"))], ':')
	if colon == 0 {
		return fieldComment, 0
	}
	value = len(line)
	name := line
	if colon > 0 {
		name, value = line[:colon], colon+1
		if value < len(line) && line[value] == ' ' {
			value++
		}
	}
	switch string(name) {
	case "data":
		return fieldData, value
	case "event":
		return fieldEvent, value
	case "id", "retry":
		return fieldOther, value
	case "error":
		if colon > 0 {
			return fieldError, value
		}
	}
	return fieldNone, 0
}

// startsField reports whether an unfinished line is the beginning of a field name.
func startsField(line []byte) bool {
	for _, name := range [...]string{"data:", "event:", "error:", "retry:", "id:"} {
		if bytes.HasPrefix([]byte(name), line) {
			return true
		}
	}
	return false
}

// looksJSON reports whether a line may begin a JSON document: an object, or a list that
// is no label in brackets, nor a number or a box at the beginning of text.
func looksJSON(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != '[' {
		return len(line) > 0 && line[0] == '{'
	}
	rest := bytes.TrimLeft(line[1:], " \t\r\n")
	switch {
	case len(rest) == 0:
		return true
	case rest[0] == ']':
		return len(bytes.TrimLeft(rest[1:], " \t\r\n")) == 0
	default:
		return rest[0] == '{' || rest[0] == '[' || rest[0] == '"'
	}
}
