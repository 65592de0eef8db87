package classify

// togetherRules are Together's. wire/openai-family.md §8,
// wire/envelopes-and-policy.md §2.7.
var togetherRules = rules{
	codes: compile(table{
		"dynamic_request_limited": rateLimited,
		"dynamic_token_limited":   rateLimited,
		"credit_limit":            quota,
	}),
	statuses: map[int]verdict{
		403: tooLong, // input and max_tokens together exceed the context
		529: serverFault,
	},
}
