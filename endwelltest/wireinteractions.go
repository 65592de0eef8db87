package endwelltest

import (
	"cmp"
	"strconv"

	"github.com/endwell-go/endwell"
)

// interactionsVoice speaks Google's interactions. Its finish words are statuses.
type interactionsVoice struct{}

var interactionsWords = map[endwell.Finish]string{
	endwell.FinishStop: "completed", endwell.FinishToolCalls: "requires_action",
	endwell.FinishLength: "incomplete", endwell.FinishFault: "failed",
}

const interactionsUsage = `"usage":{"total_tokens":8,"total_input_tokens":3,"total_cached_tokens":0,` +
	`"total_output_tokens":5,"total_tool_use_tokens":0,"total_thought_tokens":0}`

// whole is the interaction as it stands.
func (interactionsVoice) whole(status, more string) string {
	return `{"id":"int_test","object":"interaction","model":"test-model","status":` + quoted(status) + more + `}`
}

// step is an event of the last step.
func (interactionsVoice) step(s *speech, typ, members string) string {
	return event(`{"event_type":"step.` + typ + `","index":` + strconv.Itoa(s.blocks-1) + members + `}`)
}

func (v interactionsVoice) begin(*speech) string {
	return event(`{"event_type":"interaction.created","interaction":` + v.whole("in_progress", "") + `}`)
}

// say begins a step of output, unless one goes on.
func (v interactionsVoice) say(s *speech, text string) string {
	var begun string
	if !s.open {
		s.open = true
		s.blocks++
		begun = v.step(s, "start", `,"step":{"type":"model_output"}`)
	}
	return begun + v.step(s, "delta", `,"delta":{"type":"text","text":`+quoted(text)+`}`)
}

// close ends a step of output that goes on.
func (v interactionsVoice) close(s *speech) string {
	if !s.open {
		return ""
	}
	s.open = false
	return v.step(s, "stop", "")
}

func (v interactionsVoice) call(s *speech, id, name string, arguments []string) []string {
	closed := v.close(s)
	s.blocks++
	frames := []string{closed + v.step(s, "start",
		`,"step":{"type":"function_call","id":`+quoted(id)+`,"name":`+quoted(name)+`,"arguments":{}}`)}
	for _, a := range arguments {
		frames = append(frames, v.step(s, "delta", `,"delta":{"type":"arguments_delta","arguments":`+quoted(a)+`}`))
	}
	return append(frames, v.step(s, "stop", ""))
}

func (v interactionsVoice) finish(s *speech, _ string) string { return v.close(s) }

func (v interactionsVoice) done(s *speech) string {
	return v.close(s) + event(`{"event_type":"interaction.completed","interaction":`+
		v.whole(cmp.Or(s.word, "completed"), `,`+interactionsUsage)+`}`)
}

func (interactionsVoice) alive(*speech) string { return "\n\n" }

func (interactionsVoice) fault(_ *speech, token, message string) string {
	return event(`{"event_type":"error","error":{"code":` + quoted(token) + `,"message":` + quoted(message) + `}}`)
}

func (interactionsVoice) refusal(status int, token, message string) string {
	return googleRefusal(status, token, message)
}

func (v interactionsVoice) unary(text string) string {
	return v.whole("completed", `,"steps":[{"type":"model_output","content":[{"type":"text","text":`+quoted(text)+`}]}],`+interactionsUsage)
}
