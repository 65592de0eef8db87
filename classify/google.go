package classify

import "strings"

// googleRules are Gemini's and Vertex'. The codes are ErrorInfo.reason and the
// Interactions API's; the status words say little and are generic.
// wire/other-families.md §2e, §2g; wire/envelopes-and-policy.md §2.7.
var googleRules = rules{
	codes: compile(table{
		"API_KEY_INVALID":                 authInvalid, // with 400 INVALID_ARGUMENT
		"ACCESS_TOKEN_EXPIRED":            authInvalid,
		"ACCESS_TOKEN_TYPE_UNSUPPORTED":   authInvalid,
		"CREDENTIALS_MISSING":             authMissing,
		"API_KEY_SERVICE_BLOCKED":         forbidden,
		"API_KEY_HTTP_REFERRER_BLOCKED":   forbidden,
		"API_KEY_IP_ADDRESS_BLOCKED":      forbidden,
		"ACCESS_TOKEN_SCOPE_INSUFFICIENT": forbidden,
		"CONSUMER_INVALID":                forbidden,
		"CONSUMER_SUSPENDED":              forbidden,
		"SERVICE_DISABLED":                forbidden,
		"USER_PROJECT_DENIED":             forbidden,
		"BILLING_DISABLED":                quota,
		"QUOTA_EXHAUSTED":                 quota,
		"RATE_LIMIT_EXCEEDED":             rateLimited,
		"RESOURCE_QUOTA_EXCEEDED":         quota,
		"INSUFFICIENT_G1_CREDITS_BALANCE": quota, // gcli2api#416
		"MODEL_CAPACITY_EXHAUSTED":        overloaded,
		"UNAVAILABLE":                     overloaded,
		"MALFORMED_FUNCTION_CALL":         badOutput,
		"UNEXPECTED_TOOL_CALL":            badOutput,
		"TOO_MANY_TOOL_CALLS":             badOutput,
		"MISSING_THOUGHT_SIGNATURE":       badRequest,
		"MALFORMED_RESPONSE":              badOutput,
		"PROHIBITED_CONTENT":              blocked, // js-genai#1973
		"BLOCKLIST":                       blocked,
		"SPII":                            blocked,
		"parameter_unknown":               badRequest,
	}),
	phrases: []phrase{
		{pattern: "api key not valid", then: authInvalid},
		{pattern: "api key expired", then: authInvalid},
		{pattern: "method doesn't allow unregistered callers", then: authMissing, over: refusals},
		{pattern: "the input token count", then: tooLong}, // also with 500 and 504
		{pattern: "unable to submit request because the input token count", then: tooLong},
		{pattern: "user location is not supported", then: forbidden},
		{pattern: "this api method requires billing to be enabled", then: quota, over: limits},
		{pattern: "your prepayment credits are depleted", then: quota, over: limits},
		{pattern: "your project has exceeded its monthly spending cap", then: quota, over: limits},
		{pattern: "you exceeded your current quota*limit: 0", then: quota},
		{pattern: "you exceeded your current quota", then: rateLimited}, // also said of a minute's limit
	},
	pattern: quotaID,
}

// quotaID reads a quota's id, such as
// GenerateRequestsPerDayPerProjectPerModel-FreeTier: a daily quota is used up until
// tomorrow, a minute's is a rate limit.
func quotaID(token string) verdict {
	switch {
	case strings.Contains(token, "perday"), strings.Contains(token, "daily"):
		return quota
	case strings.Contains(token, "perminute"), strings.Contains(token, "persecond"):
		return rateLimited
	default:
		return undecided
	}
}
