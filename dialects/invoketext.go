package dialects

import (
	"maps"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// invokeText reads the wires of the models on Bedrock that are no more than text
// and a finish word, streamed or not: Amazon Titan (outputText, completionReason;
// results), Meta Llama (generation, stop_reason), Mistral (outputs; choices with a
// message), Cohere Command (generations; text, finish_reason, is_finished), and
// Claude's text completions (completion, stop_reason). Sources:
// wire/other-families.md §6.a; AWS's guide, "Inference request parameters and
// response fields".
//
// The answer is settled when every choice has a finish word, or else at the
// payload with amazon-bedrock-invocationMetrics, which Bedrock adds to the last one.
// A payload of a wire that is not known is other output.
type invokeText struct{ chat }

// invokeWords are the finish words of these models.
var invokeWords = func() map[string]endwell.Finish {
	words := maps.Clone(finishWords)
	maps.Copy(words, map[string]endwell.Finish{
		"FINISH": endwell.FinishStop, "FINISHED": endwell.FinishStop, "STOP_CRITERIA_MET": endwell.FinishStop,
		"STOP_SEQUENCE": endwell.FinishStop, "endoftext": endwell.FinishStop,
		"LENGTH": endwell.FinishLength, "ERROR_LIMIT": endwell.FinishLength,
		"CONTENT_FILTERED": endwell.FinishFilter, "ERROR_TOXIC": endwell.FinishFilter,
	})
	return words
}()

// invokePart is what a payload, or an element of its list, says of one choice.
type invokePart struct {
	some    bool
	index   int
	text    jsonscan.Str
	finish  jsonscan.Str
	message []byte
	calls   []byte
}

// parse implements parser.
func (p *invokeText) parse(f *frame, d *reader) *endwell.Evidence {
	outer := chatWork.lend(&p.chatReading)
	defer chatWork.back(&p.chatReading, outer)
	p.words = invokeWords
	if ev := reportedOutside(f, d); ev != nil || isDone(f.data) {
		return ev
	}
	d.begin(&p.cur, f.data)
	metrics := p.document(d)
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	if p.found.other {
		return strayValue(p, f, d)
	}
	if metrics != nil {
		p.last(d)
	}
	if ev := p.unknown(f, d); ev != nil {
		return ev
	}
	if ev := p.verdict(f, d); ev != nil {
		return ev
	}
	d.pushConverseUsage(metrics)
	if n := len(d.queue); n > 0 && d.queue[n-1].End != d.state {
		d.push(endwell.Chunk{Kind: endwell.KindMeta})
	}
	return nil
}

// unknown judges a payload that says nothing of a choice: within the event stream
// it is output that we do not know, in place of it an error document.
func (p *invokeText) unknown(f *frame, d *reader) *endwell.Evidence {
	fd := &p.found
	switch {
	case fd.answer(), fd.fault():
		return nil
	case f.kind == awsFrame:
		fd.known = true
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
		return nil
	case fd.said:
		return d.report(f.data, nil)
	default:
		return nil
	}
}

// last settles the answer at the last payload.
func (p *invokeText) last(d *reader) {
	for i := range p.choices {
		p.choices[i].finished = true
	}
	d.state = p.state(d.state)
}

// document reads a payload and pushes what it says of choices. It returns the
// metrics that Bedrock adds to the last payload.
func (p *invokeText) document(d *reader) (metrics []byte) {
	c := &p.cur
	if !c.Object() {
		p.found.other = true
		return nil
	}
	var t invokePart
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "outputs", "generations", "results", "choices":
			p.list(d)
		case "amazon-bedrock-invocationMetrics":
			metrics = objectSpan(c)
		case "response", "prompt", "p":
			// Cohere repeats the whole answer in response.
		default:
			if !t.member(key, c) {
				p.found.member(key, c)
			}
		}
	}
	if t.some && c.Err() == nil {
		p.part(d, &t)
	}
	return metrics
}

// list reads a list of choices.
func (p *invokeText) list(d *reader) {
	c := &p.cur
	if !c.Array() {
		return
	}
	for c.Elem() {
		if !c.Object() {
			continue
		}
		var t invokePart
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			t.member(key, c)
		}
		if t.some && c.Err() == nil {
			p.part(d, &t)
		}
	}
}

// member reads a member and reports whether it is one of a choice.
func (t *invokePart) member(key []byte, c *jsonscan.Cursor) bool {
	switch string(key) {
	case "outputText", "generation", "completion", "text":
		t.text, _ = c.Str()
	case "completionReason", "stop_reason", "finish_reason":
		t.finish, _ = c.Str()
	case "message":
		if c.Kind() != '{' {
			return false
		}
		t.message = c.Raw()
	case "tool_calls":
		t.calls = arraySpan(c)
	case "index":
		t.index = readIndex(c, t.index)
		return true
	default:
		return false
	}
	t.some = true
	return true
}

// part pushes what is said of one choice, by the means of the chat wire.
func (p *invokeText) part(d *reader, t *invokePart) {
	p.found.known = true
	var m message
	if t.message != nil {
		var c jsonscan.Cursor
		c.Reset(t.message)
		p.readMessage(&c, &m)
	}
	if !t.text.Empty() {
		m.content = t.text
	}
	m.calls = orSpan(m.calls, t.calls)
	p.emit(d, &turn{index: t.index, finish: t.finish, delta: true}, &m, len(d.queue))
}
