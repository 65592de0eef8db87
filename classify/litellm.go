package classify

// litellmRules are the LiteLLM proxy's: a status as code, and "None" for what it does
// not know. Its messages begin with the exception's class; those are in phrase.go,
// since they are handed on by whoever stands in front.
// wire/openai-family.md §10.1.
var litellmRules = rules{
	codes: compile(table{
		"budget_exceeded":          quota,
		"token_not_found_in_db":    authInvalid,
		"expired_key":              authInvalid,
		"key_model_access_denied":  forbidden,
		"team_model_access_denied": forbidden,
		"throttling_error":         rateLimited,
	}),
}
