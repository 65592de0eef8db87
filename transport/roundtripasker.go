package transport

import (
	"io"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// asker finds the member "stream" at the top level of a JSON object, as the bytes
// pass. It takes what is no JSON for something that does not ask.
type asker struct {
	otherwise bool // what a document asks that does not say

	depth   int
	text    bool // inside of a string
	escaped bool
	word    [8]byte // the bytes of the name or value at the top level
	n       int     // how many there are, more than fit included
	ours    bool    // the value is that of the member
	said    bool
	yes     bool
}

func (a *asker) asks() bool { return a.said && a.yes || !a.said && a.otherwise && a.depth == 0 }

// Write implements io.Writer. It ends a copy once all is known.
func (a *asker) Write(p []byte) (int, error) {
	a.feed(p)
	if a.said {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// WriteString implements io.StringWriter, so that a prompt in a string is not copied.
func (a *asker) WriteString(text string) (int, error) {
	var piece [512]byte
	for rest := text; rest != "" && !a.said; {
		n := copy(piece[:], rest)
		a.feed(piece[:n])
		rest = rest[n:]
	}
	if a.said {
		return 0, io.ErrShortWrite
	}
	return len(text), nil
}

func (a *asker) feed(p []byte) {
	for len(p) > 0 && !a.said {
		n := a.plain(p)
		switch {
		case n > 0:
		case a.text:
			a.inText(p[0])
			n = 1
		default:
			a.between(p[0])
			n = 1
		}
		p = p[n:]
	}
}

// plain returns how many of the next bytes are text of a string that need not be kept:
// prompts are long.
func (a *asker) plain(p []byte) int {
	if !a.text || a.escaped || a.depth == 1 && a.n < len(a.word) {
		return 0
	}
	return jsonscan.Plain(p, 0)
}

// inText takes a byte of a string.
func (a *asker) inText(c byte) {
	a.keep(c)
	switch {
	case a.escaped:
		a.escaped = false
	case c == '\\':
		a.escaped = true
	case c == '"':
		a.text = false
	}
}

// between takes a byte outside of strings.
func (a *asker) between(c byte) {
	switch c {
	case '"':
		a.text = true
		a.keep(c)
	case ':':
		a.ours = a.depth == 1 && a.is(`"stream"`)
		a.n = 0
	case ',', '}', ']':
		if a.depth == 1 && a.ours {
			a.said, a.yes = true, a.is("true")
		}
		a.n = 0
		if c != ',' {
			a.depth--
		}
	case '{', '[':
		a.depth++
		a.n = 0
	case ' ', '\t', '\r', '\n':
	default:
		a.keep(c)
	}
}

// keep keeps a byte at the top level.
func (a *asker) keep(c byte) {
	if a.depth != 1 {
		return
	}
	if a.n < len(a.word) {
		a.word[a.n] = c
	}
	a.n++
}

func (a *asker) is(word string) bool { return a.n <= len(a.word) && string(a.word[:a.n]) == word }
