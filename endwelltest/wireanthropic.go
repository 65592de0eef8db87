package endwelltest

import (
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// anthropicVoice speaks Anthropic messages.
type anthropicVoice struct{}

var anthropicWords = map[endwell.Finish]string{
	endwell.FinishStop: "end_turn", endwell.FinishLength: "max_tokens", endwell.FinishToolCalls: "tool_use",
	endwell.FinishFilter: "refusal", endwell.FinishPause: "pause_turn",
}

var anthropicTokens = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
	404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
	503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error",
}

// anthropicEvents are events without their framing, which is not the same everywhere.
type anthropicEvents struct{}

func (anthropicEvents) begin(*speech) []string {
	return []string{`{"type":"message_start","message":{"id":"msg_test","type":"message","role":"assistant",` +
		`"model":"test-model","content":[],"stop_reason":null,"stop_sequence":null,` +
		`"usage":{"input_tokens":3,"output_tokens":1}}}`}
}

// say begins a block of text, unless one goes on.
func (e anthropicEvents) say(s *speech, text string) (events []string) {
	if !s.open {
		s.open = true
		s.blocks++
		events = append(events, `{"type":"content_block_start",`+e.index(s)+`,"content_block":{"type":"text","text":""}}`)
	}
	return append(events, `{"type":"content_block_delta",`+e.index(s)+`,"delta":{"type":"text_delta","text":`+quoted(text)+`}}`)
}

func (e anthropicEvents) call(s *speech, id, name string, arguments []string) []string {
	events := e.close(s)
	s.blocks++
	events = append(events, `{"type":"content_block_start",`+e.index(s)+`,"content_block":{"type":"tool_use","id":`+
		quoted(id)+`,"name":`+quoted(name)+`,"input":{}}}`)
	for _, a := range arguments {
		events = append(events, `{"type":"content_block_delta",`+e.index(s)+
			`,"delta":{"type":"input_json_delta","partial_json":`+quoted(a)+`}}`)
	}
	return append(events, `{"type":"content_block_stop",`+e.index(s)+`}`)
}

func (e anthropicEvents) finish(s *speech, word string) []string {
	return append(e.close(s), `{"type":"message_delta","delta":{"stop_reason":`+quoted(word)+
		`,"stop_sequence":null},"usage":{"input_tokens":3,"output_tokens":5}}`)
}

// close ends a block of text that goes on.
func (e anthropicEvents) close(s *speech) []string {
	if !s.open {
		return nil
	}
	s.open = false
	return []string{`{"type":"content_block_stop",` + e.index(s) + `}`}
}

// index is that of the last block.
func (anthropicEvents) index(s *speech) string { return `"index":` + strconv.Itoa(s.blocks-1) }

func (anthropicVoice) begin(s *speech) string { return allTyped(anthropicEvents{}.begin(s)) }

func (anthropicVoice) say(s *speech, text string) string {
	return allTyped(anthropicEvents{}.say(s, text))
}

func (anthropicVoice) call(s *speech, id, name string, arguments []string) []string {
	events := anthropicEvents{}.call(s, id, name, arguments)
	for i := range events {
		events[i] = typed(events[i])
	}
	return events
}

func (anthropicVoice) finish(s *speech, word string) string {
	return allTyped(anthropicEvents{}.finish(s, word))
}

func (anthropicVoice) done(*speech) string { return typed(`{"type":"message_stop"}`) }

func (anthropicVoice) alive(*speech) string { return typed(`{"type":"ping"}`) }

func (v anthropicVoice) fault(_ *speech, token, message string) string {
	return typed(v.refusal(0, token, message))
}

func (anthropicVoice) refusal(_ int, token, message string) string {
	return `{"type":"error","error":{"type":` + quoted(token) + `,"message":` + quoted(message) + `},"request_id":"` + requestID + `"}`
}

func (anthropicVoice) unary(text string) string {
	return `{"id":"msg_test","type":"message","role":"assistant","model":"test-model","content":[{"type":"text","text":` + quoted(text) +
		`}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":5}}`
}

// allTyped are events as they follow each other.
func allTyped(events []string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(typed(e))
	}
	return b.String()
}
