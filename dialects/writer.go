package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// writerDialects is Writer, whose chat is that of the chat family, without the
// sentinel, and whose completions are a wire of their own.
func writerDialects() []*Dialect {
	return []*Dialect{{
		name: "writer", family: FamilyChat, facts: writerFacts.or(chatFacts),
		open: reading(sse{}, writer{chat: chat{words: finishWords}}),
	}}
}

var writerFacts = Facts{
	Terminal: "chat: finish_reason of every choice; completions: a clean close is all there is",
	Note:     "the message repeated beside delta; no sentinel",
}

// writer reads chat frames, and those of completions, {"value":"…"}. The latter say
// nowhere that they are the last, so an answer that has begun may end with any of
// them (public recordings of /v1/completions; writer-sdk-python CompletionChunk).
type writer struct {
	chat
}

// parse implements parser.
func (p *writer) parse(f *frame, d *reader) *endwell.Evidence {
	outer := chatWork.lend(&p.chatReading)
	defer chatWork.back(&p.chatReading, outer)
	ev := p.read(f, d)
	if ev != nil || p.found.known || len(d.queue) > 0 {
		return ev
	}
	var c jsonscan.Cursor
	c.Reset(memberOf(f.data, "value"))
	if s, ok := c.Str(); ok {
		p.value(d, s)
	}
	return nil
}

func (p *writer) value(d *reader, s jsonscan.Str) {
	if d.state == endwell.Open && len(p.choices) == 0 {
		d.state = endwell.MayEnd
	}
	d.pushText(s)
}

// signWriter names the dialect of a frame that only Writer writes: a value and
// nothing else, or a chat frame with its graph data.
func signWriter(f *frame) string {
	var c jsonscan.Cursor
	c.Reset(f.data)
	c.Object()
	key, ok := c.Key()
	if ok && string(key) == "value" {
		_, is := c.Str()
		if _, more := c.Key(); is && !more && c.End() == nil {
			return "writer"
		}
		return ""
	}
	if ok && bytes.Contains(f.data, []byte(`"graph_data":`)) && memberOf(f.data, "choices") != nil {
		return "writer"
	}
	return ""
}
