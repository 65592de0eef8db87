package decode

import (
	"io"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// Size says how long the text of a frame is.
type Size uint8

const (
	// Long frames have 250 to 350 bytes, as the family's systems send them under
	// load or with metadata.
	Long Size = iota
	// Short frames have one word each.
	Short
)

// Sink receives every piece of text.
type Sink func(text string)

// Reader reads a body to its end, whole, and hands its text to the sink.
type Reader func(f *Feed, to Sink) error

// Pair is one wire family.
type Pair struct {
	// Family names the wire family, for people.
	Family string
	// Dialect is the name of endwell's dialect.
	Dialect string
	// SDK names the module, and how it is used where that is not obvious.
	SDK string
	// Read is the SDK's way through a body.
	Read Reader

	body func(texts []string) *Body
	long int // bytes of text in a long frame
}

// Pairs returns all pairs, in the order of the table.
func Pairs() []Pair {
	return []Pair{
		chat, responses, messages, gemini, cohere, ollama, converse, invoke,
	}
}

// Body returns an answer of n frames with text.
func (p *Pair) Body(n int, size Size) *Body {
	bytes := 1
	if size == Long {
		bytes = p.long
	}
	all := texts(n, bytes)
	b := p.body(all)
	b.Frames, b.Text = n, strings.Join(all, "")
	return b
}

// Endwell returns endwell's way through a body: the dialect, without decorators.
func (p *Pair) Endwell() Reader {
	d := dialects.MustByName(p.Dialect)
	return func(f *Feed, to Sink) error {
		st := d.Stream(f, dialects.Options{})
		end := endwell.Open
		for {
			c, err := st.Recv()
			switch {
			case err == io.EOF && end >= endwell.MayEnd:
				return st.Close()
			case err == io.EOF:
				return io.ErrUnexpectedEOF
			case err != nil:
				return err
			}
			end = c.End
			if c.Kind == endwell.KindText {
				to(c.Text)
			}
		}
	}
}
