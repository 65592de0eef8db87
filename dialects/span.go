package dialects

import "github.com/endwell-go/endwell/internal/jsonscan"

// objectSpan consumes the object that is due and returns its span; nil, with
// nothing consumed, for any other value.
func objectSpan(c *jsonscan.Cursor) []byte {
	if c.Kind() != '{' {
		return nil
	}
	return c.Raw()
}

// arraySpan is objectSpan for an array that is not empty.
func arraySpan(c *jsonscan.Cursor) []byte {
	if c.Kind() != '[' {
		return nil
	}
	raw := c.Raw()
	for _, b := range raw[min(1, len(raw)):] {
		switch b {
		case ' ', '\t', '\r', '\n':
		case ']':
			return nil
		default:
			return raw
		}
	}
	return nil
}

// reportSpan consumes the value of a member that reports an error and returns its
// span; nil for null and false, which report none.
func reportSpan(c *jsonscan.Cursor) []byte {
	if k := c.Kind(); k == 'n' || k == 'f' || k == 0 {
		return nil
	}
	return c.Raw()
}

// orSpan returns the first span unless there is none: on duplicate names, the one
// that says something wins.
func orSpan(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}

// maxIndex bounds indices of choices and calls, so that arithmetic on them is safe.
const maxIndex = 1 << 20

func indexOf(raw []byte) int {
	n, ok := jsonscan.Int(raw)
	if !ok || n < 0 || n > maxIndex {
		return 0
	}
	return int(n)
}

// readIndex reads a number as an index; any other value leaves it as it was.
func readIndex(c *jsonscan.Cursor, was int) int {
	if raw, ok := c.Num(); ok {
		return indexOf(raw)
	}
	return was
}

// word returns a finish word, without allocating for those that are known.
func word(s jsonscan.Str) string {
	switch string(s.Raw) {
	case "stop":
		return "stop"
	case "length":
		return "length"
	case "tool_calls":
		return "tool_calls"
	default:
		return s.String()
	}
}
