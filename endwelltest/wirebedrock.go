package endwelltest

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// bedrockTokens are the names of exceptions.
var bedrockTokens = map[int]string{
	400: "ValidationException", 401: "UnrecognizedClientException", 403: "AccessDeniedException",
	404: "ResourceNotFoundException", 408: "ModelTimeoutException", 424: "ModelStreamErrorException",
	429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException",
}

// bedrockFamily is what Converse and Invoke share.
type bedrockFamily struct{}

func (bedrockFamily) alive(*speech) string { return "" }

func (bedrockFamily) fault(_ *speech, token, message string) string {
	return awsException(token, message)
}

func (bedrockFamily) refusal(_ int, _, message string) string {
	return `{"message":` + quoted(message) + `}`
}

// converseVoice speaks ConverseStream.
type converseVoice struct{ bedrockFamily }

var converseWords = map[endwell.Finish]string{
	endwell.FinishStop: "end_turn", endwell.FinishLength: "max_tokens", endwell.FinishToolCalls: "tool_use",
	endwell.FinishFilter: "content_filtered", endwell.FinishFault: "malformed_model_output",
}

const converseUsage = `"usage":{"inputTokens":3,"outputTokens":5,"totalTokens":8},"metrics":{"latencyMs":900}`

// block is an event of the last block.
func (converseVoice) block(s *speech, typ, members string) string {
	return awsEvent("contentBlock"+typ, `{"contentBlockIndex":`+strconv.Itoa(s.blocks-1)+members+`,"p":"abcdefgh"}`)
}

func (converseVoice) begin(*speech) string {
	return awsEvent("messageStart", `{"role":"assistant","p":"abcdefgh"}`)
}

// say goes on with a block of text, which begins without a word of its own.
func (v converseVoice) say(s *speech, text string) string {
	if !s.open {
		s.open = true
		s.blocks++
	}
	return v.block(s, "Delta", `,"delta":{"text":`+quoted(text)+`}`)
}

// close ends a block of text that goes on.
func (v converseVoice) close(s *speech) string {
	if !s.open {
		return ""
	}
	s.open = false
	return v.block(s, "Stop", "")
}

func (v converseVoice) call(s *speech, id, name string, arguments []string) []string {
	closed := v.close(s)
	s.blocks++
	frames := []string{closed + v.block(s, "Start", `,"start":{"toolUse":{"toolUseId":`+quoted(id)+`,"name":`+quoted(name)+`}}`)}
	for _, a := range arguments {
		frames = append(frames, v.block(s, "Delta", `,"delta":{"toolUse":{"input":`+quoted(a)+`}}`))
	}
	return append(frames, v.block(s, "Stop", ""))
}

func (v converseVoice) finish(s *speech, word string) string {
	return v.close(s) + awsEvent("messageStop", `{"stopReason":`+quoted(word)+`,"p":"abcdefgh"}`)
}

func (converseVoice) done(*speech) string {
	return awsEvent("metadata", `{`+converseUsage+`,"p":"abcdefgh"}`)
}

func (converseVoice) unary(text string) string {
	return `{"output":{"message":{"role":"assistant","content":[{"text":` + quoted(text) + `}]}},"stopReason":"end_turn",` + converseUsage + `}`
}

// invokeVoice speaks InvokeModelWithResponseStream with a Claude model.
type invokeVoice struct{ bedrockFamily }

// chunk is an event of the model in a message.
func (invokeVoice) chunk(event string) string {
	return awsEvent("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(event))+`","p":"abcdefgh"}`)
}

func (v invokeVoice) chunks(events []string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(v.chunk(e))
	}
	return b.String()
}

func (v invokeVoice) begin(s *speech) string { return v.chunks(anthropicEvents{}.begin(s)) }

func (v invokeVoice) say(s *speech, text string) string {
	return v.chunks(anthropicEvents{}.say(s, text))
}

func (v invokeVoice) call(s *speech, id, name string, arguments []string) []string {
	events := anthropicEvents{}.call(s, id, name, arguments)
	for i := range events {
		events[i] = v.chunk(events[i])
	}
	return events
}

func (v invokeVoice) finish(s *speech, word string) string {
	return v.chunks(anthropicEvents{}.finish(s, word))
}

func (v invokeVoice) done(*speech) string {
	return v.chunk(`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3,"outputTokenCount":5,` +
		`"invocationLatency":900,"firstByteLatency":200}}`)
}

func (invokeVoice) unary(text string) string { return anthropicVoice{}.unary(text) }
