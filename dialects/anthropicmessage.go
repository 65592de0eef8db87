package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// anthropicWords are the stop reasons (wire/other-families.md §1.b), beside the
// words of other families, which gateways let through.
var anthropicWords = map[string]endwell.Finish{
	"pause_turn": endwell.FinishPause,
	"compaction": endwell.FinishPause, // no answer yet: the caller goes on
}

// start reads message_start. A second one with the same id is a harmless duplicate;
// one with another id, before the first message has stopped, is another answer in
// the same body: an intermediary has asked again (wire/other-families.md §1.g,
// vercel/ai#18331).
func (p *anthropic) start(f *frame, d *reader) *endwell.Evidence {
	var c jsonscan.Cursor
	var id jsonscan.Str
	var usage, content []byte
	c.Reset(p.ev.message)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "id":
			id, _ = c.Str()
		case "usage":
			usage = objectSpan(&c)
		case "content":
			content = arraySpan(&c)
		}
	}
	if p.id != "" && !id.Empty() && !id.Equal(p.id) {
		return d.evidence(endwell.Spliced, f.data)
	}
	if p.id == "" {
		p.id = id.String()
	}
	if !p.started {
		// Blocks that a hosted program has written come with the message itself.
		p.blocks(d, content)
	}
	p.started = true
	d.pushUsage(usage, nil)
	return nil
}

// stop reads a stop reason and the usage beside it; usage is cumulative.
func (p *anthropic) stop(f *frame, d *reader, word jsonscan.Str, usage []byte) *endwell.Evidence {
	class := wordClass(anthropicWords, word)
	switch {
	case outputFaults[string(word.Raw)]:
		return d.finishFault(endwell.BadOutput, word, f.data)
	case class == endwell.FinishFault, word.Equal(contextWord) && !p.emitted:
		return d.finishFault(endwell.Reported, word, f.data)
	case word.Equal("tool_use") && !p.tools && len(p.open) == 0:
		// The caller would wait for the result of a call that it never got
		// (claude-code#40240). Any block that may be a call counts as one.
		return d.finishFault(endwell.BadOutput, word, f.data)
	}
	if class != endwell.FinishNone {
		p.finished = true
		d.state = p.state()
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: anthropicWord(word)})
	}
	d.pushUsage(usage, nil)
	return nil
}

// anthropicWord returns a stop reason, without allocating for the most common.
func anthropicWord(s jsonscan.Str) string {
	switch string(s.Raw) {
	case "end_turn":
		return "end_turn"
	case "tool_use":
		return "tool_use"
	default:
		return s.String()
	}
}

// sentinel reads the chat family's sentinel. After a stop reason it stands for
// message_stop, as on Copilot's route; without one it proves nothing, since
// gateways make it up after a cut (wire/other-families.md §1.a).
func (p *anthropic) sentinel(d *reader) *endwell.Evidence {
	if p.finished {
		p.flush(d)
		d.state = endwell.Ended
	}
	d.push(endwell.Chunk{Kind: endwell.KindMeta})
	return nil
}

// unary reads an answer that is not streamed. When one follows what has been
// streamed, it repeats it.
func (p *anthropic) unary(f *frame, d *reader) *endwell.Evidence {
	if !p.ev.answer {
		return nil
	}
	if !p.emitted {
		p.blocks(d, p.ev.content)
		p.emitted = len(d.queue) > 0
	}
	if ev := p.stop(f, d, p.ev.stop, p.ev.usage); ev != nil {
		return ev
	}
	if p.finished {
		d.seal()
	}
	return nil
}

// state is Settled when there is a stop reason and no block is open.
func (p *anthropic) state() endwell.End {
	if p.finished && len(p.open) == 0 {
		return endwell.Settled
	}
	return endwell.Open
}
