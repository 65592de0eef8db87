package classify

// moonshotRules are Moonshot's (Kimi), which has no code and one status for three
// things. Its 403 is the balance's, unless a token says otherwise; those that do,
// permission_error and access_terminated_error, come with a used up plan too, which
// the phrases tell apart. wire/openai-family.md §16.
var moonshotRules = rules{
	codes: compile(table{
		"exceeded_current_quota_error": quota,
		"rate_limit_reached_error":     rateLimited,
		"engine_overloaded_error":      overloaded,
		"resource_not_found_error":     noModel,
		"incorrect_api_key_error":      authInvalid,
		"access_terminated_error":      forbidden,
	}),
	statuses: map[int]verdict{
		403: quota, // balance, or the limit of this billing cycle
	},
}
