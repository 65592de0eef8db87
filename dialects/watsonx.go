package dialects

import (
	"maps"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// watsonxDialects is IBM watsonx.ai: text/chat_stream has the frames of the chat
// family, without the sentinel, and text/generation_stream has results in their
// place (https://cloud.ibm.com/apidocs/watsonx-ai).
func watsonxDialects() []*Dialect {
	return []*Dialect{{
		name: "watsonx", family: FamilyChat, facts: watsonxFacts.or(chatFacts),
		open: reading(sse{}, watsonx{chat: chat{words: watsonxWords}}),
	}}
}

var watsonxFacts = Facts{
	Terminal: "finish_reason of every choice, or stop_reason; no sentinel",
	Faults:   "error, cancelled; event: error with errors and status_code",
	Note:     "the first frame may be {}; not_finished means what it says",
}

// watsonxWords are the finish words of the chat family and those of watsonx.
var watsonxWords = withWatsonx(maps.Clone(finishWords))

func withWatsonx(words map[string]endwell.Finish) map[string]endwell.Finish {
	words["not_finished"] = endwell.FinishNone
	words["token_limit"], words["time_limit"] = endwell.FinishLength, endwell.FinishLength
	words["cancelled"] = endwell.FinishFault
	return words
}

// watsonx reads chat frames and results.
type watsonx struct {
	chat
	input int64 // the prompt's tokens, which only the first result has
}

// parse implements parser.
func (p *watsonx) parse(f *frame, d *reader) *endwell.Evidence {
	outer := chatWork.lend(&p.chatReading)
	defer chatWork.back(&p.chatReading, outer)
	ev := p.read(f, d)
	if ev != nil || p.found.known || len(d.queue) > 0 {
		return ev
	}
	if result := firstOf(memberOf(f.data, "results")); result != nil {
		return p.result(f, d, result)
	}
	return nil
}

// result reads one result, which is one of the pieces of the text.
func (p *watsonx) result(f *frame, d *reader, span []byte) *endwell.Evidence {
	var text, reason jsonscan.Str
	var output int64
	var c jsonscan.Cursor
	c.Reset(span)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "generated_text":
			text, _ = c.Str()
		case "stop_reason":
			reason, _ = c.Str()
		case "generated_token_count":
			output = readCount(&c)
		case "input_token_count":
			p.input = max(p.input, readCount(&c))
		}
	}
	class := p.classOf(reason)
	if class == endwell.FinishFault {
		return d.finishReport(reason, f.data, nil)
	}
	d.pushText(text)
	if class != endwell.FinishNone {
		d.state = endwell.Settled
		d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: reason.String()})
		d.pushCount(endwell.Usage{Input: p.input, Output: output})
	}
	return nil
}

// signWatsonx names the dialect of a frame that only watsonx writes.
func signWatsonx(f *frame) string {
	if memberOf(firstOf(memberOf(f.data, "results")), "generated_text") != nil {
		return "watsonx"
	}
	if memberOf(f.data, "model_id") != nil && memberOf(f.data, "choices") != nil {
		return "watsonx"
	}
	return ""
}
