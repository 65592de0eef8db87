package dialects

import (
	"bytes"
	"io"

	"github.com/endwell-go/endwell"
)

// Dialect is how one system streams: a framing and a wire family, and what is
// special about the system. It is immutable and safe for concurrent use.
type Dialect struct {
	name   string
	family Family
	facts  Facts
	framer func() framer
	parser func() parser
}

// Name returns the name by which ByName finds the dialect.
func (d *Dialect) Name() string { return d.name }

// Family returns the wire family.
func (d *Dialect) Family() Family { return d.family }

// Facts says in a few words, for people, how the system streams.
func (d *Dialect) Facts() Facts { return d.facts }

// Stream decodes the body of a successful response, already decoded from transfer
// and content encoding. The stream owns body: its Close closes it, if it is an
// io.Closer, and the body's Close must unblock its Read. A body with a method
// Drain() has it called first when the answer's sentinel has been seen.
//
// The stream has a method Ready() bool besides: whether the next Recv returns without
// waiting for the body. It may be called where Recv may, and ends the life of the last
// chunk's Raw as Recv does.
//
// The endings are raw: io.EOF for a body that ended cleanly, whole or not, an error
// that wraps what the body's Read returned and endwell.Broken, or an
// *endwell.Evidence. The decorators of middleware
// turn them into the contract's.
func (d *Dialect) Stream(body io.Reader, opt Options) endwell.Stream {
	opt.name, opt.family = d.name, d.family
	r := &reader{body: body, framer: d.framer(), parser: d.parser(), opt: opt, state: endwell.Open}
	r.repeatable, _ = r.framer.(repeatable)
	return r
}

// Refusal makes evidence of an unsuccessful response: its status, header and as
// much of its body as was read, of any content type. header and body may be nil;
// body is copied.
func (d *Dialect) Refusal(status int, header map[string][]string, body []byte) *endwell.Evidence {
	ev := &endwell.Evidence{
		Dialect: d.name, Status: status, Header: header,
		Body: bytes.Clone(body[:min(len(body), maxEvidence)]),
	}
	describe(ev, firstPayload(ev.Body), nil)
	return ev
}

// firstPayload returns the error document of a body: the first payload when the
// body is a stream all the same (wire/openai-family.md §22.8), else the body.
func firstPayload(body []byte) []byte {
	s, f := new(sse), new(frame)
	for rest := body; s.next(rest, true, f); rest = rest[len(f.raw):] {
		if (f.kind == frameData || f.kind == frameError) && len(bytes.TrimSpace(f.data)) > 0 {
			return bytes.Clone(f.data)
		}
	}
	return body
}
