package endwelltest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// responsesVoice speaks OpenAI responses. Its finish words are a status of the
// response, or the reason why it is incomplete.
type responsesVoice struct{ openaiFamily }

var responsesWords = map[endwell.Finish]string{
	endwell.FinishStop: "completed", endwell.FinishToolCalls: "completed", endwell.FinishLength: "max_output_tokens",
	endwell.FinishFilter: "content_filter", endwell.FinishFault: "failed",
}

// event numbers an event; the error event counts too.
func (responsesVoice) event(s *speech, typ, members string) string {
	n := s.frames
	s.frames++
	return typed(`{"type":"` + typ + `","sequence_number":` + strconv.Itoa(n) + `,` + members + `}`)
}

// response is the response as it stands: status, error and reason are JSON.
func (responsesVoice) response(s *speech, status, failure, details string) string {
	usage := "null"
	if status != "in_progress" {
		usage = `{"input_tokens":3,"input_tokens_details":{"cached_tokens":0},"output_tokens":5,` +
			`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":8}`
	}
	return `{"id":"resp_test","object":"response","created_at":1796000000,"status":"` + status +
		`","background":false,"error":` + failure + `,"incomplete_details":` + details +
		`,"instructions":null,"max_output_tokens":null,"model":"test-model","output":[` + strings.Join(s.items, ",") +
		`],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":false,` +
		`"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,` +
		`"truncation":"disabled","usage":` + usage + `,"user":null,"metadata":{}}`
}

func (v responsesVoice) begin(s *speech) string {
	response := `"response":` + v.response(s, "in_progress", "null", "null")
	return v.event(s, "response.created", response) + v.event(s, "response.in_progress", response)
}

// say begins a message, unless one goes on.
func (v responsesVoice) say(s *speech, text string) string {
	var begun string
	if !s.open {
		s.open, s.text = true, ""
		begun = v.event(s, "response.output_item.added", v.output(s)+`,"item":{"id":"`+v.message(s)+
			`","type":"message","status":"in_progress","content":[],"role":"assistant"}`) +
			v.event(s, "response.content_part.added", v.part(s)+`,"part":`+v.content(""))
	}
	return begun + v.event(s, "response.output_text.delta", v.part(s)+`,"delta":`+quoted(text)+`,"logprobs":[]`)
}

// close ends a message that goes on.
func (v responsesVoice) close(s *speech) string {
	if !s.open {
		return ""
	}
	s.open = false
	item := `{"id":"` + v.message(s) + `","type":"message","status":"completed","content":[` + v.content(s.text) + `],"role":"assistant"}`
	ended := v.event(s, "response.output_text.done", v.part(s)+`,"text":`+quoted(s.text)+`,"logprobs":[]`) +
		v.event(s, "response.content_part.done", v.part(s)+`,"part":`+v.content(s.text)) +
		v.event(s, "response.output_item.done", v.output(s)+`,"item":`+item)
	s.items = append(s.items, item)
	return ended
}

func (v responsesVoice) call(s *speech, id, name string, arguments []string) []string {
	frames := []string{v.close(s)}
	whole := strings.Join(arguments, "")
	item := func(status, arguments string) string {
		return fmt.Sprintf(`{"id":"fc_%d","type":"function_call","status":%q,"arguments":%s,"call_id":%s,"name":%s}`,
			s.calls, status, quoted(arguments), quoted(id), quoted(name))
	}
	at := fmt.Sprintf(`"item_id":"fc_%d",%s,`, s.calls, v.output(s))
	frames[0] += v.event(s, "response.output_item.added", v.output(s)+`,"item":`+item("in_progress", ""))
	for _, a := range arguments {
		frames = append(frames, v.event(s, "response.function_call_arguments.delta", at+`"delta":`+quoted(a)))
	}
	frames = append(frames, v.event(s, "response.function_call_arguments.done", at+`"arguments":`+quoted(whole)+`,"name":`+quoted(name))+
		v.event(s, "response.output_item.done", v.output(s)+`,"item":`+item("completed", whole)))
	s.items = append(s.items, item("completed", whole))
	return frames
}

func (v responsesVoice) finish(s *speech, _ string) string { return v.close(s) }

// done writes the terminal event.
func (v responsesVoice) done(s *speech) string {
	before := v.close(s)
	switch s.word {
	case "max_output_tokens", "content_filter":
		return before + v.event(s, "response.incomplete",
			`"response":`+v.response(s, "incomplete", "null", `{"reason":"`+s.word+`"}`))
	case "failed":
		return before + v.failed(s, "server_error", "The model failed.")
	default:
		return before + v.event(s, "response.completed", `"response":`+v.response(s, "completed", "null", "null"))
	}
}

func (v responsesVoice) failed(s *speech, code, message string) string {
	failure := `{"code":` + quoted(code) + `,"message":` + quoted(message) + `}`
	return v.event(s, "response.failed", `"response":`+v.response(s, "failed", failure, "null"))
}

func (v responsesVoice) alive(s *speech) string {
	n := strconv.Itoa(s.frames)
	s.frames++
	return typed(`{"type":"keepalive","sequence_number":` + n + `}`)
}

// fault says it twice, as OpenAI does.
func (v responsesVoice) fault(s *speech, token, message string) string {
	return v.event(s, "error", `"error":{"type":`+quoted(token)+`,"code":`+quoted(token)+
		`,"message":`+quoted(message)+`,"param":null}`) + v.failed(s, token, message)
}

func (v responsesVoice) unary(text string) string {
	s := &speech{open: true, text: text}
	v.close(s)
	return v.response(s, "completed", "null", "null")
}

// output is the place of the item that is being written.
func (responsesVoice) output(s *speech) string { return `"output_index":` + strconv.Itoa(len(s.items)) }

// part is the place of its only part.
func (v responsesVoice) part(s *speech) string {
	return `"item_id":"` + v.message(s) + `",` + v.output(s) + `,"content_index":0`
}

func (responsesVoice) message(s *speech) string { return "msg_" + strconv.Itoa(len(s.items)) }

func (responsesVoice) content(text string) string {
	return `{"type":"output_text","annotations":[],"logprobs":[],"text":` + quoted(text) + `}`
}
