package classify

// openaiRules are OpenAI's, for chat, responses and legacy completions.
// wire/openai-family.md §1, §2.
var openaiRules = rules{
	codes: compile(table{
		"invalid_organization":        authInvalid,
		"mismatched_organization":     authInvalid,
		"previous_response_not_found": badRequest,

		// the Responses API's image codes: the same image fails again
		"invalid_image":                  badRequest,
		"invalid_image_format":           badRequest,
		"invalid_image_mode":             badRequest,
		"invalid_image_url":              badRequest,
		"invalid_base64_image":           badRequest,
		"image_too_large":                badRequest,
		"image_too_small":                badRequest,
		"image_parse_error":              badRequest,
		"image_file_too_large":           badRequest,
		"image_file_not_found":           badRequest,
		"empty_image_file":               badRequest,
		"unsupported_image_media_type":   badRequest,
		"failed_to_download_image":       badRequest,
		"image_content_policy_violation": blocked,
	}),
}
