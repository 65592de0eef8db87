package endwelltest

import (
	"strconv"

	"github.com/endwell-go/endwell"
)

// openaiVoice speaks OpenAI chat completions.
type openaiVoice struct{ openaiFamily }

var openaiWords = map[endwell.Finish]string{
	endwell.FinishStop: "stop", endwell.FinishLength: "length",
	endwell.FinishToolCalls: "tool_calls", endwell.FinishFilter: "content_filter",
}

// openaiTokens are codes (wire/openai-family.md §1).
var openaiTokens = map[int]string{
	400: "invalid_request_error", 401: "invalid_api_key", 403: "unsupported_country_region_territory",
	404: "model_not_found", 429: "rate_limit_exceeded", 500: "server_error", 503: "server_is_overloaded",
}

// openaiHead is how a chunk begins, openaiUsage a usage record.
const (
	openaiHead = `{"id":"chatcmpl-test","object":"chat.completion.chunk","created":1796000000,"model":"test-model",` +
		`"service_tier":"default","system_fingerprint":"fp_test",`
	openaiUsage = `"usage":{"prompt_tokens":3,"completion_tokens":5,"total_tokens":8}`
)

// openaiDelta is a chunk of one choice.
func openaiDelta(delta, finish string) string {
	return event(openaiHead + `"choices":[{"index":0,"delta":{` + delta + `},"logprobs":null,"finish_reason":` + finish + `}]}`)
}

func (openaiVoice) begin(*speech) string {
	return openaiDelta(`"role":"assistant","content":"","refusal":null`, "null")
}

func (openaiVoice) say(_ *speech, text string) string {
	return openaiDelta(`"content":`+quoted(text), "null")
}

func (openaiVoice) call(s *speech, id, name string, arguments []string) []string {
	call := func(members string) string {
		return openaiDelta(`"tool_calls":[{"index":`+strconv.Itoa(s.calls)+`,`+members+`}]`, "null")
	}
	frames := []string{call(`"id":` + quoted(id) + `,"type":"function","function":{"name":` + quoted(name) + `,"arguments":""}`)}
	for _, a := range arguments {
		frames = append(frames, call(`"function":{"arguments":`+quoted(a)+`}`))
	}
	return frames
}

func (openaiVoice) finish(_ *speech, word string) string { return openaiDelta("", quoted(word)) }

// done ends the stream, after a usage record if the request asked for one.
func (openaiVoice) done(s *speech) string {
	if s.usage {
		return event(openaiHead+`"choices":[],`+openaiUsage+`}`) + event("[DONE]")
	}
	return event("[DONE]")
}

func (openaiVoice) unary(text string) string {
	return `{"id":"chatcmpl-test","object":"chat.completion","created":1796000000,"model":"test-model",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":` + quoted(text) +
		`,"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],` + openaiUsage + `}`
}

// openaiFamily is what the wires of OpenAI share.
type openaiFamily struct{}

func (openaiFamily) alive(*speech) string { return ": keep-alive\n\n" }

func (f openaiFamily) fault(_ *speech, token, message string) string {
	return event(f.refusal(0, token, message))
}

func (openaiFamily) refusal(_ int, token, message string) string {
	return `{"error":{"message":` + quoted(message) + `,"type":` + quoted(token) + `,"param":null,"code":` + quoted(token) + `}}`
}
