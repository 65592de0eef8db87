package jsonscan

import "math/bits"

// Balance follows JSON text that arrives in pieces, to say whether it ends
// before its first value does. How the text is split makes no difference. The
// zero value has seen no text. A Balance allocates nothing and must not be used
// concurrently.
//
// Whole and Extra are tolerant: they count brackets without telling their kinds
// apart, know strings and escapes, and check nothing else. Open is what they are
// not, as long as the text can still become JSON: Broken says when it cannot.
//
// Only the first value matters. What follows it is noted by Extra and changes
// nothing else, so that Whole and Open never hold together.
type Balance struct {
	kinds uint64 // of the open containers, the innermost lowest: 1 for an object
	depth uint32
	in    place
	due   due
	hex   uint8 // how many digits of an escape are missing
	extra bool
}

// place says where the next byte is.
type place uint8

const (
	before  place = iota // nothing but white space so far
	between              // in an object or array, outside strings
	text                 // in a string
	escape               // in a string, after a backslash
	after                // the first value, a string, has ended
	ended                // the first value, an object or array, has ended
	bare                 // in or after a number, a literal or something else
)

// Started reports whether anything but white space was seen.
func (b *Balance) Started() bool { return b.in != before }

// Whole reports whether the first value is an object or an array and has ended:
// its brackets are balanced again.
func (b *Balance) Whole() bool { return b.in == ended }

// Open reports whether the text ends before its first value does: inside an
// object, an array or a string, which some continuation could make valid.
// Numbers and literals are never open, as they do not show their end.
func (b *Balance) Open() bool {
	return (b.in == between || b.in == text || b.in == escape) && b.due != dueWrong
}

// Broken reports whether the first value is an object, an array or a string with
// a syntax error, which nothing that follows could mend. Two errors are let pass:
// control characters in strings, since many readers do, and whatever lies outside
// of strings from where containers are nested more than 64 deep.
func (b *Balance) Broken() bool { return b.due == dueWrong }

// Extra reports whether anything but white space followed the first value, if
// that is an object, an array or a string.
func (b *Balance) Extra() bool { return b.extra }

// Feed looks at the next piece, which may be empty and is not kept.
func (b *Balance) Feed(p []byte) { feed(b, p) }

// FeedString is Feed for a string.
func (b *Balance) FeedString(s string) { feed(b, s) }

func feed[T []byte | string](b *Balance, p T) {
	for i := 0; i < len(p); {
		switch b.in {
		case before:
			b.begin(p[i])
			i++
		case between:
			if b.due.judged() {
				b.follow(p[i])
			} else {
				i = skipPlain(p, i)
			}
			if i < len(p) {
				b.bracket(p[i])
				i++
			}
		case text:
			if b.hex > 0 {
				i += b.digit(p[i])
				continue
			}
			i = skipText(p, i)
			if i < len(p) {
				b.special(p[i])
				i++
			}
		case escape:
			b.escaped(p[i])
			i++
		case after, ended:
			b.extra = b.extra || !isSpace(p[i])
			i++
		case bare:
			return
		}
	}
}

func (b *Balance) begin(c byte) {
	if isSpace(c) {
		return
	}
	b.in = bare
	if c == '{' || c == '[' || c == '"' {
		b.in, b.due = between, dueValue
		b.follow(c)
		b.bracket(c)
	}
}

func (b *Balance) bracket(c byte) {
	switch c {
	case '"':
		b.in = text
	case '{', '[':
		b.depth++
	case '}', ']':
		b.depth--
		if b.depth == 0 {
			b.in = ended
		}
	}
}

// special handles the quote or backslash that ends a run of text.
func (b *Balance) special(c byte) {
	switch {
	case c == '\\':
		b.in = escape
	case b.depth > 0:
		b.in = between
	default:
		b.in = after
	}
}

// escaped handles the byte after a backslash.
func (b *Balance) escaped(c byte) {
	b.in = text
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
	case 'u':
		b.hex = 4
	default:
		b.due = dueWrong
	}
}

// digit handles a byte in the place of a digit of an escape, and returns 1 unless
// it is none and is to be looked at as text.
func (b *Balance) digit(c byte) int {
	if hexDigit(c) < 0 {
		b.hex, b.due = 0, dueWrong
		return 0
	}
	b.hex--
	return 1
}

// skipText returns the index of the first quote or backslash at or after i.
func skipText[T []byte | string](p T, i int) int {
	for ; 0 <= i && i <= len(p)-8; i += 8 {
		w := word(p, i)
		quote, backslash := (w^ones*'"')-ones, (w^ones*'\\')-ones
		if m := (quote | backslash) &^ w & tops; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(p) && p[i] != '"' && p[i] != '\\' {
		i++
	}
	return i
}

// skipPlain returns the index of the first quote or bracket at or after i.
func skipPlain[T []byte | string](p T, i int) int {
	for 0 <= i && i < len(p) && !structural[p[i]] {
		i++
	}
	return i
}

var structural = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true}
