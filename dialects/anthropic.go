package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// anthropicDialects are those that speak Anthropic messages: Anthropic itself,
// Vertex, Copilot's route, and gateways that are compatible with it.
//
// The answer is settled when a stop reason has come and every block is closed, and
// ended at message_stop. Source: wire/other-families.md §1.
func anthropicDialects() []*Dialect {
	return []*Dialect{{
		name: "anthropic", family: FamilyAnthropic, facts: anthropicFacts,
		open: reading(sse{}, anthropic{}),
	}}
}

var anthropicFacts = Facts{
	Framing:   "SSE",
	Terminal:  "stop_reason with all blocks closed, then message_stop",
	KeepAlive: "ping events, each 15 to 30 s",
	Faults:    "none of its own; error and the like from gateways; tool_use without a call",
	Note: "gateways send data: [DONE] for message_stop, or nothing; pings do not prove progress; " +
		"thinking may be silent for minutes: bounds of 5 min and more",
}

// anthropic reads the frames of one stream.
type anthropic struct {
	*anthropicReading
	id       string // of the message
	started  bool   // message_start has come
	finished bool   // a stop reason has come
	emitted  bool
	tools    bool             // a block that may be a tool call has come
	crowded  bool             // more blocks are open than an answer can have
	open     []anthropicBlock // the blocks that are open
	calls    int              // how many tool calls have begun
}

// anthropicReading is what is needed while a frame is read.
type anthropicReading struct {
	cur jsonscan.Cursor
	ev  anthropicEvent
}

var anthropicWork scratch[anthropicReading]

// anthropicEvent is what one frame says.
type anthropicEvent struct {
	typ            jsonscan.Str
	index          int // of the block, -1 for none
	delta          anthropicDelta
	block, message []byte
	content        []byte // of an answer that is not streamed
	stop           jsonscan.Str
	usage          []byte
	answer         bool // it has the members of a whole answer
	found          findings
}

// anthropicDelta is the delta of a block or of the message.
type anthropicDelta struct {
	typ, text, thinking, json, content, stop jsonscan.Str
	usage                                    []byte
}

// parse implements parser.
func (p *anthropic) parse(f *frame, d *reader) *endwell.Evidence {
	outer := anthropicWork.lend(&p.anthropicReading)
	defer anthropicWork.back(&p.anthropicReading, outer)
	switch {
	case d.state == endwell.Ended:
		return nil
	case typedSentinel(f):
		return p.sentinel(d)
	case f.kind == frameError:
		return d.report(f.data, nil)
	}
	p.ev.index = -1
	d.begin(&p.cur, f.data)
	object := p.ev.read(&p.cur)
	if err := p.cur.End(); err != nil {
		return typedUndecodable(f, d, err)
	}
	if !object {
		return typedStray(p, f, d)
	}
	ev := p.event(f, d)
	if n := len(d.queue); ev == nil && n > 0 {
		p.emitted = p.emitted || d.queue[0].Emission() || d.queue[n-1].Emission()
	}
	if ev == nil && p.crowded {
		return d.evidence(endwell.Unparseable, f.data)
	}
	return ev
}

// read reads the top-level object; false when there is none.
func (e *anthropicEvent) read(c *jsonscan.Cursor) bool {
	if !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			e.typ, _ = c.Str()
		case "index":
			e.index = readIndex(c, e.index)
		case "delta":
			e.delta.read(c)
		case "content_block":
			e.block = objectSpan(c)
		case "message":
			e.message = orSpan(e.message, objectSpan(c))
			e.found.member(key, c)
		case "usage":
			e.usage = objectSpan(c)
		case "content":
			e.answer = e.answer || c.Kind() == '['
			e.content = arraySpan(c)
		case "stop_reason":
			e.stop, _ = c.Str()
		default:
			e.found.member(key, c)
		}
	}
	return true
}

func (a *anthropicDelta) read(c *jsonscan.Cursor) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "type":
			a.typ, _ = c.Str()
		case "text":
			a.text, _ = c.Str()
		case "thinking":
			a.thinking, _ = c.Str()
		case "partial_json":
			a.json, _ = c.Str()
		case "content":
			a.content, _ = c.Str()
		case "stop_reason":
			a.stop, _ = c.Str()
		case "usage":
			a.usage = objectSpan(c)
		}
	}
}

// event says what a frame means by its name.
func (p *anthropic) event(f *frame, d *reader) *endwell.Evidence {
	name := typedName(p.ev.typ, f)
	known := anthropicKnown(string(name))
	switch {
	case string(name) == "error", string(f.event) == "error" && !known:
		return d.report(f.data, nil)
	case typedFault(&p.ev.found, p.ev.typ, known):
		return d.report(f.data, p.ev.found.span())
	case !p.started && anthropicInside(string(name)):
		// Without its beginning nothing tells whose answer it is, and the official
		// SDKs cannot read it either (wire/other-families.md §1.g).
		return d.evidence(endwell.Unparseable, f.data)
	}
	switch string(name) {
	case "content_block_delta":
		p.delta(d)
	case "content_block_start":
		p.begin(d)
	case "content_block_stop":
		p.close(d)
	case "message_start":
		return p.start(f, d)
	case "message_delta":
		return p.stop(f, d, p.ev.delta.stop, orSpan(p.ev.usage, p.ev.delta.usage))
	case "message_stop":
		p.flush(d)
		d.state = endwell.Ended
		d.push(endwell.Chunk{Kind: endwell.KindMeta})
	case "ping":
		d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
	case "message", "":
		return p.unary(f, d)
	}
	return nil
}

func anthropicKnown(name string) bool {
	return anthropicInside(name) || name == "message_start" || name == "ping" || name == "message"
}

// anthropicInside reports whether a frame of that name is part of a message that
// message_start has begun.
func anthropicInside(name string) bool {
	switch name {
	case "content_block_delta", "content_block_start", "content_block_stop", "message_delta", "message_stop":
		return true
	}
	return false
}

// signAnthropic names the dialect of a frame that only this family writes; "" for
// any other.
func signAnthropic(f *frame) string {
	s, ok := readSign(f)
	if !ok {
		return ""
	}
	name := string(s.typ.Raw)
	switch {
	case anthropicInside(name), name == "message_start", name == "vertex_event":
	case name == "ping" && !s.more:
	case name == "message" && s.content == '[' && s.role == '"' && s.stop != 0:
	case name == "error" && !s.number && memberOf(s.report, "type") != nil && memberOf(s.report, "code") == nil:
	default:
		return ""
	}
	return "anthropic"
}
