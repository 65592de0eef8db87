package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// FamilyReplicate is Replicate's stream of a prediction's output.
const FamilyReplicate Family = "replicate"

// replicateDialects is Replicate (https://replicate.com/docs/reference/streaming).
func replicateDialects() []*Dialect {
	return []*Dialect{{
		name: "replicate", family: FamilyReplicate, facts: replicateFacts,
		open: reading(replicateFrames{sse: sse{text: true}}, replicate{}),
	}}
}

var replicateFacts = Facts{
	Framing:   "SSE, with plain text in event: output",
	Terminal:  "event: done with {}",
	KeepAlive: "comments",
	Faults:    "event: error; event: done with reason error or canceled",
	Note:      "the sentinel carries no finish word",
}

// replicateFrames marks output with a first byte of its own, since blank output is
// output too, and no other family has a payload that may be blank.
type replicateFrames struct {
	sse
	marked []byte
}

const replicateMark = '='

// next implements framer.
func (r *replicateFrames) next(b []byte, eof bool, f *frame) bool {
	if !r.sse.next(b, eof, f) {
		return false
	}
	if replicateOutput(f) {
		r.marked = append(append(r.marked[:0], replicateMark), f.data...)
		f.data = r.marked
	}
	return true
}

// replicate reads the events of one prediction, or the prediction itself.
type replicate struct{ *replicateReading }

// replicateReading is what is needed while a frame is read.
type replicateReading struct {
	cur   jsonscan.Cursor
	found findings
}

var replicateWork scratch[replicateReading]

// parse implements parser.
func (p *replicate) parse(f *frame, d *reader) *endwell.Evidence {
	if ev := reportedOutside(f, d); ev != nil {
		return ev
	}
	if replicateOutput(f) {
		d.pushText(jsonscan.Str{Raw: f.data[1:]})
		return nil
	}
	if string(f.event) != "done" && (len(f.event) > 0 || !looksJSON(f.data) || isDone(f.data)) {
		return nil
	}
	outer := replicateWork.lend(&p.replicateReading)
	defer replicateWork.back(&p.replicateReading, outer)
	p.cur.Reset(f.data)
	doc := p.document()
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	switch {
	case string(f.event) == "done":
		return p.done(f, d, doc.reason)
	case firstOf(f.data) != nil:
		return strayValue(p, f, d)
	case p.found.fault():
		return d.report(f.data, p.found.span())
	}
	return p.prediction(f, d, &doc)
}

// replicateDocument is what the end says, or a prediction that is not streamed.
type replicateDocument struct {
	reason, status jsonscan.Str
	text           jsonscan.Str
	texts          []byte // output as an array
}

func (p *replicate) document() (doc replicateDocument) {
	c := &p.cur
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "reason":
			doc.reason, _ = c.Str()
		case "output":
			if s, ok := c.Str(); ok {
				doc.text = s
			} else {
				doc.texts = arraySpan(c)
			}
		case "status":
			if s, ok := c.Str(); ok {
				doc.status, p.found.known = s, replicateStatus(s)
				p.found.statusText(s)
			} else {
				p.found.member(key, c)
			}
		default:
			p.found.member(key, c)
		}
	}
	return doc
}

// replicateStatus reports whether a status is that of a prediction.
func replicateStatus(s jsonscan.Str) bool {
	switch string(s.Raw) {
	case "starting", "processing", "succeeded", "failed", "canceled", "aborted":
		return true
	}
	return false
}

// done takes the end. A reason is given only for one that is not a success.
func (p *replicate) done(f *frame, d *reader, reason jsonscan.Str) *endwell.Evidence {
	if p.found.fault() || reason.Equal("error") || reason.Equal("canceled") {
		return d.finishReport(reason, f.data, p.found.span())
	}
	d.state = endwell.Settled
	if !reason.Empty() {
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishUnknown, Detail: reason.String()})
	}
	d.seal()
	return nil
}

// prediction reads a prediction that is not streamed. It is whole when it has
// succeeded, and not yet an answer when it goes on.
func (p *replicate) prediction(f *frame, d *reader, doc *replicateDocument) *endwell.Evidence {
	switch string(doc.status.Raw) {
	case "failed", "canceled", "aborted":
		return d.finishReport(doc.status, f.data, nil)
	case "succeeded":
	default:
		return nil
	}
	d.pushText(doc.text)
	var c jsonscan.Cursor
	c.Reset(doc.texts)
	for c.Array(); c.Elem(); {
		s, _ := c.Str()
		d.pushText(s)
	}
	d.state = endwell.Settled
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: "succeeded"})
	d.seal()
	return nil
}

// signReplicate names the dialect of a frame that only Replicate writes: its output
// events have ids of two numbers, and are no JSON, unless the model writes JSON.
func signReplicate(f *frame) string {
	if replicateOutput(f) && !looksJSON(f.data) {
		return "replicate"
	}
	return ""
}

// replicateOutput reports whether a frame is an event of output, by its name alone.
func replicateOutput(f *frame) bool { return f.kind == frameData && string(f.event) == "output" }
