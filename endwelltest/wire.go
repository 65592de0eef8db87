package endwelltest

import (
	"cmp"

	"github.com/endwell-go/endwell"
)

// Wire is a dialect in which a gateway's steps can speak. Frames of any other one
// are written with [Write].
//
// A wire knows what has been said before on the same answer, as far as its frames
// repeat it: numbers of frames and blocks, the whole text, the calls. The first frame
// sets the Content-Type, and the header with the request's id, unless steps set them
// before.
type Wire uint8

// The wires. The set is closed.
const (
	// OpenAI is OpenAI chat completions (wire/openai-family.md §1). It is the zero
	// value.
	OpenAI Wire = iota
	// Anthropic is Anthropic messages (wire/other-families.md §1).
	Anthropic
	// Responses is OpenAI responses (wire/other-families.md §7).
	Responses
	// Completions is OpenAI's legacy completions, whose prompt is a text.
	Completions
	// Gemini is Google's streamGenerateContent as server-sent events
	// (wire/other-families.md §2).
	Gemini
	// GeminiArray is streamGenerateContent as one JSON array, which is what Google
	// sends unless events are asked for.
	GeminiArray
	// Interactions is Google's interactions (wire/other-families.md §2.g).
	Interactions
	// Cohere is Cohere v2 (wire/other-families.md §3).
	Cohere
	// CohereV1 is Cohere v1, as lines of JSON.
	CohereV1
	// Ollama is Ollama's own chat, as lines of JSON (wire/other-families.md §4).
	Ollama
	// BedrockConverse is AWS Bedrock's ConverseStream, as messages of an AWS event
	// stream (wire/other-families.md §6).
	BedrockConverse
	// BedrockInvoke is AWS Bedrock's InvokeModelWithResponseStream with a Claude
	// model: Anthropic's events, each in a message of an AWS event stream.
	BedrockInvoke

	wireEnd // one past the last wire
)

// Wires returns all wires, in order.
func Wires() []Wire {
	all := make([]Wire, wireEnd)
	for i := range all {
		all[i] = Wire(i)
	}
	return all
}

// WireByName returns the wire whose String is name, and whether there is one.
func WireByName(name string) (Wire, bool) {
	for _, w := range Wires() {
		if w.String() == name {
			return w, true
		}
	}
	return 0, false
}

// String is the wire's name: that of its dialect, and gemini-array.
func (w Wire) String() string {
	if w < wireEnd {
		return wires[w].name
	}
	return "none"
}

// Dialect is the name by which dialects.ByName knows the dialect that reads this
// wire.
func (w Wire) Dialect() string {
	if w < wireEnd {
		return cmp.Or(wires[w].dialect, wires[w].name)
	}
	return "none"
}

// Path is where clients of this wire usually ask for a stream, with the query if
// there is one, such as "/v1/chat/completions".
func (w Wire) Path() string { return w.traits().path }

// Word is the wire's own word for a finish of that class, such as "stop" or
// "end_turn"; empty when it has none.
func (w Wire) Word(class endwell.Finish) string { return w.traits().words[class] }

// Token is the wire's own word for a failure that has that status, such as
// "rate_limit_error" for 429; empty when it has none. Cohere and Ollama have no words
// for failures.
func (w Wire) Token(status int) string { return w.traits().tokens[status] }

// traits is what a wire is. One that does not exist speaks as OpenAI.
func (w Wire) traits() *wireTraits {
	if w < wireEnd {
		return &wires[w]
	}
	return &wires[OpenAI]
}
