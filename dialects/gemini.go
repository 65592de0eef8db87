package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// geminiDialects returns the dialect of streamGenerateContent and generateContent,
// of AI Studio, Vertex and Code Assist alike.
//
// Google sends no sentinel, and a finish word may stand on every frame, or on an
// early empty one: the answer may end when every candidate that has started has a
// word, or when the prompt was blocked, and is judged at the close. A JSON array
// must have its bracket besides (wire/other-families.md §2.a).
func geminiDialects() []*Dialect {
	return []*Dialect{{
		name: "gemini", family: FamilyGemini, facts: geminiFacts,
		open: reading(geminiFramer{}, gemini{}),
	}}
}

var geminiFacts = Facts{
	Framing:   "SSE with alt=sse, else a JSON array",
	Terminal:  "finishReason of every candidate or promptFeedback.blockReason, then the close; ] of the array",
	KeepAlive: "none; blank lines are safe",
	Faults: "MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, TOO_MANY_TOOL_CALLS, " +
		"MISSING_THOUGHT_SIGNATURE, MALFORMED_RESPONSE",
	Note: "errors as bare JSON without data:; Code Assist wraps in response; silences of 157 s before the first frame",
}

// gemini reads the frames of one stream.
type gemini struct {
	*geminiReading
	candidates []geminiCandidate
	first      [1]geminiCandidate // where candidates begins
	blocked    bool               // the prompt was
	list       bool               // the framing is a JSON array
	closed     bool               // which has its bracket
	answer     geminiAnswer
}

// geminiReading is what is needed while a frame is read.
type geminiReading struct {
	cur   jsonscan.Cursor
	found geminiFound
	spans [][]byte // the tool calls of the candidate that is being read
}

var geminiWork scratch[geminiReading]

// geminiFound is what a frame says beside its candidates.
type geminiFound struct {
	findings
	block   jsonscan.Str // promptFeedback.blockReason
	id      jsonscan.Str // responseId
	message jsonscan.Str // finishMessage
	said    bool         // it has candidates
	emitted bool         // which say something
}

// parse implements parser.
func (p *gemini) parse(f *frame, d *reader) *endwell.Evidence {
	outer := geminiWork.lend(&p.geminiReading)
	defer geminiWork.back(&p.geminiReading, outer)
	faulty := f.kind == frameError || string(f.event) == "error"
	switch {
	case f.kind == frameClose:
		p.closed = true
		p.settle(d)
		return nil
	case faulty:
		return d.report(f.data, nil)
	case f.kind == frameData && p.sentinel(f, d):
		return nil
	}
	p.list = p.list || f.kind == frameElement
	return p.payload(f, f.data, d)
}

// sentinel reports whether a frame is the sentinel that gateways append, or the
// half of one at the end of the body. Google sends none. Since they append it to
// answers that were cut too, it says nothing unless the answer may end
// (wire/other-families.md §2.a).
func (p *gemini) sentinel(f *frame, d *reader) bool {
	switch {
	case isDone(f.data):
		if d.state == endwell.MayEnd {
			d.state = endwell.Ended
		}
		return true
	case f.tail && d.state == endwell.MayEnd:
		return bytes.HasPrefix(doneWord, bytes.TrimSpace(f.data))
	default:
		return false
	}
}

// payload reads one document: an object, or a list of them.
func (p *gemini) payload(f *frame, doc []byte, d *reader) *endwell.Evidence {
	p.found = geminiFound{}
	d.begin(&p.cur, doc)
	object := p.cur.Kind() == '{'
	p.document(d, 0)
	if err := p.cur.End(); err != nil {
		return p.undecodable(f, doc, err, d)
	}
	if !object {
		return p.notObject(f, doc, d)
	}
	return p.verdict(f, doc, d)
}

// document reads an object of the top level, or the response which Code Assist
// wraps in one: {"response":{…},"traceId":…}.
func (p *gemini) document(d *reader, depth int) {
	c, fd := &p.cur, &p.found
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "candidates":
			p.readCandidates(d)
		case "promptFeedback":
			fd.known = true
			p.readFeedback()
		case "usageMetadata":
			fd.usage = orSpan(fd.usage, objectSpan(c))
		case "responseId":
			fd.id, _ = c.Str()
		case "response":
			if depth == 0 {
				p.document(d, depth+1)
			}
		default:
			fd.member(key, c)
		}
	}
}

// readFeedback reads what was said of the prompt.
func (p *gemini) readFeedback() {
	c := &p.cur
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "blockReason" {
			if s, ok := c.Str(); ok && !s.Equal("BLOCK_REASON_UNSPECIFIED") && !s.Equal("null") {
				p.found.block = s
			}
		}
	}
}

// settle says how complete the answer is.
func (p *gemini) settle(d *reader) {
	if d.state == endwell.Ended {
		return
	}
	d.state = endwell.Open
	if p.complete() && (p.closed || !p.list) {
		d.state = endwell.MayEnd
	}
}

// complete reports whether nothing is owed but what the framing owes: every
// candidate that has started has finished. A list that ends without any candidate
// is complete too, and empty.
func (p *gemini) complete() bool {
	for i := range p.candidates {
		if !p.candidates[i].finished {
			return p.blocked
		}
	}
	return len(p.candidates) > 0 || p.blocked || p.closed
}
