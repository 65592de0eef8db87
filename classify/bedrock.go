package classify

// bedrockRules are AWS Bedrock's: types of the header x-amzn-ErrorType before a
// stream, of :exception-type within. wire/other-families.md §6.
var bedrockRules = rules{
	codes: compile(table{
		"AccessDeniedException":               forbidden,
		"FTUFormNotFilled":                    forbidden,
		"OptInRequired":                       forbidden,
		"UnrecognizedClientException":         authInvalid,
		"InvalidClientTokenId":                authInvalid,
		"InvalidSignatureException":           authInvalid,
		"IncompleteSignature":                 authInvalid,
		"ExpiredToken":                        authInvalid,
		"ExpiredTokenException":               authInvalid,
		"RequestExpired":                      authInvalid,
		"NotAuthorized":                       forbidden,
		"MissingAuthenticationToken":          authMissing,
		"MissingAuthenticationTokenException": authMissing,
		"ResourceNotFoundException":           noModel,
		"ThrottlingException":                 rateLimited,
		"ServiceQuotaExceededException":       quota, // with 400
		"ModelNotReadyException":              overloaded,
		"ModelTimeoutException":               timedOut,
		"ModelErrorException":                 serverFault,
		"ModelStreamErrorException":           serverFault,
		"InternalServerException":             serverFault,
		"InternalFailure":                     serverFault,
		"ServiceUnavailableException":         overloaded,
		"ServiceUnavailable":                  overloaded,
		"malformed_model_output":              badOutput,
		"malformed_tool_use":                  badOutput,
	}),
	phrases: []phrase{
		{pattern: "too many tokens per day", then: quota, over: limits},
		{pattern: "the security token included in the request is", then: authInvalid},
		{pattern: "the request signature we calculated does not match", then: authInvalid},
		{pattern: "input is too long", then: tooLong},
		{pattern: "prompt is too long", then: tooLong},
		{pattern: "invocation of model id * with on-demand throughput isn", then: noModel},
		{pattern: "the provided model identifier is invalid", then: noModel},
	},
}
