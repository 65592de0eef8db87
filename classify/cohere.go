package classify

// cohereRules are Cohere's, v2 and v1, which has prose and statuses only; the codes
// are finish reasons. wire/other-families.md §3.
var cohereRules = rules{
	codes: compile(table{
		"TOO_MANY_TOKENS": tooLong, // recorded, with 400
		"ERROR_TOXIC":     blocked,
		"ERROR_LIMIT":     tooLong,
		"TIMEOUT":         timedOut,
	}),
	statuses: map[int]verdict{
		498: blocked, // a deny-listed token
	},
	phrases: []phrase{
		{pattern: "too many tokens:", then: tooLong},
		{pattern: "you are using a trial key, which is limited to # api calls / month", then: quota},
		{pattern: "no api key supplied", then: authMissing},
		{pattern: "invalid api token", then: authInvalid},
	},
}
