package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// Workers AI has a format of its own beside the chat wire, {"response":"…"}, with no
// finish word, and wraps an answer that is not streamed in a document which says
// whether there is one: {"result":{…},"success":true}
// (wire/openai-family.md §20).

// readNative reads the member "response". Pieces of the text that read as a number or
// as a literal are sent as such.
func (fd *findings) readNative(c *jsonscan.Cursor) {
	switch c.Kind() {
	case '"':
		fd.native, _ = c.Str()
	case '0', 't', 'f':
		fd.native = jsonscan.Str{Raw: c.Raw()}
	default:
		fd.member([]byte("response"), c)
	}
}

// wrapsError reports whether a gateway has put an error document into "response".
func (fd *findings) wrapsError() bool {
	report := memberOf(fd.wrapped, "error")
	return report != nil && !emptyReport(report)
}

// native pushes what a frame says that has no choices.
func (p *chat) native(f *frame, d *reader) *endwell.Evidence {
	fd := &p.found
	d.stray = d.stray || !fd.answer() && fd.mayTellWhy(f.data)
	if fd.result != nil {
		if ev, is := p.nativeResult(f, d); is {
			return ev
		}
	}
	if !fd.native.Empty() || fd.calls != nil {
		p.pushNative(d)
	}
	d.pushUsage(fd.usage, fd.groq)
	return nil
}

func (p *chat) pushNative(d *reader) {
	ch := p.choice(d, 0)
	d.pushText(p.found.native)
	if p.found.calls != nil {
		p.pushCalls(d, p.found.calls, ch)
	}
	ch.emitted, p.emitted = true, true
}

// nativeResult reads an answer that is not streamed, which is whole as it is, and
// reports whether there is one.
func (p *chat) nativeResult(f *frame, d *reader) (ev *endwell.Evidence, is bool) {
	outer := p.found
	p.found = findings{}
	p.cur.Record(nil) // what is noted of the frame stays
	p.cur.Reset(outer.result)
	p.document(d)
	switch {
	case outer.failed, !p.found.answer() && memberOf(outer.result, "response") == nil:
		p.found = outer
		return nil, false
	case p.found.known:
		return p.verdict(f, d), true
	}
	if p.pushNative(d); p.found.fault() {
		return d.report(f.data, p.found.span()), true
	}
	d.pushUsage(p.found.usage, nil)
	d.seal()
	return nil, true
}
