package dialects

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// A whole answer that is read in the dialect of another family was not cut.
func TestForeign(t *testing.T) {
	anthropic := named(aStart, aOpen, aHi, aClose, aReason("end_turn"), aStop)
	chat := frames(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`, chatText("a"), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	for _, row := range []struct {
		name, dialect, body string
		foreign             bool
	}{
		{"Anthropic as chat", "openai", anthropic, true},
		{"chat as Anthropic", "anthropic", chat, true},
		{"chat as responses", "responses", chat, true},
		{"Ollama as chat", "openai", lines(ollamaChat(`"content":"a"`), ollamaDone(ollamaStop)), true},
		{"Cohere as Anthropic", "anthropic", cohereFrames(`{"type":"message-start","id":"x"}`, cohereDelta("0", `"text":"a"`)), true},
		{"chat that was cut before its first word", "openai", frames(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`), false},
		{"chat with an unknown frame alone", "openai", frames(`{"x":1}`), false},
		{"Anthropic that was cut at its start", "anthropic", named(aStart), false},
		{"a ping alone", "anthropic", named(aPing), false},
		{"nothing", "openai", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var ev *endwell.Evidence
			end := hear(MustByName(row.dialect).Stream(bodyOf(row.body), Options{})).end
			is := errors.As(end, &ev) && ev.Kind == endwell.NotAStream
			require.Equal(t, row.foreign, is, "%v", end)
		})
	}
}
