package endwelltest

import "github.com/endwell-go/endwell"

// wireTraits is what there is to know of a wire besides its frames.
type wireTraits struct {
	voice
	name    string
	dialect string // empty for name
	path    string
	typ     string // content type of a stream
	id      string // header with the request's id; empty for none
	words   map[endwell.Finish]string
	tokens  map[int]string
}

// Content types.
const (
	eventStream    = "text/event-stream; charset=utf-8"
	jsonDocument   = "application/json"
	jsonLines      = "application/x-ndjson"
	awsEventStream = "application/vnd.amazon.eventstream"
)

// requestID is the id of every request.
const requestID = "req_test"

var wires = [wireEnd]wireTraits{
	OpenAI: {
		voice: openaiVoice{}, name: "openai", path: "/v1/chat/completions",
		typ: eventStream, id: "X-Request-Id", words: openaiWords, tokens: openaiTokens,
	},
	Anthropic: {
		voice: anthropicVoice{}, name: "anthropic", path: "/v1/messages",
		typ: eventStream, id: "Request-Id", words: anthropicWords, tokens: anthropicTokens,
	},
	Responses: {
		voice: responsesVoice{}, name: "responses", path: "/v1/responses",
		typ: eventStream, id: "X-Request-Id", words: responsesWords, tokens: openaiTokens,
	},
	Completions: {
		voice: completionsVoice{}, name: "completions", path: "/v1/completions",
		typ: eventStream, id: "X-Request-Id", words: completionsWords, tokens: openaiTokens,
	},
	Gemini: {
		voice: geminiVoice{}, name: "gemini", path: "/v1beta/models/test-model:streamGenerateContent?alt=sse",
		typ: "text/event-stream", words: geminiWords, tokens: googleTokens,
	},
	GeminiArray: {
		voice: geminiVoice{array: true}, name: "gemini-array", dialect: "gemini",
		path: "/v1beta/models/test-model:streamGenerateContent",
		typ:  jsonDocument + "; charset=UTF-8", words: geminiWords, tokens: googleTokens,
	},
	Interactions: {
		voice: interactionsVoice{}, name: "interactions", path: "/v1beta/interactions",
		typ: "text/event-stream", words: interactionsWords, tokens: googleTokens,
	},
	Cohere: {
		voice: cohereVoice{}, name: "cohere", path: "/v2/chat", typ: "text/event-stream", words: cohereWords,
	},
	CohereV1: {
		voice: cohereV1Voice{}, name: "cohere-v1", path: "/v1/chat",
		typ: "application/stream+json", words: cohereWords,
	},
	Ollama: {
		voice: ollamaVoice{}, name: "ollama", path: "/api/chat", typ: jsonLines, words: ollamaWords,
	},
	BedrockConverse: {
		voice: converseVoice{}, name: "bedrock-converse", path: "/model/test-model/converse-stream",
		typ: awsEventStream, id: "X-Amzn-Requestid", words: converseWords, tokens: bedrockTokens,
	},
	BedrockInvoke: {
		voice: invokeVoice{}, name: "bedrock-invoke", path: "/model/test-model/invoke-with-response-stream",
		typ: awsEventStream, id: "X-Amzn-Requestid", words: anthropicWords, tokens: bedrockTokens,
	},
}
