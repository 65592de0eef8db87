package classify

// ollamaRules are Ollama's, native and /v1, which has texts and no codes.
// wire/other-families.md §4, wire/openai-family.md §10.5.
var ollamaRules = rules{
	phrases: []phrase{
		{pattern: "model requires more system memory", then: cannotServe},
		{pattern: "the input length exceeds the context length", then: tooLong},
		{pattern: "prompt too long; exceeded max context length", then: tooLong}, // cloud
		{pattern: "server busy, please try again", then: overloaded},
		{pattern: "model * not found", then: noModel},
		{pattern: "unauthorized", then: authInvalid},
		{pattern: "unexpected eof", then: serverFault}, // the cloud relay, with 400: a dropped upstream
	},
}
