package jsonscan

import (
	"encoding/binary"
	"math/bits"
)

// TextEnd returns the index of the quote that closes the string whose text begins at
// i, and whether the text has escapes. end is len(doc) when the string is cut, and the
// complement of the index of the first wrong byte when it is not valid.
func TextEnd(doc []byte, i int) (end int, escaped bool) {
	for {
		i = Plain(doc, i)
		switch {
		case i == len(doc) || doc[i] == '"':
			return i, escaped
		case doc[i] != '\\':
			return ^i, escaped
		}
		escaped = true
		if i = escapeEnd(doc, i+1); i < 0 || i == len(doc) {
			return i, escaped
		}
	}
}

// plainWords returns the index of the first byte at or after i that is not plain text
// of a string, unless the document ends within a word before it: then plain text goes
// on there.
func plainWords(doc []byte, i int) int {
	for ; 0 <= i && i <= len(doc)-8; i += 8 {
		if m := special(binary.LittleEndian.Uint64(doc[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	return i
}

// Plain returns the index of the first byte at or after i that is not plain text of
// a string: a quote, a backslash or a control byte. It is len(doc) if there is none.
func Plain(doc []byte, i int) int {
	i = plainWords(doc, i)
	if last := len(doc) - 8; 0 <= last && last < i {
		w := binary.LittleEndian.Uint64(doc[last:]) >> (8 * (i - last))
		return i + bits.TrailingZeros64(special(w))/8
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
	return (quoteOrControl | backslash) & (tops &^ w)
}

// escapeEnd returns the index after the escape whose backslash is before i; len(doc)
// when it is cut, or the document ends after it, and the complement of the index of the
// first wrong byte when it is not valid.
func escapeEnd(doc []byte, i int) int {
	if i >= len(doc) {
		return len(doc)
	}
	switch doc[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
	default:
		return ^i
	}
	end := min(i+5, len(doc))
	for i++; i < end; i++ {
		if hexDigit(doc[i]) < 0 {
			return ^i
		}
	}
	return end
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
