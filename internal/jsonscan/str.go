package jsonscan

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Str is a string as it is written in the document. The zero value is the empty
// string. A Str that did not come from a Cursor must hold valid escapes only;
// others are read as U+FFFD.
type Str struct {
	Raw     []byte // what is between the quotes
	Escaped bool   // Raw has escapes
}

// Empty reports whether the string has no text.
func (s Str) Empty() bool { return len(s.Raw) == 0 }

// String returns the text. It allocates once. Escaped surrogates without their
// other half become U+FFFD; bytes that are not UTF-8 are kept as they are.
func (s Str) String() string {
	if !s.Escaped {
		return string(s.Raw)
	}
	if len(s.Raw) <= stackText {
		var buf [stackText]byte
		return string(s.AppendTo(buf[:0]))
	}
	var b strings.Builder
	b.Grow(len(s.Raw))
	for p := (piece{rest: s.Raw}); p.next(); {
		b.Write(p.text)
		if p.escaped {
			b.WriteRune(p.r)
		}
	}
	return b.String()
}

// stackText is the size in bytes up to which a text is put together on the stack.
const stackText = 256

// AppendTo appends what String returns to dst, and returns the longer slice.
func (s Str) AppendTo(dst []byte) []byte {
	if !s.Escaped {
		return append(dst, s.Raw...)
	}
	rest := s.Raw
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return append(dst, rest...)
		}
		dst = append(dst, rest[:i]...)
		r, n := escapedRune(rest[i:])
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		rest = rest[i+n:]
	}
}

// Equal reports whether String would return want. It does not allocate.
func (s Str) Equal(want string) bool {
	if !s.Escaped {
		return string(s.Raw) == want
	}
	for p := (piece{rest: s.Raw}); p.next(); {
		n := len(p.text)
		if len(want) < n || string(p.text) != want[:n] {
			return false
		}
		want = want[n:]
		if p.escaped {
			var buf [utf8.UTFMax]byte
			n = utf8.EncodeRune(buf[:], p.r)
			if len(want) < n || string(buf[:n]) != want[:n] {
				return false
			}
			want = want[n:]
		}
	}
	return want == ""
}

// piece is a run of text without escapes and the escape that ends it, if one
// does.
type piece struct {
	text    []byte
	r       rune
	escaped bool
	rest    []byte
}

func (p *piece) next() bool {
	if len(p.rest) == 0 {
		return false
	}
	i := bytes.IndexByte(p.rest, '\\')
	if p.escaped = i >= 0; !p.escaped {
		p.text, p.rest = p.rest, nil
		return true
	}
	r, n := escapedRune(p.rest[i:])
	p.text, p.r, p.rest = p.rest[:i], r, p.rest[i+n:]
	return true
}

// escapedRune returns the rune of the escape, or of the pair of escaped
// surrogates, that raw begins with, and its length.
func escapedRune(raw []byte) (r rune, n int) {
	if len(raw) < 2 {
		return utf8.RuneError, len(raw)
	}
	if raw[1] != 'u' {
		return short(raw[1]), 2
	}
	hi := codeUnit(raw)
	if hi < 0 {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6
	}
	if r = utf16.DecodeRune(hi, codeUnit(raw[6:])); r != utf8.RuneError {
		return r, 12
	}
	return utf8.RuneError, 6
}

// codeUnit returns the code unit of the \u escape that raw begins with, or -1.
func codeUnit(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	var u rune
	for _, b := range raw[2:6] {
		d := hexDigit(b)
		if d < 0 {
			return -1
		}
		u = u<<4 | d
	}
	return u
}

// short returns the rune that the letter after a backslash stands for.
func short(letter byte) rune {
	switch letter {
	case '"', '\\', '/':
		return rune(letter)
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return utf8.RuneError
}
