package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// What several families have in common: those with a wire of their own, Cohere,
// Ollama, Replicate and watsonx, and partly the chat family.

// reportedOutside judges a frame whose place already says that it reports a fault:
// an event or a field named "error".
func reportedOutside(f *frame, d *reader) *endwell.Evidence {
	if f.kind == frameError || string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	return nil
}

// strayValue judges a payload that is JSON, but no object: one that says nothing is
// tolerated, a list may wrap a document, anything else is not this protocol
// (wire/other-families.md §2.c).
func strayValue(p parser, f *frame, d *reader) *endwell.Evidence {
	var c jsonscan.Cursor
	c.Reset(f.data)
	switch c.Kind() {
	case 'n', 'f', 't':
		return nil
	case '[':
		if first := firstOf(f.data); first != nil {
			return p.parse(&frame{data: first, event: f.event, kind: f.kind}, d)
		}
		return nil
	case '"':
		if s, _ := c.Str(); s.Empty() {
			return nil
		}
	}
	return d.evidence(endwell.Unparseable, f.data)
}

// wordClass gives the class of a finish word: that of the family, else that of the
// chat family, since gateways mix them. Absent, null, "" and "null" are not
// finished.
func wordClass(own map[string]endwell.Finish, s jsonscan.Str) endwell.Finish {
	if s.Empty() || s.Equal("null") {
		return endwell.FinishNone
	}
	if class, ok := own[string(s.Raw)]; ok {
		return class
	}
	if class, ok := finishWords[string(s.Raw)]; ok {
		return class
	}
	return endwell.FinishUnknown
}

// finishReport makes evidence of a finish word that reports a fault, in a frame that
// may say more about it in span.
func (d *reader) finishReport(word jsonscan.Str, doc, span []byte) *endwell.Evidence {
	ev := d.report(doc, span)
	ev.Finish = word.String()
	if ev.Code == "" {
		ev.Code = ev.Finish
	}
	if cohereEvents[ev.Type] {
		ev.Type = "" // the frame's type, and not the failure's
	}
	return ev
}

// emittedSince reports whether the queue has output of the model from there on.
func (d *reader) emittedSince(first int) bool {
	for i := first; i < len(d.queue); i++ {
		if d.queue[i].Emission() {
			return true
		}
	}
	return false
}

// seal makes the frame the last one that is owed: its last chunk says Ended, and the
// ones before do not, since nothing is read after it.
func (d *reader) seal() {
	d.state = endwell.Ended
	if n := len(d.queue); n > 0 {
		d.queue[n-1].End = endwell.Ended
	}
}
