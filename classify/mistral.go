package classify

// mistralRules are Mistral's. wire/openai-family.md §5, wire/other-families.md §5.
var mistralRules = rules{
	codes: compile(table{
		"1300":                           rateLimited,
		"3505":                           overloaded, // "service tier capacity exceeded for this model"
		"service_tier_capacity_exceeded": overloaded,
	}),
	phrases: []phrase{
		{pattern: "service tier capacity exceeded", then: overloaded}, // with 429
	},
}
