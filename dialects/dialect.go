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
	open   func() *reader
}

// Name returns the name by which ByName finds the dialect.
func (d *Dialect) Name() string { return d.name }

// Family returns the wire family.
func (d *Dialect) Family() Family { return d.family }

// Facts says in a few words, for people, how the system streams.
func (d *Dialect) Facts() Facts { return d.facts }

// Stream decodes the body of a successful response, already decoded from transfer
// and content encoding. The stream owns body: its Close closes it, if it is an
// io.Closer, and the body's Close must unblock its Read. What its Read fills is other
// streams' afterwards, so it must not hold on to that, as io.Reader says. A body with a
// method Drain() has it called before Close when the answer's sentinel has been seen,
// unless it is being read; it is not read any more then.
//
// The stream has a method RecvReady() bool besides: whether the next Recv returns without
// waiting for the body; and RecvRef() (*endwell.Chunk, error), which is Recv without a
// copy of the chunk. They may be called where Recv may, and end the life of the last
// chunk's Raw as Recv does; a chunk that was lent must not be changed. Events() (framed,
// last bool) says whether the body is read as Server-Sent Events, and whether the last
// frame was one.
//
// The endings are raw: io.EOF for a body that ended cleanly, whole or not, an error
// that wraps what the body's Read returned and endwell.Broken, or an
// *endwell.Evidence. The decorators of middleware
// turn them into the contract's.
func (d *Dialect) Stream(body io.Reader, opt Options) endwell.Stream {
	return d.stream(body, opt)
}

func (d *Dialect) stream(body io.Reader, opt Options) *reader {
	opt.dialect = d
	r := d.open()
	r.body, r.opt, r.state = body, opt, endwell.Open
	return r
}

// reading returns what makes the reader of a stream, with the framer and the parser that
// are given as they begin: all of it is one piece of memory.
func reading[F, P any, FP interface {
	*F
	framer
}, PP interface {
	*P
	parser
}](f F, p P) func() *reader {
	return func() *reader {
		r := &struct {
			reader
			f F
			p P
		}{f: f, p: p}
		r.framer, r.parser = FP(&r.f), PP(&r.p)
		return &r.reader
	}
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
