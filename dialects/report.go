package dialects

import (
	"bytes"
	"errors"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// report makes evidence of a frame that reports a fault. span is the value that
// says most, or nil.
func (d *reader) report(doc, span []byte) *endwell.Evidence {
	ev := d.evidence(endwell.Reported, doc)
	describe(ev, doc, span)
	return ev
}

// finishFault makes evidence of a finish word that reports a fault.
func (d *reader) finishFault(kind endwell.EvidenceKind, word jsonscan.Str, doc []byte) *endwell.Evidence {
	ev := d.evidence(kind, doc)
	ev.Code = word.String()
	ev.Finish = ev.Code
	return ev
}

// undecodable judges a payload that is not JSON: half of a document at the end of
// the body is a cut, text that says it is an error is a report, anything else
// cannot be read.
func (d *reader) undecodable(f *frame, err error) *endwell.Evidence {
	text := bytes.TrimSpace(f.data)
	switch {
	case f.tail && (errors.Is(err, jsonscan.ErrUnexpectedEnd) || bytes.HasPrefix(doneWord, text)):
		return d.evidence(endwell.Cut, f.data)
	case saysError(text):
		return d.report(f.data, nil)
	}
	ev := d.evidence(endwell.Unparseable, f.data)
	ev.Cause = err
	return ev
}

// saysError reports whether text is of the form "error: …" or "[ERROR] …", which
// engines write in the place of a payload.
func saysError(text []byte) bool { return afterErrorLabel(text) != nil }

// afterErrorLabel returns what follows the label of a text that says it is an error;
// nil when there is no label.
func afterErrorLabel(text []byte) []byte {
	for _, label := range [...]string{"error:", "[error]"} {
		if len(text) >= len(label) && bytes.EqualFold(text[:len(label)], []byte(label)) {
			return bytes.TrimLeft(text[len(label):len(text):len(text)], " \t")
		}
	}
	return nil
}
