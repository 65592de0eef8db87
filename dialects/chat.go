package dialects

import (
	"bytes"
	"maps"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// ChatConfig describes one system that speaks the OpenAI chat wire. The base is
// tolerant: it knows the fields, finish words and error shapes of the whole
// family, so most systems need no more than a name. The zero value of each field
// but Name adds nothing.
type ChatConfig struct {
	// Name is the dialect's name, as in ByName.
	Name string
	// Finish adds finish words, or gives words of the base another class.
	Finish map[string]endwell.Finish
	// Facts says what is special about the system, for people; what is empty is
	// taken from the base.
	Facts Facts
}

// Chat returns a dialect for a system that speaks the OpenAI chat wire, or the
// legacy completions one. It panics without a name.
//
// The answer is settled when every choice that has started has a finish word, and
// ended at the sentinel, data: [DONE], unless that stands in the place of a finish
// word which others have. Sources: wire/openai-family.md §1, §21, §22.
func Chat(c ChatConfig) *Dialect {
	if c.Name == "" {
		panic("dialects: a chat dialect needs a name")
	}
	words := finishWords
	if len(c.Finish) > 0 {
		words = maps.Clone(finishWords)
		maps.Copy(words, c.Finish)
	}
	return &Dialect{
		name: c.Name, family: FamilyChat, facts: c.Facts.or(chatFacts),
		open: reading(sse{}, chat{words: words}),
	}
}

// chatFacts are those of the base.
var chatFacts = Facts{
	Framing:   "SSE",
	Terminal:  "finish_reason of every choice, then data: [DONE]",
	KeepAlive: "comments, blank lines",
	Faults:    "error, network_error, insufficient_system_resource, abort, aborted, repetition",
}

// chat reads the frames of one stream.
type chat struct {
	*chatReading
	words   map[string]endwell.Finish
	choices []choice
	first   [1]choice // where choices begins
	emitted bool
}

// chatReading is what is needed while a frame is read.
type chatReading struct {
	cur   jsonscan.Cursor
	found findings
}

var chatWork scratch[chatReading]

// choice is what is known of one choice.
type choice struct {
	index    int
	finished bool
	emitted  bool
	calls    callIndex
}

var doneWord = []byte("[DONE]")

// parse implements parser.
func (p *chat) parse(f *frame, d *reader) *endwell.Evidence {
	outer := chatWork.lend(&p.chatReading)
	defer chatWork.back(&p.chatReading, outer)
	return p.read(f, d)
}

// read is parse with what it needs at hand.
func (p *chat) read(f *frame, d *reader) *endwell.Evidence {
	if isDone(f.data) && f.kind == frameData && string(f.event) != "error" {
		if p.proven(d) {
			d.state = endwell.Ended
		}
		d.push(endwell.Chunk{Kind: endwell.KindMeta})
		return nil
	}
	if f.kind == frameError || string(f.event) == "error" {
		return d.report(f.data, nil)
	}
	d.begin(&p.cur, f.data)
	p.document(d)
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	return p.verdict(f, d)
}

// proven reports whether the sentinel proves an end. Without any finish word it does,
// since there are hosts that have none, unless something came that may say why: text
// outside of the protocol, or a document that is no part of an answer and has a message, or
// mentions an error. A choice that has said something and has no finish word when another
// one has, was cut (wire/openai-family.md §22.1).
func (p *chat) proven(d *reader) bool {
	finished, cut := false, false
	for i := range p.choices {
		ch := &p.choices[i]
		finished = finished || ch.finished
		cut = cut || ch.emitted && !ch.finished
	}
	if finished {
		return !cut
	}
	return !d.stray
}

// isDone reports whether data is the sentinel. Hosts vary its case, quote it, and
// add to it (wire/openai-family.md §0.1).
func isDone(data []byte) bool {
	if len(data) > 0 && data[0] == '{' {
		return false
	}
	data = bytes.TrimLeft(data, " \t\"")
	return len(data) >= len(doneWord) && data[0] == '[' && bytes.EqualFold(data[:len(doneWord)], doneWord)
}

// document reads the top-level object.
func (p *chat) document(d *reader) {
	c, fd := &p.cur, &p.found
	if !c.Object() {
		fd.other = true
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "choices":
			p.readChoices(d)
		case "usage":
			fd.usage = orSpan(fd.usage, objectSpan(c))
		case "x_groq":
			fd.groq = objectSpan(c)
		case "response":
			fd.readNative(c)
		case "result":
			fd.result = orSpan(fd.result, objectSpan(c))
		case "tool_calls":
			fd.calls = orSpan(fd.calls, arraySpan(c))
		default:
			fd.member(key, c)
		}
	}
}

// readChoices reads the array of choices.
func (p *chat) readChoices(d *reader) {
	c := &p.cur
	if !c.Array() {
		return
	}
	for c.Elem() {
		p.found.known = true
		p.readChoice(d)
	}
}

// turn is what one element of choices says.
type turn struct {
	index          int
	finish, native jsonscan.Str
	text           jsonscan.Str
	delta          bool
	message, usage []byte
	reported       []byte
	fault          bool
}

func (p *chat) readChoice(d *reader) {
	c := &p.cur
	if !c.Object() {
		return
	}
	var t turn
	// The index may follow the delta, so chunks get it afterwards.
	first := len(d.queue)
	var m message
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "index":
			t.index = readIndex(c, t.index)
		case "delta":
			if c.Kind() == '{' {
				t.delta = true
				m = message{}
				p.readMessage(c, &m)
			}
		case "finish_reason":
			p.readFinish(c, &t)
		case "native_finish_reason":
			t.native = orNative(t.native, c)
		case "provider_specific_fields":
			t.native = readSpecific(c, t.native)
		case "message":
			t.message = objectSpan(c)
		case "text":
			t.text, _ = c.Str()
		case "usage":
			t.usage = objectSpan(c)
		case "error":
			t.reported = orReport(t.reported, reportSpan(c))
		}
	}
	if c.Err() != nil {
		return
	}
	p.found.usage = orSpan(p.found.usage, t.usage)
	p.found.reported = orReport(p.found.reported, t.reported)
	p.emit(d, &t, &m, first)
}

// readFinish keeps the finish word; of two the fault wins, else the later one.
func (p *chat) readFinish(c *jsonscan.Cursor, t *turn) {
	s, ok := c.Str()
	if !ok || t.fault {
		return
	}
	t.finish = s
	t.fault = p.classOf(s) == endwell.FinishFault
}

// orNative reads the finish word that the system behind a gateway gave.
func orNative(was jsonscan.Str, c *jsonscan.Cursor) jsonscan.Str {
	s, _ := c.Str()
	return orStr(was, s)
}

// readSpecific reads the object in which LiteLLM keeps that word, in the choice or in
// its delta (wire/openai-family.md §10.1.b).
func readSpecific(c *jsonscan.Cursor, was jsonscan.Str) jsonscan.Str {
	if !c.Object() {
		return was
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == "native_finish_reason" {
			was = orNative(was, c)
		}
	}
	return was
}

// emit pushes what a choice says, in the fixed order.
func (p *chat) emit(d *reader, t *turn, m *message, first int) {
	ch := p.choice(d, t.index)
	once := !t.delta && p.wholeMessage(t, m, ch)
	p.push(d, m, ch)
	if once {
		d.unlearn() // the same again would say nothing
	}
	if len(d.queue) > first && d.queue[len(d.queue)-1].Emission() {
		ch.emitted, p.emitted = true, true
	}
	t.native = orStr(t.native, m.native)
	p.finish(d, t, ch)
	for i := first; i < len(d.queue); i++ {
		d.queue[i].Index = t.index
	}
}

// wholeMessage reads a choice without a delta: that of an answer which is not
// streamed, or of the legacy completions wire. Some hosts repeat the whole message
// at the end, beside delta or instead of it, and some send text beside delta;
// neither counts twice (wire/openai-family.md §13, §18). It reports whether it has read a
// message.
func (p *chat) wholeMessage(t *turn, m *message, ch *choice) bool {
	m.content = t.text
	if t.message == nil || ch.emitted {
		return false
	}
	var c jsonscan.Cursor
	c.Reset(t.message)
	p.readMessage(&c, m)
	return true
}

// finish notes and pushes the finish word of a choice.
func (p *chat) finish(d *reader, t *turn, ch *choice) {
	p.nativeFault(t.native)
	class := p.classOf(t.finish)
	if class == endwell.FinishNone {
		return
	}
	if class == endwell.FinishFault || t.finish.Equal(contextWord) && !p.emitted {
		p.found.finish = t.finish
	}
	if outputFaults[string(t.finish.Raw)] {
		p.found.output = t.finish
	}
	ch.finished = true
	d.state = p.state(d.state)
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: word(t.finish)})
}

// nativeFault notes a fault that a gateway has hidden behind a finish word of its own.
func (p *chat) nativeFault(word jsonscan.Str) {
	switch {
	case word.Empty():
	case outputFaults[string(word.Raw)]:
		p.found.output = word
	case p.classOf(word) == endwell.FinishFault:
		p.found.finish = word
	}
}

// classOf gives the class of a finish word. Absent, null, "" and "null" are not
// finished.
func (p *chat) classOf(s jsonscan.Str) endwell.Finish {
	if s.Empty() || s.Equal("null") {
		return endwell.FinishNone
	}
	if class, ok := p.words[string(s.Raw)]; ok {
		return class
	}
	return endwell.FinishUnknown
}

// maxChoices bounds the choices of one answer; more are taken for the last one and
// make the frame undecodable. Providers allow 128 at most.
const maxChoices = 1024

// choice finds the state of a choice, or starts it.
func (p *chat) choice(d *reader, index int) *choice {
	if p.found.crowded {
		return &p.choices[maxChoices-1]
	}
	for i := range p.choices {
		if p.choices[i].index == index {
			return &p.choices[i]
		}
	}
	if len(p.choices) == maxChoices {
		p.found.crowded = true
		return &p.choices[maxChoices-1]
	}
	if p.choices == nil {
		p.choices = p.first[:0]
	}
	p.choices = append(p.choices, choice{index: index})
	d.state = p.state(d.state)
	return &p.choices[len(p.choices)-1]
}

// state is Settled when every choice that has started has finished.
func (p *chat) state(now endwell.End) endwell.End {
	if now == endwell.Ended {
		return now
	}
	for i := range p.choices {
		if !p.choices[i].finished {
			return endwell.Open
		}
	}
	return endwell.Settled
}
