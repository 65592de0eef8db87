package dialects

import (
	"errors"
	"io"
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
		{"chat that was cut, behind a word of another wire", "openai", named(aStart) + frames(chatText("a")), false},
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

// Who is lenient takes a body for whole in which no frame is of a known wire, and no other.
func TestLenient(t *testing.T) {
	role, strange := `{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`, `{"x":1}`
	for _, row := range []struct {
		name, body string
		whole      bool
	}{
		{"a strange frame", frames(strange), true},
		{"strange frames", frames(strange, strange), true},
		{"a frame of chat alone", frames(role), false},
		{"a strange frame before one of chat", frames(strange, role), false},
		{"a strange frame behind one of chat", frames(role, strange), false},
		{"a frame of another wire", named(aStart), false},
		{"a ping alone", frames(`{"type":"ping"}`), false},
		{"a strange frame behind a ping", frames(`{"type":"ping"}`, strange), false},
		{"a text that was cut", frames(chatText("a")), false},
		{"a strange frame behind a text that was cut", frames(chatText("a"), strange), false},
		{"keep-alives alone", ": hi\n\n", false},
		{"nothing", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := hear(MustByName("openai").Stream(bodyOf(row.body), Options{Lenient: true}))
			whole := h.end == io.EOF && len(h.chunks) > 0 && h.chunks[len(h.chunks)-1].End == endwell.Ended
			require.Equal(t, row.whole, whole, "%v %s", h.end, words(h.chunks))
			require.Equal(t, row.body, h.raw)
			strict := hear(MustByName("openai").Stream(bodyOf(row.body), Options{}))
			require.False(t, len(strict.chunks) > 0 && strict.chunks[len(strict.chunks)-1].End == endwell.Ended)
		})
	}
}
