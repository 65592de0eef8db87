package endwelltest

import (
	"slices"
	"strconv"

	"github.com/endwell-go/endwell"
)

// cohereVoice speaks Cohere v2.
type cohereVoice struct{}

var cohereWords = map[endwell.Finish]string{
	endwell.FinishStop: "COMPLETE", endwell.FinishLength: "MAX_TOKENS",
	endwell.FinishToolCalls: "TOOL_CALL", endwell.FinishFault: "ERROR",
}

// cohereFault is a token, if it is one of Cohere's finish words for faults.
func cohereFault(token string) string {
	if slices.Contains([]string{"ERROR", "ERROR_TOXIC", "ERROR_LIMIT", "TIMEOUT"}, token) {
		return token
	}
	return "ERROR"
}

// cohereUsage are the counts of a usage record.
const cohereUsage = `"billed_units":{"input_tokens":3,"output_tokens":5},"tokens":{"input_tokens":3,"output_tokens":5}`

// at is an event of the last block.
func (cohereVoice) at(s *speech, typ, members string) string {
	return typed(`{"type":"` + typ + `","index":` + strconv.Itoa(s.blocks-1) + members + `}`)
}

func (cohereVoice) begin(*speech) string {
	return typed(`{"type":"message-start","id":"msg_test","delta":{"message":{"role":"assistant",` +
		`"content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`)
}

// say begins a block of text, unless one goes on.
func (v cohereVoice) say(s *speech, text string) string {
	var begun string
	if !s.open {
		s.open = true
		s.blocks++
		begun = v.at(s, "content-start", `,"delta":{"message":{"content":{"type":"text","text":""}}}`)
	}
	return begun + v.at(s, "content-delta", `,"delta":{"message":{"content":{"text":`+quoted(text)+`}}}`)
}

// close ends a block of text that goes on.
func (v cohereVoice) close(s *speech) string {
	if !s.open {
		return ""
	}
	s.open = false
	return v.at(s, "content-end", "")
}

func (v cohereVoice) call(s *speech, id, name string, arguments []string) []string {
	closed := v.close(s)
	call := func(typ, members string) string {
		return typed(`{"type":"tool-call-` + typ + `","index":` + strconv.Itoa(s.calls) + members + `}`)
	}
	frames := []string{closed + call("start", `,"delta":{"message":{"tool_calls":{"id":`+quoted(id)+
		`,"type":"function","function":{"name":`+quoted(name)+`,"arguments":""}}}}`)}
	for _, a := range arguments {
		frames = append(frames, call("delta", `,"delta":{"message":{"tool_calls":{"function":{"arguments":`+quoted(a)+`}}}}`))
	}
	return append(frames, call("end", ""))
}

func (v cohereVoice) finish(s *speech, word string) string {
	return v.close(s) + typed(`{"type":"message-end","id":"msg_test","delta":{"finish_reason":`+quoted(word)+
		`,"usage":{`+cohereUsage+`}}}`)
}

func (cohereVoice) done(*speech) string { return event("[DONE]") }

func (cohereVoice) alive(*speech) string { return typed(`{"type":"debug","prompt":""}`) }

// fault hides in the terminal event.
func (v cohereVoice) fault(s *speech, token, message string) string {
	return v.close(s) + typed(`{"type":"message-end","id":"msg_test","delta":{"finish_reason":"`+cohereFault(token)+
		`","error":`+quoted(message)+`}}`) + event("[DONE]")
}

func (cohereVoice) refusal(_ int, _, message string) string {
	return `{"id":"` + requestID + `","message":` + quoted(message) + `}`
}

func (cohereVoice) unary(text string) string {
	return `{"id":"msg_test","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":` +
		quoted(text) + `}]},"usage":{` + cohereUsage + `}}`
}
