package gateway

import "fmt"

// The frames of an answer, with the members that OpenAI sends
// (wire/openai-family.md §1).
const (
	head = `{"id":"chatcmpl-demo","object":"chat.completion.chunk","created":1796000000,"model":"demo-model",`
	role = head + `"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`

	callBegins = head + `"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_demo","type":"function",` +
		`"function":{"name":"weather","arguments":""}}]},"finish_reason":null}]}`
	callGoesOn = head + `"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,` +
		`"function":{"arguments":"{\"city\":"}}]},"finish_reason":null}]}`
	callEnds = head + `"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,` +
		`"function":{"arguments":"\"Oslo\"}"}}]},"finish_reason":null}]}`

	usedUp = head + `"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":64,"total_tokens":76,` +
		`"completion_tokens_details":{"reasoning_tokens":64}}}`
)

// torn is a frame that ends in the middle of its JSON.
const torn = head + `"choices":[{"index":0,"delta":{"content":"en`

// Error documents, and the page of a proxy that wants somebody to log in.
const (
	badKey = `{"error":{"message":"Incorrect API key provided: sk-demo-****-key.",` +
		`"type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`
	tooMany = `{"error":{"message":"Rate limit reached for demo-model: 3 requests per minute.",` +
		`"type":"requests","param":null,"code":"rate_limit_exceeded"}}`
	overloaded = `{"error":{"message":"Our servers are busy at the moment.",` +
		`"type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}`
	page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n<body><form>Sign in to continue</form></body></html>\n"
)

// delta is the frame of one piece of text, which needs no escapes.
func delta(text string) string {
	return fmt.Sprintf(`%s"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}]}`, head, text)
}

// finish is the frame with the finish word.
func finish(reason string) string {
	return fmt.Sprintf(`%s"choices":[{"index":0,"delta":{},"finish_reason":"%s"}]}`, head, reason)
}
