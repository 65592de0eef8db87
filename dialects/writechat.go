package dialects

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// chatErrors are the systems of the chat family whose errors have another shape than
// OpenAI's. Sources: wire/openai-family.md, the section of that name; what is not
// known of a system is OpenAI's, since that is what SDKs of this family look for. So
// are Mistral's, MiniMax' and Workers AI's frames, although their bodies are not.
var chatErrors = map[string]errorShape{
	"groq":       {body: openaiBody, frame: openaiFrame, event: "error"},
	"mistral":    {body: mistralError, frame: openaiFrame},
	"openrouter": {body: openrouterError, frame: openrouterErrorChunk},
	"perplexity": {body: perplexityError, event: "error"},
	"cerebras":   {body: flatError, frame: cerebrasErrorChunk},
	"dashscope":  {body: dashscopeError, frame: dashscopeErrorChunk},
	"moonshot":   {body: moonshotError, frame: moonshotErrorChunk},
	"zai":        {body: zaiError},
	"minimax":    {body: minimaxError},
	"nim":        {body: nimProblem, frame: engineError},
	"workersai":  {body: workersaiError, frame: openaiFrame},
	"vllm":       {body: engineError},
	"sglang":     {body: engineError},
	"llamacpp":   {body: llamacppError},
	"litellm":    {body: litellmError},
	"watsonx":    {body: watsonxError, event: "error"},
}

// openaiTypes are OpenAI's values of error.type. What is not here is its word for a
// request that it refuses (wire/openai-family.md §1.e).
var openaiTypes = errorWords{
	endwell.AuthMissing:       "invalid_request_error",
	endwell.AuthInvalid:       "invalid_request_error",
	endwell.PermissionDenied:  "invalid_request_error",
	endwell.QuotaExhausted:    "insufficient_quota",
	endwell.RateLimited:       "rate_limit_error",
	endwell.Overloaded:        "service_unavailable_error",
	endwell.ModelUnavailable:  "invalid_request_error",
	endwell.ContextTooLong:    "invalid_request_error",
	endwell.ContentBlocked:    "invalid_request_error",
	endwell.RequestInvalid:    "invalid_request_error",
	endwell.Network:           "server_error",
	endwell.Timeout:           "server_error",
	endwell.ServerError:       "server_error",
	endwell.MalformedResponse: "server_error",
	endwell.Unclassified:      "server_error",
	cannotServe:               "server_error",
}

// flat is OpenAI's error object.
func (f *wireError) flat() members {
	return members{"message", f.text, "type", f.of(openaiTypes), "param", nil, "code", f.code()}
}

// withStatus is OpenAI's error object inside a stream, which has no status of its own.
// Groq's place for it is used everywhere (wire/openai-family.md §4.c).
func (f *wireError) withStatus() members { return append(f.flat(), "status_code", f.status) }

func openaiBody(f *wireError) any  { return members{"error", f.flat()} }
func openaiFrame(f *wireError) any { return members{"error", f.withStatus()} }
func flatError(f *wireError) any   { return f.flat() }

func mistralError(f *wireError) any {
	return append(members{"object", "error"}, f.flat()...)
}

func cerebrasErrorChunk(f *wireError) any {
	return members{"error", f.flat(), "status_code", f.status}
}

func dashscopeError(f *wireError) any {
	return members{"error", f.flat()}.with("request_id", f.id)
}

func dashscopeErrorChunk(f *wireError) any {
	return members{"error", f.withStatus()}.with("request_id", f.id)
}

func perplexityError(f *wireError) any {
	return members{"error", members{"code", f.status, "message", f.text, "type", f.code()}}
}

// LiteLLM's code is the status, as a text (§10.1.c).
func litellmError(f *wireError) any {
	return members{"error", members{
		"message", f.text, "type", f.code(), "param", "None", "code", strconv.Itoa(f.status),
	}}
}

// openrouterWords are OpenRouter's values of metadata.error_type (§7.c).
var openrouterWords = errorWords{
	endwell.AuthInvalid:      "authentication",
	endwell.QuotaExhausted:   "payment_required",
	endwell.Overloaded:       "provider_overloaded",
	endwell.ModelUnavailable: "not_found",
	endwell.Network:          "provider_unavailable",
	endwell.ServerError:      "server",
	endwell.Unclassified:     "unmapped",
}

func openrouterError(f *wireError) any {
	meta := members{"error_type", f.of(openrouterWords)}
	if f.wait > 0 {
		meta = append(meta, "headers", members{"Retry-After", f.seconds()})
	}
	return members{"error", members{"code", f.status, "message", f.text, "metadata", meta}}
}

// openrouterErrorChunk is a chunk with the error beside its choices.
func openrouterErrorChunk(f *wireError) any {
	chunk := members{"id", "", "object", "chat.completion.chunk", "created", 0, "model", f.model}
	chunk = append(chunk, openrouterError(f).(members)...)
	return append(chunk, "choices", []any{members{
		"index", 0, "delta", members{"content", ""}, "finish_reason", "error",
	}})
}

// moonshotTypes are Moonshot's, which has no code (§16).
var moonshotTypes = errorWords{
	endwell.AuthInvalid:      "incorrect_api_key_error",
	endwell.PermissionDenied: "permission_denied_error",
	endwell.QuotaExhausted:   "exceeded_current_quota_error",
	endwell.RateLimited:      "rate_limit_reached_error",
	endwell.Overloaded:       "engine_overloaded_error",
	endwell.ModelUnavailable: "resource_not_found_error",
	endwell.RequestInvalid:   "invalid_request_error",
}

func moonshotError(f *wireError) any {
	return members{"error", members{"message", f.text, "type", f.of(moonshotTypes)}}
}

func moonshotErrorChunk(f *wireError) any {
	return members{"error", members{"message", f.text, "type", f.of(moonshotTypes), "status_code", f.status}}
}

// zaiCodes are Zhipu's business codes (§17; docs.z.ai/api-reference/api-code).
var zaiCodes = errorWords{
	endwell.AuthMissing:      "1001",
	endwell.AuthInvalid:      "1002",
	endwell.PermissionDenied: "1220",
	endwell.QuotaExhausted:   "1113",
	endwell.RateLimited:      "1302",
	endwell.Overloaded:       "1305",
	endwell.ModelUnavailable: "1211",
	endwell.ContextTooLong:   "1261",
	endwell.ContentBlocked:   "1301",
	endwell.RequestInvalid:   "1210",
	endwell.Network:          "1234",
	endwell.ServerError:      "1230",
}

func zaiError(f *wireError) any {
	return members{"error", members{"code", f.of(zaiCodes), "message", f.text}}
}

// minimaxCodes are MiniMax' business codes (§18).
var minimaxCodes = map[endwell.Category]int{
	endwell.AuthMissing:      1004,
	endwell.AuthInvalid:      1004,
	endwell.PermissionDenied: 1004,
	endwell.QuotaExhausted:   1008,
	endwell.RateLimited:      1002,
	endwell.ModelUnavailable: 2013,
	endwell.ContextTooLong:   1039,
	endwell.ContentBlocked:   1026,
	endwell.RequestInvalid:   2013,
	endwell.Network:          1033,
	endwell.Timeout:          1001,
}

// minimaxError has OpenAI's error too, since SDKs of that family look at nothing
// else, and since its own codes say less.
func minimaxError(f *wireError) any {
	code, ok := minimaxCodes[f.category]
	if !ok {
		code = 1024
	}
	return members{
		"error", f.withStatus(), "base_resp", members{"status_code", code, "status_msg", f.text},
	}
}

// workersaiCodes are Workers AI's (§20). The others are told by the status.
var workersaiCodes = map[endwell.Category]int{
	endwell.AuthMissing:      10000,
	endwell.AuthInvalid:      10000,
	endwell.PermissionDenied: 3023,
	endwell.QuotaExhausted:   3036,
	endwell.Overloaded:       3040,
	endwell.ModelUnavailable: 5007,
	endwell.ContextTooLong:   3006,
	endwell.RequestInvalid:   5004,
	endwell.Timeout:          3007,
}

func workersaiError(f *wireError) any {
	code, ok := workersaiCodes[f.category]
	if !ok {
		code = f.status
	}
	list := []any{members{"code", code, "message", f.text}}
	return members{"result", nil, "success", false, "errors", list, "messages", []any{}}
}

// engineTypes are vLLM's names of errors, which SGLang and NIM share (§10.2).
var engineTypes = errorWords{
	endwell.AuthInvalid:      "AuthenticationError",
	endwell.PermissionDenied: "PermissionDeniedError",
	endwell.RateLimited:      "RateLimitError",
	endwell.Overloaded:       "ServiceUnavailableError",
	endwell.ModelUnavailable: "NotFoundError",
	endwell.RequestInvalid:   "BadRequestError",
	endwell.ServerError:      "InternalServerError",
}

func engineError(f *wireError) any {
	return members{"error", members{
		"message", f.text, "type", f.of(engineTypes), "param", nil, "code", f.status,
	}}
}

// nimProblem is an RFC 7807 problem, whose type is a URN (§19).
func nimProblem(f *wireError) any {
	return members{
		"type", "urn:nvcf-worker-service:problem-details:" + strings.ReplaceAll(f.code(), "_", "-"),
		"title", http.StatusText(f.status), "status", f.status, "detail", f.text,
	}
}

// llamacppTypes are llama.cpp's (§10.3.e).
var llamacppTypes = errorWords{
	endwell.AuthInvalid:      "authentication_error",
	endwell.PermissionDenied: "permission_error",
	endwell.Overloaded:       "unavailable_error",
	endwell.ModelUnavailable: "not_found_error",
	endwell.ContextTooLong:   "exceed_context_size_error",
	endwell.RequestInvalid:   "invalid_request_error",
	cannotServe:              "not_supported_error",
}

func llamacppError(f *wireError) any {
	return members{"error", members{"code", f.status, "message", f.text, "type", f.of(llamacppTypes)}}
}

// watsonxError is IBM's list of errors (https://cloud.ibm.com/apidocs/watsonx-ai).
func watsonxError(f *wireError) any {
	return members{
		"errors", []any{members{"code", f.code(), "message", f.text}}, "status_code", f.status,
	}.with("trace", f.id)
}
