package dialects

import (
	"strings"

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
		framer: func() framer { return new(geminiFramer) },
		parser: func() parser { return new(interactions) },
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
	cur     jsonscan.Cursor
	id      string // of the interaction
	emitted bool   // a step has said something
	calls   []interactionsCall
	event   interactionsEvent
}

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
	if f.kind == frameError || f.kind != frameClose && string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	if f.kind == frameClose || isDone(f.data) && f.kind == frameData {
		if d.state == endwell.MayEnd {
			d.state = endwell.Ended
		}
		return nil
	}
	p.event = interactionsEvent{}
	p.cur.Reset(f.data)
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
		default:
			if !ev.whole.member(key, c) {
				ev.member(key, c)
			}
		}
	}
}

// kind is the event's type, "" for none.
func (ev *interactionsEvent) kind() []byte {
	if ev.eventType.Empty() {
		return ev.plainType.Raw
	}
	return ev.eventType.Raw
}

// verdict judges an event that could be decoded.
func (p *interactions) verdict(f *frame, d *reader) *endwell.Evidence {
	ev := &p.event
	kind := string(ev.kind())
	if kind == "" {
		kind = string(f.event)
	}
	ev.known = strings.Contains(kind, ".") || ev.whole.object
	ev.faulty = kind == "error"
	ev.coded = ev.coded || errorType(ev.plainType)
	switch {
	case ev.other:
		return p.notObject(f, d)
	case ev.fault():
		return d.report(f.data, ev.span())
	case kind == "interaction.created", kind == "interaction.start":
		return p.created(f, d)
	case strings.HasSuffix(kind, ".start"):
		p.start(d)
	case strings.HasSuffix(kind, ".delta"):
		p.push(d, &ev.part, ev.index)
	case strings.HasSuffix(kind, ".stop"):
		p.endCall(d, ev.index)
	case kind == "interaction.completed", kind == "interaction.complete":
		return p.completed(f, d)
	case kind == "" && ev.whole.object:
		return p.unary(f, d)
	case strings.HasPrefix(kind, "interaction."):
		return p.status(f, d, kind)
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
			return p.parse(&frame{data: first, kind: f.kind, n: f.n}, d)
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
