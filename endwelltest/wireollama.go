package endwelltest

import (
	"strconv"

	"github.com/endwell-go/endwell"
)

// ollamaVoice speaks Ollama's own chat.
type ollamaVoice struct{}

var ollamaWords = map[endwell.Finish]string{
	endwell.FinishStop: "stop", endwell.FinishToolCalls: "stop", endwell.FinishLength: "length",
}

const ollamaHead = `{"model":"test-model","created_at":"2026-11-30T13:00:00.000000000Z","message":{"role":"assistant","content":`

// ollamaEnd is how the last line, or the only one, ends after the word.
const ollamaEnd = `,"total_duration":900000000,"load_duration":100000000,"prompt_eval_count":3,` +
	`"prompt_eval_duration":100000000,"eval_count":5,"eval_duration":700000000}`

func (ollamaVoice) begin(*speech) string { return "" }

func (ollamaVoice) say(_ *speech, text string) string {
	return ollamaHead + quoted(text) + `},"done":false}` + "\n"
}

// call is whole, or the beginning of a line.
func (ollamaVoice) call(s *speech, id, name string, arguments []string) []string {
	args, ok := object(arguments)
	line := ollamaHead + `"","tool_calls":[{"id":` + quoted(id) + `,"function":{"index":` + strconv.Itoa(s.calls) +
		`,"name":` + quoted(name) + `,"arguments":` + args
	if ok {
		line += `}}]},"done":false}` + "\n"
	}
	return []string{line}
}

func (ollamaVoice) finish(_ *speech, word string) string {
	return ollamaHead + `""},"done":true,"done_reason":` + quoted(word) + ollamaEnd + "\n"
}

func (ollamaVoice) done(*speech) string { return "" }

func (v ollamaVoice) alive(s *speech) string { return v.say(s, "") }

func (v ollamaVoice) fault(_ *speech, token, message string) string {
	return v.refusal(0, token, message) + "\n"
}

func (ollamaVoice) refusal(_ int, _, message string) string {
	return `{"error":` + quoted(message) + `}`
}

func (ollamaVoice) unary(text string) string {
	return ollamaHead + quoted(text) + `},"done":true,"done_reason":"stop"` + ollamaEnd
}
