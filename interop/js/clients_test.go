package js_test

// client is a program over an SDK: a function of a file in clients/.
type client struct {
	name     string // in the tables
	file     string
	function string
	// blind says that a call which fails before its first output looks like an answer
	// without text, whatever comes over the wire.
	blind bool
	// chokes names answers that are whole and that the SDK fails at by itself.
	chokes map[string]bool
	hint   string
}

var clients = []client{
	{name: "openai, chat", file: "openai", function: "chat"},
	{name: "openai, chat `.stream()`", file: "openai", function: "chatHelper"},
	{name: "openai, responses", file: "openai", function: "responses"},
	{
		name: "openai, responses `.stream()`", file: "openai", function: "responsesHelper", chokes: map[string]bool{"late": true},
		hint: "It fails at a keep-alive event in front of `response.created`, also without endwell.",
	},
	{name: "@anthropic-ai/sdk", file: "anthropic", function: "create"},
	{name: "@anthropic-ai/sdk, `.stream()`", file: "anthropic", function: "helper"},
	{
		name: "ai + openai chat, `textStream`", file: "vercel", function: "chatText", blind: true,
		hint: "A loop over `textStream` ends without an error when the call fails before its first output, be it refused: that is how `streamText` is meant. Await `finishReason` behind the loop, give `onError`, or read `fullStream`.",
	},
	{name: "ai + openai chat, `textStream`, `finishReason`", file: "vercel", function: "chatAwaited"},
	{name: "ai + openai chat, `textStream`, `onError`", file: "vercel", function: "chatHeeded"},
	{name: "ai + openai chat, `fullStream`", file: "vercel", function: "chatParts"},
	{name: "ai + openai responses, `textStream`, `finishReason`", file: "vercel", function: "responsesAwaited"},
	{name: "ai + openai responses, `fullStream`", file: "vercel", function: "responsesParts"},
	{name: "ai + anthropic, `textStream`, `finishReason`", file: "vercel", function: "anthropicAwaited"},
	{name: "ai + anthropic, `fullStream`", file: "vercel", function: "anthropicParts"},
	{name: "ai + openai-compatible, `textStream`, `finishReason`", file: "vercel", function: "compatibleAwaited"},
	{name: "ai + openai-compatible, `fullStream`", file: "vercel", function: "compatibleParts"},
	{name: "@google/genai", file: "genai", function: "generate"},
	{
		name: "cohere-ai, v2", file: "cohere", function: "chat",
		hint: "An error in the middle of an answer is a finish reason to it. What it fails at is the aborted body.",
	},
	{name: "ollama", file: "ollama", function: "chat"},
}
