package dialects

// The encoder of AWS event streams, for the tests outside of the package.
var (
	AWSSend  = awsSend
	AWSChunk = awsChunk
)

// ErrorWords are the tables that must have a word for every category.
func ErrorWords() map[string]errorWords {
	return map[string]errorWords{
		"codes": errorCodes, "OpenAI": openaiTypes, "Anthropic": anthropicTypes, "Google": googleStatus, "AWS": awsErrors,
	}
}

// CannotServe stands in them for a server's error that is not transient.
const CannotServe = cannotServe
