package classify

// fireworksRules are Fireworks'. wire/openai-family.md §12.
var fireworksRules = rules{
	codes: compile(table{
		"policies.ratelimit.QuotaViolation":       rateLimited, // Apigee's fault.detail.errorcode
		"policies.ratelimit.SpikeArrestViolation": rateLimited,
		"oauth.v2.InvalidApiKey":                  authInvalid,
	}),
	statuses: map[int]verdict{
		412: forbidden, // the account is suspended, or a LoRA failed to load
	},
	phrases: []phrase{
		{pattern: "account @ is suspended, possibly due to reaching the monthly spending limit", then: quota, over: limits},
	},
}
