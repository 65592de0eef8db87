package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// interactionsDialects returns the dialect of Google's Interactions API, with the
// events of its first version too: content.start where there is step.start now.
//
// The answer ends with interaction.completed, which says how in its status
// (wire/other-families.md §2.g). A status_update that says the same is enough for a
// close. The sentinel that follows on some hosts is never waited for.
func interactionsDialects() []*Dialect {
	return []*Dialect{{
		name: "interactions", family: FamilyInteractions, facts: interactionsFacts,
		open: reading(geminiFramer{}, interactions{}),
	}}
}

var interactionsFacts = Facts{
	Framing:   "SSE",
	Terminal:  "interaction.completed",
	KeepAlive: "none",
	Faults:    "status failed, cancelled",
	Note:      "refusals by the content filter as bare JSON without data:, and no terminal",
}

// interactions reads the frames of one stream.
type interactions struct {
	*interactionsReading
	id      string // of the interaction
	emitted bool   // a step has said something
	calls   []interactionsCall
}

// interactionsReading is what is needed while a frame is read.
type interactionsReading struct {
	cur   jsonscan.Cursor
	event interactionsEvent
}

var interactionsWork scratch[interactionsReading]

// interactionsEvent is what a frame says.
type interactionsEvent struct {
	findings
	eventType jsonscan.Str // event_type
	plainType jsonscan.Str // type, which the documentation shows in its place
	index     int
	part      interactionsPart // step, content or delta
	whole     interaction      // interaction, or the document itself
}

// parse implements parser.
func (p *interactions) parse(f *frame, d *reader) *endwell.Evidence {
	outer := interactionsWork.lend(&p.interactionsReading)
	defer interactionsWork.back(&p.interactionsReading, outer)
	if f.kind == frameError || f.kind != frameClose && string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	if f.kind == frameClose || isDone(f.data) && f.kind == frameData {
		if d.state == endwell.MayEnd {
			d.state = endwell.Ended
		}
		return nil
	}
	d.begin(&p.cur, f.data)
	p.document()
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	return p.verdict(f, d)
}

// document reads the top-level object.
func (p *interactions) document() {
	c, ev := &p.cur, &p.event
	if !c.Object() {
		ev.other = true
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "event_type":
			ev.eventType, _ = c.Str()
		case "type":
			ev.plainType, _ = c.Str()
		case "index":
			ev.index = readIndex(c, ev.index)
		case "delta", "step", "content":
			ev.part.read(c)
		case "interaction":
			ev.whole.read(c)
		case "object":
			s, _ := c.Str()
			ev.named(s)
			ev.whole.object = s.Equal("interaction")
		default:
			if !ev.whole.member(key, c) {
				ev.member(key, c)
			}
		}
	}
}

// kind is the event's type: in the document, else the name of the event on the wire.
func (ev *interactionsEvent) kind(f *frame) []byte {
	for _, s := range [...][]byte{ev.eventType.Raw, ev.plainType.Raw} {
		if len(s) > 0 {
			return s
		}
	}
	return f.event
}

// verdict judges an event that could be decoded. Events of other types say nothing.
func (p *interactions) verdict(f *frame, d *reader) *endwell.Evidence {
	ev := &p.event
	kind := ev.kind(f)
	ev.known = bytes.IndexByte(kind, '.') > 0 && !ev.problem(kind) || ev.whole.object
	ev.statusText(ev.whole.status)
	ev.faulty = ev.faulty || string(kind) == "error"
	ev.coded = ev.coded || errorType(ev.plainType)
	switch {
	case ev.other:
		return p.notObject(f, d)
	case ev.fault():
		return d.report(f.data, ev.span())
	case len(kind) == 0 && ev.whole.object:
		return p.unary(f, d)
	}
	switch string(kind) {
	case "step.delta", "content.delta":
		p.push(d, &ev.part, ev.index)
	case "step.start", "content.start":
		p.start(d)
	case "step.stop", "content.stop":
		p.endCall(d, ev.index)
	case "interaction.created", "interaction.start":
		return p.created(f, d)
	case "interaction.completed", "interaction.complete":
		return p.completed(f, d)
	default:
		if status, ok := bytes.CutPrefix(kind, []byte("interaction.")); ok {
			return p.status(f, d, string(status))
		}
	}
	return nil
}

// notObject judges a payload that is JSON, but no object: a list may wrap an error
// document, values that say nothing are tolerated.
func (p *interactions) notObject(f *frame, d *reader) *endwell.Evidence {
	var c jsonscan.Cursor
	c.Reset(f.data)
	switch c.Kind() {
	case 'n', 'f', 't':
		return nil
	case '[':
		if first := firstOf(f.data); first != nil {
			return p.parse(&frame{data: first, kind: f.kind}, d)
		}
		return nil
	}
	return d.evidence(endwell.Unparseable, f.data)
}

// created notes the interaction's id. Another one is another answer; a stream that
// was resumed repeats its own.
func (p *interactions) created(f *frame, d *reader) *endwell.Evidence {
	id := p.event.whole.id
	if id.Empty() {
		return nil
	}
	if p.id != "" && !id.Equal(p.id) {
		return d.evidence(endwell.Spliced, f.data)
	}
	p.id = id.String()
	return nil
}
