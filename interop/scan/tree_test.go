package scan

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// lax are the options that make jsontext accept what jsonscan does.
var lax = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// node is a value as jsontext reads it.
type node struct {
	kind     byte // as of Cursor.Kind
	from, to int
	name     string // of a member
	text     string // of a string
	escaped  bool
	sub      []node
	whole    bool // it was read to its end
}

// verdict is what jsontext says of a document.
type verdict uint8

const (
	valid  verdict = iota
	cut            // it is the beginning of another document
	broken         // it is not
)

// parse has jsontext read a document. What it read before a fault is there too.
func parse(doc []byte) (node, verdict) {
	r := reader{jsontext.NewDecoder(bytes.NewBuffer(doc), lax...)}
	var n node
	err := r.value(&n)
	if _, end := r.d.ReadToken(); err == nil && end != io.EOF {
		err = errors.New("something follows the value")
	}
	return n, judge(err)
}

func judge(err error) verdict {
	switch {
	case err == nil:
		return valid
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return cut
	default:
		return broken
	}
}

// reader builds nodes of what a decoder reads.
type reader struct{ d *jsontext.Decoder }

func (r reader) value(n *node) error {
	kind := byte(r.d.PeekKind())
	if kind == '{' || kind == '[' {
		return r.container(n, kind)
	}
	raw, err := r.d.ReadValue()
	if err != nil {
		return err
	}
	n.kind, n.to, n.whole = kind, int(r.d.InputOffset()), true
	n.from = n.to - len(raw)
	if kind == '"' {
		n.text, n.escaped = unquote(raw), bytes.IndexByte(raw, '\\') >= 0
	}
	return nil
}

func (r reader) container(n *node, kind byte) error {
	if _, err := r.d.ReadToken(); err != nil {
		return err
	}
	n.kind = kind
	n.from = int(r.d.InputOffset()) - 1
	for {
		next := r.d.PeekKind()
		switch {
		case next == '}' || next == ']':
			_, err := r.d.ReadToken()
			n.to, n.whole = int(r.d.InputOffset()), err == nil
			return err
		case kind == '{' && next != '"' && next != jsontext.KindInvalid:
			return errName // which jsontext sees behind the token, if that ends
		}
		var sub node
		if kind == '{' {
			name, err := r.d.ReadToken()
			if err != nil {
				return err
			}
			sub.name = name.String()
		}
		err := r.value(&sub)
		if sub.kind != 0 {
			n.sub = append(n.sub, sub)
		}
		if err != nil {
			return err
		}
	}
}

var errName = errors.New("a name that is no string")

// unquote returns the text of a string in which jsontext has found no fault. Bytes that
// are not UTF-8 become U+FFFD each.
func unquote(raw []byte) string {
	text, _ := jsontext.AppendUnquote(nil, raw) // the error is about UTF-8
	return string(text)
}
