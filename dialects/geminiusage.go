package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// readGeminiUsage reads usageMetadata. Vertex sends one without counts until the end
// (wire/other-families.md §2.f). Output does not hold the thoughts: Google counts
// them apart, and in the total.
func readGeminiUsage(span []byte) (u endwell.Usage) {
	var c jsonscan.Cursor
	c.Reset(span)
	geminiCounters.read(&c, geminiCounters.top, &u)
	return u
}

// geminiCounters has the prompt's count for state, since an answer that goes on with a
// longer prompt is no splice.
var geminiCounters = counters{
	top: func(key []byte) counter {
		switch string(key) {
		case "promptTokenCount":
			return countInput
		case "candidatesTokenCount":
			return countOutput
		case "totalTokenCount":
			return countTotal
		case "thoughtsTokenCount":
			return countReasoning
		case "cachedContentTokenCount":
			return countCached
		}
		return countNone
	},
	state: countInput,
}
