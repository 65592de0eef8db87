package classify

// openrouterRules are OpenRouter's. The codes are its metadata.error_type, which
// tells more than error.code, a status. wire/openai-family.md §7.
var openrouterRules = rules{
	codes: compile(table{
		"openrouter_in_flight_budget": rateLimited, // metadata.limit_source, with 402
		"provider_overloaded":         overloaded,
		"provider_unavailable":        serverFault,
		"content_policy_violation":    blocked,
		"image_too_large":             badRequest,
	}),
	statuses: map[int]verdict{
		502: serverFault,
		529: overloaded,
	},
}
