package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// verdict judges a document that could be decoded: it returns evidence of the fault
// that it reports, or pushes what is left to push.
func (p *gemini) verdict(f *frame, doc []byte, d *reader) *endwell.Evidence {
	fd := &p.found
	usage := readGeminiUsage(fd.usage)
	switch {
	case fd.crowded:
		return d.evidence(endwell.Unparseable, doc)
	case fd.fault():
		return d.report(doc, fd.span())
	case !fd.finish.Empty():
		return p.finishFault(doc, d)
	case p.answer.another(fd.id, usage.Input, fd.emitted):
		return d.evidence(endwell.Spliced, doc)
	}
	if !fd.said && !fd.block.Empty() {
		p.block(d)
	}
	if !p.answer.settled(fd.id) {
		d.unlearn()
	}
	d.counted(fd.usage, &geminiCounters)
	d.pushCount(usage)
	return nil
}

// finishFault makes evidence of a finish word: what the model wrote could not be
// used, with the details in finishMessage, or the request lacked a thought's
// signature.
func (p *gemini) finishFault(doc []byte, d *reader) *endwell.Evidence {
	fd := &p.found
	kind := endwell.Reported
	if outputFaults[string(fd.finish.Raw)] && !fd.finish.Equal(geminiSignature) {
		kind = endwell.BadOutput
	}
	ev := d.finishFault(kind, fd.finish, doc)
	ev.Message = fd.message.String()
	return ev
}

// block pushes the end of an answer whose prompt was blocked: one frame without
// candidates (wire/other-families.md §2.b).
func (p *gemini) block(d *reader) {
	p.blocked = true
	p.settle(d)
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishFilter, Detail: p.found.block.String()})
}

// geminiAnswer is by what the frames of one answer are known: all have the same
// responseId (wire/other-families.md §2.g).
type geminiAnswer struct {
	id      string
	seen    int   // frames that had it
	emitted bool  // one of them said something
	prompt  int64 // promptTokenCount
	stale   bool  // an answer with another id had said something before
}

// another reports whether a frame is of an answer that was spliced into an earlier
// one. An id must be seen twice before it counts, on one side of the splice, since
// there are gateways that make one up for each frame; and a gateway that goes on
// with an answer which was cut sends a longer prompt, which is no splice.
func (a *geminiAnswer) another(id jsonscan.Str, prompt int64, emitted bool) bool {
	if id.Empty() {
		return false
	}
	longer := a.prompt > 0 && prompt > a.prompt
	if prompt > 0 {
		a.prompt = prompt
	}
	if id.Equal(a.id) {
		a.seen++
		a.emitted = a.emitted || emitted
		return a.stale
	}
	stale := a.emitted && !longer
	if stale && a.seen > 1 {
		return true
	}
	*a = geminiAnswer{id: id.String(), seen: 1, emitted: emitted, prompt: a.prompt, stale: stale}
	return false
}

// settled reports whether another frame with that id changes nothing.
func (a *geminiAnswer) settled(id jsonscan.Str) bool { return id.Empty() || a.seen > 1 }

// notObject judges a payload that is JSON, but no object: error documents come in
// lists, with alt=sse too, and so may chunks (wire/other-families.md §2.c). Values
// that say nothing are tolerated, anything else is not this protocol.
func (p *gemini) notObject(f *frame, doc []byte, d *reader) *endwell.Evidence {
	var c jsonscan.Cursor
	c.Reset(doc)
	switch c.Kind() {
	case 'n', 'f', 't':
		return nil
	case '[':
		c.Array()
		for c.Elem() {
			if span := objectSpan(&c); span != nil {
				if ev := p.payload(f, span, d); ev != nil {
					return ev
				}
			}
		}
		return nil
	case '"':
		if s, _ := c.Str(); s.Empty() {
			return nil
		}
	}
	return d.evidence(endwell.Unparseable, doc)
}

// undecodable judges a payload that is not JSON. Google's error documents arrive
// with doubled commas at times (wire/other-families.md §2.c): without them they are
// read as what they are.
func (p *gemini) undecodable(f *frame, doc []byte, err error, d *reader) *endwell.Evidence {
	if single := withoutDoubledCommas(doc); len(single) < len(doc) {
		if top := envelope(single); top["error"] != nil {
			return d.report(single, nil)
		}
	}
	return d.undecodable(f, err)
}

// withoutDoubledCommas returns doc without the commas that follow a comma.
func withoutDoubledCommas(doc []byte) []byte {
	if !hasDoubledCommas(doc) {
		return doc
	}
	out := make([]byte, 0, len(doc))
	var q geminiCommas
	for _, b := range doc {
		if !q.doubled(b) {
			out = append(out, b)
		}
	}
	return out
}

func hasDoubledCommas(doc []byte) bool {
	var q geminiCommas
	for _, b := range doc {
		if q.doubled(b) {
			return true
		}
	}
	return false
}

// geminiCommas follows JSON text, to know the commas that follow a comma.
type geminiCommas struct{ str, escaped, comma bool }

// doubled reports whether b is one.
func (q *geminiCommas) doubled(b byte) bool {
	switch {
	case q.escaped:
		q.escaped = false
	case q.str:
		q.escaped, q.str = b == '\\', b != '"'
	case b == ',':
		was := q.comma
		q.comma = true
		return was
	case b != ' ' && b != '\t' && b != '\r' && b != '\n':
		q.comma, q.str = false, b == '"'
	}
	return false
}
