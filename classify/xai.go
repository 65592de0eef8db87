package classify

// xaiRules are xAI's, whose code is a sentence: the description of a gRPC status.
// wire/openai-family.md §11.
var xaiRules = rules{
	codes: compile(table{
		"The service is currently unavailable":                                         overloaded,
		"Some resource has been exhausted":                                             rateLimited,
		"Some requested entity was not found":                                          noModel,
		"Deadline expired before operation could complete":                             timedOut,
		"The request does not have valid authentication credentials for the operation": authInvalid,
		"Unauthenticated:bad-credentials":                                              authInvalid,
		"Internal error":                                                               serverFault,
		"Operation is not implemented or not supported":                                cannotServe,
	}),
	phrases: []phrase{
		{pattern: "incorrect api key provided", then: authInvalid}, // with 400
	},
}
