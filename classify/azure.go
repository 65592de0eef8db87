package classify

// azureRules are Azure OpenAI's and Foundry's. wire/openai-family.md §3.
var azureRules = rules{
	codes: compile(table{
		"RateLimitReached":           rateLimited,
		"NoCapacity":                 overloaded,
		"DeploymentNotFound":         noModel,
		"ModelNotFound":              noModel,
		"unknown_model":              noModel,
		"OperationNotSupported":      noModel, // the model does not do this operation
		"InvalidApiKey":              authInvalid,
		"PermissionDenied":           forbidden,
		"AuthenticationTypeDisabled": forbidden,
		"insufficient_quota":         quota,
		"content_filter":             blocked,
	}),
}
