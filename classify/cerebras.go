package classify

// cerebrasRules are Cerebras'. wire/openai-family.md §14.
var cerebrasRules = rules{
	codes: compile(table{
		"wrong_api_key":           authInvalid,
		"queue_exceeded":          overloaded,
		"too_many_requests_error": rateLimited,
		"request_quota_exceeded":  rateLimited,
		"token_quota_exceeded":    rateLimited,
	}),
}
