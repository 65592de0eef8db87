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
	case p.answer.another(fd.id, usage.Input):
		return d.evidence(endwell.Spliced, doc)
	}
	if !fd.said && !fd.block.Empty() {
		p.block(d)
	}
	pushCounts(d, usage)
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

// geminiAnswer is by what the frames of one answer are known.
type geminiAnswer struct {
	id     string // responseId
	seen   int    // frames that had it
	prompt int64  // promptTokenCount
}

// another reports whether a frame is of another answer: all frames of one have the
// same responseId (wire/other-families.md §2.g). Gateways that make up an id for
// each frame never repeat one, and those that go on with an answer that was cut send
// a longer prompt: neither is a splice.
func (a *geminiAnswer) another(id jsonscan.Str, prompt int64) bool {
	if id.Empty() {
		return false
	}
	longer := a.prompt > 0 && prompt > a.prompt
	if prompt > 0 {
		a.prompt = prompt
	}
	if id.Equal(a.id) {
		a.seen++
		return false
	}
	spliced := a.seen > 1 && !longer
	a.id, a.seen = id.String(), 1
	return spliced
}

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
	if single := singleCommas(doc); len(single) < len(doc) {
		if top := envelope(single); top["error"] != nil {
			return d.report(single, nil)
		}
	}
	return d.undecodable(f, err)
}

// singleCommas returns doc without the commas that follow a comma.
func singleCommas(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	var str, escaped, comma bool
	for _, b := range doc {
		switch {
		case escaped:
			escaped = false
		case str:
			escaped, str = b == '\\', b != '"'
		case b == ',':
			if comma {
				continue
			}
			comma = true
		case b != ' ' && b != '\t' && b != '\r' && b != '\n':
			comma, str = false, b == '"'
		}
		out = append(out, b)
	}
	return out
}
