package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// geminiWord is a finish word of Gemini with its class.
type geminiWord struct {
	text  string
	class endwell.Finish
}

// geminiWords are the values of finishReason (wire/other-families.md §2.b). OTHER,
// IMAGE_OTHER and NO_IMAGE say neither that the answer is good nor what is wrong
// with it: FinishUnknown. FINISH_REASON_UNSPECIFIED is the enum's unused zero, which
// gateways print where Google leaves the field out: not finished. Lower-case words
// come from gateways that translate, and are those of the chat family.
var geminiWords = geminiIndex(map[string]endwell.Finish{
	"STOP":                      endwell.FinishStop,
	"MAX_TOKENS":                endwell.FinishLength,
	"SAFETY":                    endwell.FinishFilter,
	"RECITATION":                endwell.FinishFilter,
	"LANGUAGE":                  endwell.FinishFilter,
	"BLOCKLIST":                 endwell.FinishFilter,
	"PROHIBITED_CONTENT":        endwell.FinishFilter,
	"SPII":                      endwell.FinishFilter,
	"MODEL_ARMOR":               endwell.FinishFilter,
	"ESCALATION":                endwell.FinishFilter,
	"IMAGE_SAFETY":              endwell.FinishFilter,
	"IMAGE_PROHIBITED_CONTENT":  endwell.FinishFilter,
	"IMAGE_RECITATION":          endwell.FinishFilter,
	"MALFORMED_FUNCTION_CALL":   endwell.FinishFault,
	"UNEXPECTED_TOOL_CALL":      endwell.FinishFault,
	"TOO_MANY_TOOL_CALLS":       endwell.FinishFault,
	"MALFORMED_RESPONSE":        endwell.FinishFault,
	geminiSignature:             endwell.FinishFault,
	"OTHER":                     endwell.FinishUnknown,
	"IMAGE_OTHER":               endwell.FinishUnknown,
	"NO_IMAGE":                  endwell.FinishUnknown,
	"FINISH_REASON_UNSPECIFIED": endwell.FinishNone,
})

// geminiSignature is the one fault among the words that is the request's: it did
// not give back a thought's signature.
const geminiSignature = "MISSING_THOUGHT_SIGNATURE"

func geminiIndex(classes map[string]endwell.Finish) map[string]geminiWord {
	words := make(map[string]geminiWord, len(classes))
	for text, class := range classes {
		words[text] = geminiWord{text, class}
	}
	return words
}

// geminiFinish gives the word and its class. It allocates for words only that are
// not Google's.
func geminiFinish(s jsonscan.Str) geminiWord {
	if s.Empty() || s.Equal("null") {
		return geminiWord{}
	}
	if w, ok := geminiWords[string(s.Raw)]; ok {
		return w
	}
	text := s.String()
	if class, ok := finishWords[text]; ok {
		return geminiWord{text, class}
	}
	return geminiWord{text, endwell.FinishUnknown}
}

// readGeminiFinish reads a finish word. Some gateways write the enum's number, of
// which only 0 has a meaning here: not finished.
func readGeminiFinish(c *jsonscan.Cursor) jsonscan.Str {
	if raw, ok := c.Num(); ok {
		if n, _ := jsonscan.Int(raw); n == 0 {
			return jsonscan.Str{}
		}
		return jsonscan.Str{Raw: raw}
	}
	s, _ := c.Str()
	return s
}
