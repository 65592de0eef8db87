package classify

// perplexityRules are Perplexity's, whose code is the status.
// wire/openai-family.md §13.
var perplexityRules = rules{
	codes: compile(table{
		"too_many_prompt_tokens": tooLong,
	}),
}
