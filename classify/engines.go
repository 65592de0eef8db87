package classify

// engineRules are vLLM's and SGLang's, whose status lies: 400 is their default for
// faults of their own, and SGLang's type is the name of an HTTP status.
// wire/openai-family.md §10.2.
var engineRules = rules{
	codes: compile(table{
		"InternalServerError":   serverFault,
		"INTERNAL_SERVER_ERROR": serverFault,
		"EngineDeadError":       serverFault,
		"EngineGenerateError":   serverFault,
		"SERVICE_UNAVAILABLE":   overloaded,
		"abort":                 serverFault,
		"repetition":            serverFault,
	}),
}

// llamacppRules are llama.cpp's. wire/openai-family.md §10.3.
var llamacppRules = rules{
	codes: compile(table{
		"exceed_context_size_error": tooLong,
		"unavailable_error":         overloaded, // the model is being loaded
		"not_supported_error":       cannotServe,
	}),
}

// lmstudioRules are LM Studio's, which reports in texts behind a 200.
// wire/openai-family.md §10.4.
var lmstudioRules = rules{
	phrases: []phrase{
		{pattern: "unexpected endpoint or method", then: badRequest},
		{pattern: "trying to keep the first # tokens when context the overflows", then: tooLong},
		{pattern: "the number of tokens to keep from the initial prompt is greater than the context length", then: tooLong},
		{pattern: "reached context length of # tokens", then: tooLong},
		{pattern: "failed to load model", then: noModel},
		{pattern: "no models loaded", then: noModel},
	},
}
