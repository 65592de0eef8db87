package endwelltest

import "github.com/endwell-go/endwell"

// completionsVoice speaks OpenAI's legacy completions.
type completionsVoice struct{ openaiFamily }

var completionsWords = map[endwell.Finish]string{
	endwell.FinishStop: "stop", endwell.FinishLength: "length", endwell.FinishFilter: "content_filter",
}

const completionsHead = `{"id":"cmpl-test","object":"text_completion","created":1796000000,"model":"test-model",`

func completionsChoice(text, finish string) string {
	return completionsHead + `"choices":[{"text":` + quoted(text) + `,"index":0,"logprobs":null,"finish_reason":` + finish + `}]`
}

func (completionsVoice) begin(*speech) string { return "" }

func (completionsVoice) say(_ *speech, text string) string {
	return event(completionsChoice(text, "null") + "}")
}

func (completionsVoice) call(*speech, string, string, []string) []string { return nil }

func (completionsVoice) finish(_ *speech, word string) string {
	return event(completionsChoice("", quoted(word)) + "}")
}

func (completionsVoice) done(s *speech) string {
	if s.usage {
		return event(completionsHead+`"choices":[],`+openaiUsage+`}`) + event("[DONE]")
	}
	return event("[DONE]")
}

func (completionsVoice) unary(text string) string {
	return completionsChoice(text, `"stop"`) + "," + openaiUsage + "}"
}
