package classify

// minimaxRules are MiniMax's, business codes in base_resp behind a 200.
// wire/openai-family.md §18; 1041, 2049 and 2056 are of
// platform.minimax.io/docs/api-reference/errorcode.
var minimaxRules = rules{
	codes: compile(table{
		"1000": serverFault,
		"1001": timedOut,
		"1002": rateLimited,
		"1004": authInvalid,
		"1008": quota,
		"1024": serverFault,
		"1026": blocked, // input
		"1027": blocked, // output
		"1033": serverFault,
		"1039": tooLong,
		"1041": rateLimited,
		"2013": badRequest,
		"2049": authInvalid,
		"2056": quota,
	}),
	phrases: []phrase{
		{pattern: "invalid params, context window exceeds limit", then: tooLong, over: refusals},
	},
}
