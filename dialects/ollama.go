package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// ollamaDialects are Ollama's own /api/chat and /api/generate; its /v1 speaks the
// chat wire.
func ollamaDialects() []*Dialect {
	return []*Dialect{{
		name: "ollama", family: FamilyOllama, facts: ollamaFacts,
		open: reading(ndjson{}, ollama{}),
	}}
}

// ollamaFacts: wire/other-families.md §4.
var ollamaFacts = Facts{
	Framing:   "NDJSON",
	Terminal:  `"done":true`,
	KeepAlive: "none; silent for minutes while a model is loaded or a prompt is read",
	Faults:    "an error line, in any place",
	Note:      "a clean end without done:true is a known bug of servers (ollama#18359); give First more than 5 min",
}

// ollamaWords are the values of done_reason. load and unload answer a request that
// asked for no text, so they end it as it should (wire/other-families.md §4.b).
var ollamaWords = map[string]endwell.Finish{
	"stop": endwell.FinishStop, "length": endwell.FinishLength,
	"load": endwell.FinishStop, "unload": endwell.FinishStop,
}

// ollama reads the lines of one answer. An answer that is not streamed is one line.
type ollama struct {
	*ollamaReading
	calls   int
	emitted bool
}

// ollamaReading is what is needed while a frame is read.
type ollamaReading struct {
	cur   jsonscan.Cursor
	found findings
	line  ollamaLine
}

var ollamaWork scratch[ollamaReading]

// ollamaLine is what one line says.
type ollamaLine struct {
	content, thinking jsonscan.Str
	image, reason     jsonscan.Str
	calls             []byte
	done              bool
	usage             endwell.Usage
}

// parse implements parser.
func (p *ollama) parse(f *frame, d *reader) *endwell.Evidence {
	outer := ollamaWork.lend(&p.ollamaReading)
	defer ollamaWork.back(&p.ollamaReading, outer)
	if ev := reportedOutside(f, d); ev != nil || isDone(f.data) {
		return ev
	}
	d.begin(&p.cur, f.data)
	p.document()
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	switch {
	case p.found.other:
		return strayValue(p, f, d)
	case p.found.fault():
		return d.report(f.data, p.found.span())
	}
	return p.emit(f, d)
}

// document reads the top-level object. /api/generate has at the top what /api/chat
// has in message (wire/other-families.md §4.f).
func (p *ollama) document() {
	c, fd := &p.cur, &p.found
	if !c.Object() {
		fd.other = true
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "message":
			if c.Object() {
				fd.known = true
				p.message()
			} else {
				fd.member(key, c)
			}
		case "response":
			s, is := c.Str()
			if !is {
				fd.member(key, c)
			}
			fd.known = fd.known || is
			p.line.content = orStr(p.line.content, s)
		case "done":
			var is bool
			p.line.done, is = c.Bool()
			fd.known = fd.known || is
		case "done_reason":
			p.line.reason, _ = c.Str()
		case "prompt_eval_count":
			p.line.usage.Input = readCount(c)
		case "eval_count":
			p.line.usage.Output = readCount(c)
		default:
			if !p.part(key) {
				fd.member(key, c)
			}
		}
	}
}

// message reads the members of the object that was entered.
func (p *ollama) message() {
	for key, ok := p.cur.Key(); ok; key, ok = p.cur.Key() {
		if string(key) == "content" {
			s, _ := p.cur.Str()
			p.line.content = orStr(p.line.content, s)
			continue
		}
		p.part(key)
	}
}

// part reads a member that both places have, and reports whether it is one.
func (p *ollama) part(key []byte) bool {
	switch string(key) {
	case "thinking":
		s, _ := p.cur.Str()
		p.line.thinking = orStr(p.line.thinking, s)
	case "tool_calls":
		p.line.calls = orSpan(p.line.calls, arraySpan(&p.cur))
	case "image":
		p.line.image, _ = p.cur.Str()
	default:
		return false
	}
	return true
}

// emit pushes what a line says.
func (p *ollama) emit(f *frame, d *reader) *endwell.Evidence {
	l := &p.line
	class := wordClass(ollamaWords, l.reason)
	if class == endwell.FinishFault {
		return d.finishReport(l.reason, f.data, nil)
	}
	d.pushDetail(endwell.KindReasoning, l.thinking)
	d.pushText(l.content)
	p.pushCalls(d)
	p.emitted = p.emitted || len(d.queue) > 0
	if !l.image.Empty() || l.done && p.controlReply() {
		p.emitted = true
		d.push(endwell.Chunk{Kind: endwell.KindOutput})
	}
	if l.done {
		p.end(d, class)
	}
	return nil
}

// controlReply reports whether the line says that a model was loaded or unloaded,
// which is all that was asked for. It counts as output, the server's and not the
// model's, so that an answer without text is not taken for an empty one.
func (p *ollama) controlReply() bool {
	return !p.emitted && (p.line.reason.Equal("load") || p.line.reason.Equal("unload"))
}

// end pushes the finish. Old servers give no reason, and so does a runner that went
// away (wire/other-families.md §4.b): it is unknown then, and no fault.
func (p *ollama) end(d *reader, class endwell.Finish) {
	if class == endwell.FinishNone {
		class = endwell.FinishUnknown
	}
	d.state = endwell.Settled
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: word(p.line.reason)})
	d.pushCount(p.line.usage)
	d.seal()
}

// pushCalls pushes tool calls, each of which is whole, with its arguments as an
// object. Models' own parsers number them anew in each line, so the order counts.
func (p *ollama) pushCalls(d *reader) {
	if p.line.calls == nil {
		return
	}
	var c jsonscan.Cursor
	c.Reset(p.line.calls)
	for c.Array(); c.Elem(); {
		if !c.Object() {
			continue
		}
		var id jsonscan.Str
		var fn function
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			switch string(key) {
			case "id":
				id, _ = c.Str()
			case "function":
				fn.read(&c)
			}
		}
		d.push(endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{
			Index: p.calls, ID: id.String(), Name: fn.name.String(), Arguments: fn.args(),
		}})
		p.calls++
	}
}

// orStr returns the first text unless it is empty.
func orStr(a, b jsonscan.Str) jsonscan.Str {
	if a.Empty() {
		return b
	}
	return a
}

// signOllama names the dialect of a frame that only Ollama's own API writes.
func signOllama(f *frame) string {
	var c jsonscan.Cursor
	c.Reset(f.data)
	c.Object()
	var model, done, body bool
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "model":
			_, model = c.Str()
		case "done":
			_, done = c.Bool()
		case "message":
			body = body || c.Kind() == '{'
		case "response":
			body = body || c.Kind() == '"'
		}
	}
	if model && done && body {
		return "ollama"
	}
	return ""
}
