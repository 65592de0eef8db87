package classify

// workersaiRules are Cloudflare Workers AI's. wire/openai-family.md §20.
var workersaiRules = rules{
	codes: compile(table{
		"3003":  badRequest,
		"3006":  tooLong,
		"3007":  timedOut,
		"3008":  timedOut, // aborted
		"3023":  forbidden,
		"3036":  quota, // the daily free allocation
		"3040":  overloaded,
		"3041":  forbidden,
		"3042":  noModel,
		"5004":  badRequest,
		"5007":  noModel,
		"5016":  forbidden,
		"5018":  forbidden,
		"10000": authInvalid,
	}),
	phrases: []phrase{
		{pattern: "inferenceupstreamerror: 3040", then: overloaded},
		{pattern: "inferenceupstreamerror: 3036", then: quota},
	},
}
