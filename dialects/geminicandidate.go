package dialects

import (
	"slices"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// geminiCandidate is what is known of one candidate.
type geminiCandidate struct {
	index    int
	finished bool
	calls    int         // tool calls so far
	call     *geminiCall // the one that is streamed; nil for none
}

// readCandidates reads the array of candidates.
func (p *gemini) readCandidates(d *reader) {
	c := &p.cur
	p.found.known = true
	if !c.Array() {
		return
	}
	for c.Elem() {
		p.readCandidate(d)
	}
}

// readCandidate reads one candidate. Its index may follow its content, and is 0 when
// absent, so chunks get it afterwards.
func (p *gemini) readCandidate(d *reader) {
	c := &p.cur
	if !c.Object() {
		return
	}
	var index int
	var word jsonscan.Str
	first := len(d.queue)
	p.spans = p.spans[:0]
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "content":
			p.readContent(d)
		case "index":
			index = readIndex(c, index)
		case "finishReason":
			if s := readGeminiFinish(c); !s.Empty() {
				word = s
			}
		case "finishMessage":
			p.found.message, _ = c.Str()
		}
	}
	if c.Err() != nil {
		return
	}
	p.found.said = true
	k := p.candidate(d, index)
	for _, span := range p.spans {
		k.pushCall(d, span)
	}
	k.stamp(d, first)
	p.found.emitted = p.found.emitted || len(d.queue) > first
	p.finish(d, word, k)
}

// stamp puts the candidate's chunks in the fixed order of a frame and gives them
// its index, and the state of the answer now that it has started.
func (k *geminiCandidate) stamp(d *reader, first int) {
	chunks := d.queue[first:]
	if !slices.IsSortedFunc(chunks, byFrameRank) {
		slices.SortStableFunc(chunks, byFrameRank)
	}
	for i := range chunks {
		chunks[i].Index, chunks[i].End = k.index, d.state
	}
}

// candidate finds the state of a candidate, or starts it.
func (p *gemini) candidate(d *reader, index int) *geminiCandidate {
	if p.found.crowded {
		return &p.candidates[maxChoices-1]
	}
	for i := range p.candidates {
		if p.candidates[i].index == index {
			return &p.candidates[i]
		}
	}
	if len(p.candidates) == maxChoices {
		p.found.crowded = true
		return &p.candidates[maxChoices-1]
	}
	if p.candidates == nil {
		p.candidates = p.first[:0]
	}
	p.candidates = append(p.candidates, geminiCandidate{index: index})
	p.settle(d)
	return &p.candidates[len(p.candidates)-1]
}

// finish notes and pushes the finish word of a candidate. Gemini has no word for
// tool calls: STOP after one is it (wire/other-families.md §2.b). A fault is left
// for the verdict, as the frame may report something worse.
func (p *gemini) finish(d *reader, word jsonscan.Str, k *geminiCandidate) {
	w := geminiFinish(word)
	switch w.class {
	case endwell.FinishNone:
		return
	case endwell.FinishFault:
		p.found.finish = word
	case endwell.FinishStop:
		if k.calls > 0 {
			w.class = endwell.FinishToolCalls
		}
	default:
	}
	k.finished = true
	p.settle(d)
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Index: k.index, Finish: w.class, Detail: w.text})
}

// readContent reads the parts of a candidate.
func (p *gemini) readContent(d *reader) {
	c := &p.cur
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "parts" && c.Array() {
			for c.Elem() {
				p.readPart(d)
			}
		}
	}
}

// byFrameRank orders the chunks of a frame: reasoning comes before text, and otherwise
// the order of the kinds is that of a frame.
func byFrameRank(a, b endwell.Chunk) int { return frameRank(a.Kind) - frameRank(b.Kind) }

func frameRank(k endwell.Kind) int {
	if k == endwell.KindReasoning {
		return 0
	}
	return int(k)
}

// readPart reads one part. A thought is reasoning, whatever it holds; a part with
// nothing but a thoughtSignature says nothing for people (wire/other-families.md
// §2.f). Tool calls are kept, since they are numbered by candidate.
func (p *gemini) readPart(d *reader) {
	c := &p.cur
	if !c.Object() {
		return
	}
	var text jsonscan.Str
	var thought, output bool
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "text":
			text, _ = c.Str()
		case "thought":
			thought, _ = c.Bool()
		case "functionCall":
			if span := objectSpan(c); span != nil {
				p.spans = append(p.spans, span)
			}
		case "inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse":
			output = output || objectSpan(c) != nil
		}
	}
	switch {
	case c.Err() != nil:
	case thought:
		d.pushDetail(endwell.KindReasoning, text)
	default:
		d.pushText(text)
		if output {
			d.push(endwell.Chunk{Kind: endwell.KindOutput})
		}
	}
}
