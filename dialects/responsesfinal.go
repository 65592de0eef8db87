package dialects

import (
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// responsesFinal is a response object, as the last event and an answer that is not
// streamed have it.
type responsesFinal struct {
	status, text  jsonscan.Str
	report        []byte
	reason        jsonscan.Str
	output, usage []byte
}

func (r *responsesFinal) read(span []byte) {
	var c jsonscan.Cursor
	c.Reset(span)
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "status":
			r.status, _ = c.Str()
		case "output_text":
			r.text, _ = c.Str()
		case "error":
			r.report = orReport(r.report, reportSpan(&c))
		case "incomplete_details":
			r.readReason(&c)
		case "output":
			r.output = arraySpan(&c)
		case "usage":
			r.usage = objectSpan(&c)
		}
	}
}

func (r *responsesFinal) readReason(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "reason" {
			r.reason, _ = c.Str()
		}
	}
}

// final reads the final response. name is the event's, without its prefix; "" for
// an answer that is not streamed.
func (p *responses) final(f *frame, d *reader, name string, response []byte) *endwell.Evidence {
	var r responsesFinal
	r.read(response)
	word := r.word(name)
	switch {
	case word.Equal("failed"), r.report != nil && !emptyReport(r.report):
		return responsesReport(f, d, r.report)
	case word.Equal("cancelled"), word.Equal("canceled"):
		return d.finishFault(endwell.Reported, word, f.data)
	}
	if word.Empty() {
		return nil
	}
	p.rest(d, &r)
	d.state = endwell.Settled
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: p.class(word, r.reason), Detail: responsesWord(word)})
	d.pushUsage(r.usage, nil)
	d.seal()
	return nil
}

// word is the response's status, if that is an ending, else what the event says:
// some servers leave the status as it was. It is empty when neither ends anything.
func (r *responsesFinal) word(name string) jsonscan.Str {
	switch string(r.status.Raw) {
	case "in_progress", "queued", "":
		if name == "done" {
			name = "completed"
		}
		return jsonscan.Str{Raw: []byte(name)}
	}
	return r.status
}

// responsesReport makes evidence of an event that reports a failure. The names of
// the event and of the status are no types of errors.
func responsesReport(f *frame, d *reader, span []byte) *endwell.Evidence {
	ev := d.report(f.data, span)
	if ev.Type == "failed" || strings.HasPrefix(ev.Type, responsesPrefix) {
		ev.Type = ""
	}
	return ev
}

// class is the class of a status. There is no word of its own for an answer that
// waits for the results of tool calls, or for a refusal inside a completed one
// (wire/other-families.md §7.b).
func (p *responses) class(word, reason jsonscan.Str) endwell.Finish {
	switch string(word.Raw) {
	case "completed":
		switch {
		case p.emitted[responsesTool]:
			return endwell.FinishToolCalls
		case p.emitted[responsesRefusal]:
			return endwell.FinishFilter
		}
		return endwell.FinishStop
	case "incomplete":
		switch string(reason.Raw) {
		case "max_output_tokens", "max_tokens":
			return endwell.FinishLength
		case "content_filter":
			return endwell.FinishFilter
		}
	}
	return endwell.FinishUnknown
}

func responsesWord(s jsonscan.Str) string {
	if s.Equal("completed") {
		return "completed"
	}
	return s.String()
}

// rest pushes what the final response holds and no event has brought. It repeats
// the whole answer, so each kind of output counts only when no event brought any of
// it; single calls are told apart.
func (p *responses) rest(d *reader, r *responsesFinal) {
	if !p.emitted[responsesReasoning] && !p.emitted[responsesSummary] {
		p.items(d, r.output, responsesReasoning)
	}
	if !p.emitted[responsesText] {
		p.items(d, r.output, responsesText)
		if !p.emitted[responsesText] {
			p.push(d, responsesText, r.text)
		}
	}
	if !p.emitted[responsesRefusal] {
		p.items(d, r.output, responsesRefusal)
	}
	p.restCalls(d, r.output)
	if !p.emitted[responsesOutput] {
		p.items(d, r.output, responsesOutput)
	}
}

// items pushes what the items of a list hold of one kind.
func (p *responses) items(d *reader, output []byte, kind responsesKind) {
	var c jsonscan.Cursor
	c.Reset(output)
	c.Array()
	for c.Elem() {
		var it responsesItem
		it.read(&c)
		p.item(d, &it, kind)
	}
}

// restCalls completes the calls that events have begun, and begins those that no
// event has: not the ones whose ids have changed, of which there are as many as
// before.
func (p *responses) restCalls(d *reader, output []byte) {
	count, known := 0, len(p.calls)
	var c jsonscan.Cursor
	for _, counting := range [...]bool{true, false} {
		c.Reset(output)
		c.Array()
		for c.Elem() {
			var it responsesItem
			it.read(&c)
			switch {
			case it.kind != responsesTool:
			case counting:
				count++
			case count > known || p.callOf(&it, -1) != nil:
				p.finishCall(d, &it, -1)
			}
		}
	}
	for i := range p.calls {
		p.calls[i].flush(d)
	}
}
