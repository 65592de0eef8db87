package classify

// litellmRules are the LiteLLM proxy's: a status as code, "None" for what it does
// not know, and a message that begins with the exception's class.
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
	phrases: []phrase{
		{pattern: "litellm.contextwindowexceedederror:", then: tooLong},
		{pattern: "litellm.contentpolicyviolationerror:", then: blocked},
		{pattern: "litellm.ratelimiterror:", then: rateLimited},
		{pattern: "litellm.authenticationerror:", then: authInvalid},
		{pattern: "litellm.timeout:", then: timedOut},
	},
}
