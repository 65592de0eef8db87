package classify

// copilotRules are GitHub Copilot's; its codes may carry a ":suffix".
// wire/openai-family.md §9.
var copilotRules = rules{
	codes: compile(table{
		"user_model_rate_limited":      rateLimited,
		"user_global_rate_limited":     rateLimited,
		"integration_rate_limited":     rateLimited,
		"agent_mode_limit_exceeded":    rateLimited,
		"upstream_provider_rate_limit": rateLimited,
		"free_quota_exceeded":          quota,
		"overage_limit_reached":        quota,
		"billing_not_configured":       quota,
		"session_expired":              authInvalid,
		"extension_blocked":            forbidden,
		"feature_flag_blocked":         forbidden,
		"off_topic":                    blocked,
		"unsupported_api_for_model":    noModel,
	}),
	statuses: map[int]verdict{
		422: blocked,
		466: badRequest,  // this client is not supported
		503: rateLimited, // the upstream provider's limit
	},
}
