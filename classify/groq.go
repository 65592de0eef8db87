package classify

// groqRules are Groq's. wire/openai-family.md §4.
var groqRules = rules{
	codes: compile(table{
		"model_terms_required":             forbidden,
		"model_permission_blocked_org":     forbidden,
		"model_permission_blocked_project": forbidden,
		"blocked_api_access":               quota, // the spend limit was reached
		"spend_limit_reached":              quota,
		"capacity_exceeded":                overloaded,
		"unknown_url":                      badRequest, // with 404
	}),
	statuses: map[int]verdict{
		498: overloaded, // flex capacity exceeded
	},
}
