package perf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/bytedance/sonic"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// scanned is the text that was found in a document: decoded, or as it is written.
type scanned struct {
	plain  string
	quoted []byte // what is between the quotes
}

func (s scanned) empty() bool { return s.plain == "" && len(s.quoted) == 0 }

func (s scanned) text() string {
	if s.quoted == nil {
		return s.plain
	}
	var text string
	if err := json.Unmarshal([]byte(`"`+string(s.quoted)+`"`), &text); err != nil {
		return err.Error()
	}
	return text
}

// scan takes the fields out of a document and holds it to be valid.
type scan func(doc []byte) (scanned, error)

type namedScan struct {
	name string
	scan scan
}

// scans are those that are held against each other, endwell's first.
func (f *fields) scans() []namedScan {
	return []namedScan{
		{"endwell, jsonscan", f.cursor()},
		{"jsontext, a walk over tokens", f.jsontext()},
		{"sonic, into a struct", f.into(sonic.Unmarshal)},
		{"encoding/json, into a struct", f.into(json.Unmarshal)},
		{"gjson, Valid and Get", f.gjson},
	}
}

func (f *fields) cursor() scan {
	var c jsonscan.Cursor
	var out [3]jsonscan.Str
	return func(doc []byte) (scanned, error) {
		out = [3]jsonscan.Str{}
		c.Reset(doc)
		f.tree.cursor(&c, &out)
		return scanned{quoted: out[0].Raw}, c.End()
	}
}

func (n *node) cursor(c *jsonscan.Cursor, out *[3]jsonscan.Str) {
	switch {
	case len(n.sub) == 0:
		if s, ok := c.Str(); ok {
			out[n.slot] = s
		}
	case c.Array():
		for c.Elem() {
			n.cursor(c, out)
		}
	case c.Object():
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			if sub := n.named(key); sub != nil {
				sub.cursor(c, out)
			}
		}
	}
}

// jsontext accepts duplicate names and invalid UTF-8, as endwell does, and spares their
// checks.
func (f *fields) jsontext() scan {
	var in bytes.Buffer
	d := jsontext.NewDecoder(&in)
	opts := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	return func(doc []byte) (scanned, error) {
		var out [3][]byte
		in = *bytes.NewBuffer(doc)
		d.Reset(&in, opts...)
		if err := f.tree.tokens(d, &out); err != nil {
			return scanned{}, err
		}
		if _, err := d.ReadToken(); err != io.EOF {
			return scanned{}, errors.Join(errors.New("perf: the document does not end"), err)
		}
		return scanned{quoted: out[0]}, nil
	}
}

func (n *node) tokens(d *jsontext.Decoder, out *[3][]byte) error {
	kind := d.PeekKind()
	switch {
	case len(n.sub) == 0:
		v, err := d.ReadValue()
		if kind == '"' && err == nil {
			out[n.slot] = v[1 : len(v)-1]
		}
		return err
	case kind != '[' && kind != '{':
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for next := d.PeekKind(); next != ']' && next != '}'; next = d.PeekKind() {
		sub := n
		if kind == '{' {
			name, err := d.ReadValue()
			if err != nil {
				return err
			}
			sub = n.named(name[1 : len(name)-1])
		}
		if err := sub.tokensOrSkip(d, out); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (n *node) tokensOrSkip(d *jsontext.Decoder, out *[3][]byte) error {
	if n == nil {
		return d.SkipValue()
	}
	return n.tokens(d, out)
}

func (f *fields) into(unmarshal func([]byte, any) error) scan {
	return func(doc []byte) (scanned, error) {
		text, err := f.decode(unmarshal, doc)
		return scanned{plain: text}, err
	}
}

func (f *fields) gjson(doc []byte) (scanned, error) {
	if !gjson.ValidBytes(doc) {
		return scanned{}, errors.New("perf: gjson refuses the document")
	}
	text := gjson.GetBytes(doc, f.paths[0]).Str
	for _, p := range f.paths[1:] {
		gjson.GetBytes(doc, p)
	}
	return scanned{plain: text}, nil
}
