package dialects

// Frames of a JSON array have kinds of their own, since only there the end of the
// list is owed.
const (
	frameElement frameKind = iota + 16 // an element of the list
	frameClose                         // the bracket that ends it
)

// jsonArray cuts a JSON array that is streamed piecewise, as Gemini does without
// alt=sse: "[{…}", ",\r\n{…}", "]" (wire/other-families.md §2.a).
//
//   - an element is complete with its last byte, so it never waits for its comma;
//   - what stands between elements, white space and commas, opens the raw bytes of
//     the next frame; doubled commas are tolerated (§2.c), and so are lines that
//     begin with a colon, the comments with which gateways keep a stream alive;
//   - the closing bracket is a frame, and what follows it is none of the list's:
//     done says so;
//   - what is left at the end of the body is flushed.
//
// It checks brackets and strings only; an element's own grammar is the parser's.
type jsonArray struct {
	pos    int // scanned up to here, relative to the frame's start
	opened bool
	done   bool

	arrayElement
}

// arrayElement is the element that is being scanned.
type arrayElement struct {
	begun   bool
	from    int  // its first byte
	depth   int  // brackets that are open
	str     bool // inside a string
	escaped bool // after a backslash
	scalar  bool // neither object, array nor string
	comment bool // no element but a comment between two
}

// next implements framer, up to the frame after which done is set.
func (a *jsonArray) next(b []byte, eof bool, f *frame) bool {
	for a.pos < len(b) {
		switch {
		case a.comment:
			a.skipComment(b)
		case !a.begun:
			if a.between(b[a.pos]) {
				a.cut(b, frameClose, b[a.pos-1:a.pos], f)
				return true
			}
		case a.scan(b):
			a.cut(b, frameElement, b[a.from:a.pos], f)
			return true
		}
	}
	if !eof || len(b) == 0 {
		return false
	}
	var rest []byte
	if a.begun {
		rest = b[a.from:]
	}
	a.cut(b, frameElement, rest, f)
	f.tail = true
	return true
}

// between looks at a byte outside of any element and reports whether it ends the
// list.
func (a *jsonArray) between(c byte) bool {
	a.pos++
	switch {
	case c == ' ', c == '\t', c == '\r', c == '\n', c == ',':
	case !a.opened:
		// The bracket, or a byte order mark before it.
		a.opened = c == '['
	case c == ']':
		a.done = true
		return true
	case c == ':':
		a.comment = true
	default:
		a.pos--
		a.arrayElement = arrayElement{begun: true, from: a.pos, scalar: c != '{' && c != '[' && c != '"'}
	}
	return false
}

func (a *jsonArray) skipComment(b []byte) {
	for ; a.pos < len(b); a.pos++ {
		if b[a.pos] == '\n' || b[a.pos] == '\r' {
			a.comment = false
			return
		}
	}
}

// scan goes on to the end of the element and reports whether it is there.
func (a *jsonArray) scan(b []byte) bool {
	for a.pos < len(b) {
		if a.str {
			a.scanString(b)
		} else if a.scalar {
			if endsScalar(b[a.pos]) {
				return true
			}
			a.pos++
			continue
		} else {
			a.scanByte(b[a.pos])
			a.pos++
		}
		if a.depth == 0 && !a.str {
			return true
		}
	}
	return false
}

// scanByte takes a byte of an object or an array outside of its strings.
func (a *jsonArray) scanByte(c byte) {
	switch c {
	case '"':
		a.str = true
	case '{', '[':
		a.depth++
	case '}', ']':
		a.depth--
	}
}

// scanString goes on to the end of the string, or of the bytes.
func (a *jsonArray) scanString(b []byte) {
	for i := a.pos; i < len(b); i++ {
		switch {
		case a.escaped:
			a.escaped = false
		case b[i] == '\\':
			a.escaped = true
		case b[i] == '"':
			a.str, a.pos = false, i+1
			return
		}
	}
	a.pos = len(b)
}

// endsScalar reports whether a byte ends a value that is neither object, array nor
// string.
func endsScalar(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ']':
		return true
	default:
		return false
	}
}

// cut hands out the frame that ends at pos and forgets it.
func (a *jsonArray) cut(b []byte, kind frameKind, data []byte, f *frame) {
	if data == nil {
		kind, a.pos = frameEmpty, len(b)
	}
	*f = frame{raw: b[:a.pos], data: data, kind: kind}
	a.pos, a.arrayElement = 0, arrayElement{}
}
