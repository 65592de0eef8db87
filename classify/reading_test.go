package classify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadings(t *testing.T) {
	const said = "prompt is too long: 5 tokens > 3 maximum"
	for _, wrapped := range []string{
		said,
		"The model returned the following errors: " + said,
		"An error occurred (ValidationException) when calling the ConverseStream operation: The model returned the following errors: " + said,
		"An error occurred (ValidationException) when calling the Converse operation (reached max retries: 4): " + said,
		"ValidationException: " + said,
		"litellm.BadRequestError: AnthropicException - " + said,
		`litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"` + said + `"}}`,
		`litellm.BadRequestError: AnthropicException - b'{"type":"error","error":{"type":"invalid_request_error","message":"` + said + `"}}'`,
		`litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"message":"` + said + `"}}`,
		`litellm.BadRequestError: BedrockException - {"message":"` + said + `"}`,
		`litellm.ContextWindowExceededError: litellm.BadRequestError: BedrockException: Context Window Error - {"message":"The model returned the following errors: ` + said + `"}`,
		`litellm.BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': "litellm.BadRequestError: BedrockException - {\"message\":\"` + said + `\"}`,
		"Error code: 400 - {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': '" + said + "'}}",
		`Error code: 400 - {'object': 'error', 'message': "` + said + `", 'type': 'BadRequestError'}`,
		`400 {"type":"error","error":{"type":"invalid_request_error","message":"` + said + `"}}`,
		`{"error":{"message":"` + said + `","code":400}}`,
		"{\n  \"error\": {\n    \"code\": 400,\n    \"message\": \"" + said + "\"",
		`{\"error\":{\"message\":\"` + said,
		"Invalid request: " + said,
		"Error: " + said,
		"Error: 400 " + said,
		"HTTP 400: " + said,
		"<400> InternalError.Algo.InvalidParameter: " + said,
		"400 Bad Request: " + said,
		"Provider returned error: " + said,
	} {
		require.True(t, strings.HasPrefix(readings(fold(wrapped))[0], said), "%s\n%q", wrapped, readings(fold(wrapped)))
	}
}

// A wrapper must be at the beginning, and what is behind it must not be a request.
func TestReadingsOfWhatIsNoWrapper(t *testing.T) {
	for _, s := range []string{
		"",
		"error",
		"the following failed: invalid request: prompt is too long",
		"invalid value: 'prompt is too long'",
		"errors happen: prompt is too long",
		"terror : prompt is too long",
		"999 prompt is too long",
		"400",
		"4000 prompt is too long",
		`{"message":"prompt is too long"}`,
		`{"model":"m","messages":[{"role":"user","content":"error, message: prompt is too long"}]}`,
		`{"error":{"messages":"prompt is too long"}}`,
		`{"error":{"message`,
		`invalid_request`,
		`[{"type":"missing","msg":"error","input":{"message":"prompt is too long"}}]`,
		strings.Repeat("e", 100) + "error: prompt is too long",
		`{"error":"` + strings.Repeat("x", 500) + `","message":"prompt is too long"}`,
	} {
		require.Equal(t, []string{s}, readings(s))
	}
	require.Equal(t, []string{`{"message":"prompt is too long"}`}, readings(`invalid request: {"message":"prompt is too long"}`)[:1],
		"an echoed request")
	require.Len(t, readings(strings.Repeat("error: ", 100)), maxReadings)
}

func FuzzReadings(f *testing.F) {
	for _, s := range []string{
		"", "error: ", "error: error: x", `400 {"message":"x"}`, `{"error":{"message":"x`, "b'{", `error: b"`, "litellm.", "<400>", "invalid request: ",
		`error code: 400 - {'error': {'message': "x`, "an error occurred (x when calling the y operation: z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = fold(s)
		all := readings(s)
		if len(all) == 0 || len(all) > maxReadings || all[len(all)-1] != s {
			t.Fatalf("%q: %q", s, all)
		}
		for i, inner := range all[:len(all)-1] {
			if len(inner) >= len(all[i+1]) || !strings.Contains(all[i+1], inner) {
				t.Fatalf("%q is not in %q", inner, all[i+1])
			}
		}
	})
}
