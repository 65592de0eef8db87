package classify

// deepseekRules are DeepSeek's, whose status tells more than its tokens: type and
// code trade places. wire/openai-family.md §6, wire/envelopes-and-policy.md §2.7.
var deepseekRules = rules{
	codes: compile(table{
		"insufficient_system_resource": overloaded,
	}),
	phrases: []phrase{
		{pattern: "model not exist", then: noModel},     // with 400
		{pattern: "content exists risk", then: blocked}, // with 400
	},
}
