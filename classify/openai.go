package classify

// openaiRules are OpenAI's, for chat, responses and legacy completions.
// wire/openai-family.md §1, §2.
var openaiRules = rules{
	codes: compile(table{
		"invalid_organization":        authInvalid,
		"mismatched_organization":     authInvalid,
		"invalid_image":               badRequest,
		"invalid_image_url":           badRequest,
		"previous_response_not_found": badRequest,
	}),
}
