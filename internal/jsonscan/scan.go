package jsonscan

import "math/bits"

// quoted scans the string whose text begins at i. It returns the index of the
// closing quote and whether the text has escapes, or -1 after an error.
func (c *Cursor) quoted(i int) (end int, escaped bool) {
	doc := c.doc
	for ; 0 <= i && i <= len(doc)-8; i += 8 {
		if m := special(word(doc, i)); m != 0 {
			i += bits.TrailingZeros64(m) / 8
			if doc[i] == '"' {
				return i, false
			}
			break
		}
	}
	return c.unusual(i)
}

// unusual is quoted from the first byte that is not plain text on, or from near
// the end of the document.
func (c *Cursor) unusual(i int) (end int, escaped bool) {
	doc := c.doc
	for {
		i = Plain(doc, i)
		if i >= len(doc) || doc[i] < ' ' {
			c.bad(i)
			return -1, false
		}
		if doc[i] == '"' {
			return i, escaped
		}
		escaped = true
		if i = c.escape(i + 1); i < 0 {
			return -1, false
		}
	}
}

// Plain returns the index of the first byte at or after i that is not plain text of
// a string: a quote, a backslash or a control byte. It is len(doc) if there is none.
func Plain(doc []byte, i int) int {
	for ; 0 <= i && i <= len(doc)-8; i += 8 {
		if m := special(word(doc, i)); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(doc) && doc[i] >= ' ' && doc[i] != '"' && doc[i] != '\\' {
		i++
	}
	return i
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// special marks the bytes of w that are not plain text of a string, by their
// top bits. A byte below n borrows from its neighbour when n is subtracted, so
// only the lowest mark is exact, and only it is used. Flipping bit 1 puts the
// quote beside the control bytes, and space and '!' out of their way.
func special(w uint64) uint64 {
	quoteOrControl := (w ^ ones*0x02) - ones*0x21
	backslash := (w ^ ones*'\\') - ones
	return (quoteOrControl | backslash) &^ w & tops
}

// escape checks the escape whose backslash is before i and returns the index
// after it, or -1 after an error.
func (c *Cursor) escape(i int) int {
	if i >= len(c.doc) {
		c.bad(i)
		return -1
	}
	switch c.doc[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		return c.hex4(i + 1)
	}
	c.bad(i)
	return -1
}

func (c *Cursor) hex4(i int) int {
	for end := i + 4; i < end; i++ {
		if i >= len(c.doc) || hexDigit(c.doc[i]) < 0 {
			c.bad(i)
			return -1
		}
	}
	return i
}

func hexDigit(b byte) rune {
	switch {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case 'a' <= b && b <= 'f':
		return rune(b - 'a' + 10)
	case 'A' <= b && b <= 'F':
		return rune(b - 'A' + 10)
	}
	return -1
}

// number consumes the number that is due. What may not follow it is left to
// whoever reads on.
func (c *Cursor) number() bool {
	i := numberEnd(c.doc, c.pos)
	if i < 0 {
		c.bad(^i)
		return false
	}
	c.pos, c.kind = i, 0
	return true
}

// numberEnd returns the index after the number that begins at i, or the
// complement of the index where a digit is missing.
func numberEnd(doc []byte, i int) int {
	if i < len(doc) && doc[i] == '-' {
		i++
	}
	if i < len(doc) && doc[i] == '0' {
		i++
	} else if i = digits(doc, i); i < 0 {
		return i
	}
	if i < len(doc) && doc[i] == '.' {
		if i = digits(doc, i+1); i < 0 {
			return i
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		return digits(doc, i)
	}
	return i
}

// digits returns the index after the digits that begin at i, or the complement
// of i if there are none.
func digits(doc []byte, i int) int {
	start := i
	for i < len(doc) && isDigit(doc[i]) {
		i++
	}
	if i == start {
		return ^i
	}
	return i
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// literal consumes the literal that is due, which must be word.
func (c *Cursor) literal(word string) bool {
	i := c.pos
	if i+len(word) > len(c.doc) || string(c.doc[i:i+len(word)]) != word {
		return c.misspelt(word)
	}
	c.pos, c.kind = i+len(word), 0
	return true
}

func (c *Cursor) misspelt(word string) bool {
	i := c.pos
	for i < len(c.doc) && c.doc[i] == word[i-c.pos] {
		i++
	}
	c.bad(i)
	return false
}
