package classify

// anthropicRules are Anthropic's. wire/other-families.md §1c, §1e.
var anthropicRules = rules{
	codes: compile(table{
		"overloaded_error":             overloaded,
		"rate_limit_error":             rateLimited,
		"timeout_error":                timedOut,
		"permission_error":             forbidden,
		"not_found_error":              noModel,
		"billing_error":                quota,
		"request_too_large":            tooLong,
		"conflict_error":               serverFault,
		"enforced_spend_limit_reached": quota, // details.error_code, with 429
	}),
	phrases: []phrase{
		{pattern: "prompt is too long", then: tooLong},
		{pattern: "input length and `max_tokens` exceed context limit", then: tooLong},
		{pattern: "input is too long for requested model", then: tooLong},
		{pattern: "output blocked by content filtering policy", then: blocked},
	},
}
