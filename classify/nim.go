package classify

// nimRules are NVIDIA NIM's: RFC 7807 problems, whose type is a URN, in front of an
// engine like vLLM. wire/openai-family.md §19.
var nimRules = rules{
	codes: compile(table{
		"urn:nvcf-worker-service:problem-details:internal-server-error": serverFault,
		"urn:nvcf-worker-service:problem-details:worker-overloaded":     overloaded,
	}),
	phrases: []phrase{
		{pattern: "worker local total request limit reached", then: overloaded},
	},
}
