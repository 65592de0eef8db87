package dialects

import (
	"net/http"
	"strconv"

	"github.com/endwell-go/endwell"
)

// responsesErrorEvent is OpenAI's error event in both of its shapes at once: the
// documented one is flat, and the SDKs take it for data; the one on the wire has a
// member error, which makes them fail (wire/openai-family.md §2.c,
// wire/other-families.md §7.c). No sequence number is known here.
func responsesErrorEvent(f *wireError) any {
	inner := f.withStatus()
	if ms := f.wait.Milliseconds(); ms > 0 {
		inner = append(inner, "headers", members{"retry-after-ms", strconv.FormatInt(ms, 10)})
	}
	return members{
		"type", "error", "sequence_number", 0, "code", f.code(), "message", f.text, "param", nil, "error", inner,
	}
}

// responsesFailed is the final event, for the clients that look at nothing else.
func responsesFailed(f *wireError) any {
	failure, output := members{"code", f.code(), "message", f.text}, []any{}
	response := members{
		"id", "", "object", "response", "created_at", 0, "status", "failed", "model", f.model,
		"error", failure, "output", output,
	}
	return members{"type", "response.failed", "sequence_number", 1, "response", response}
}

// anthropicTypes are Anthropic's values of error.type, a closed set in its SDKs. What
// they do not tell apart is in details.error_code
// (wire/other-families.md §1.c, §1.e).
var anthropicTypes = errorWords{
	endwell.AuthMissing:       "authentication_error",
	endwell.AuthInvalid:       "authentication_error",
	endwell.PermissionDenied:  "permission_error",
	endwell.QuotaExhausted:    "billing_error",
	endwell.RateLimited:       "rate_limit_error",
	endwell.Overloaded:        "overloaded_error",
	endwell.ModelUnavailable:  "not_found_error",
	endwell.ContextTooLong:    "request_too_large",
	endwell.ContentBlocked:    "invalid_request_error",
	endwell.RequestInvalid:    "invalid_request_error",
	endwell.Network:           "api_error",
	endwell.Timeout:           "timeout_error",
	endwell.ServerError:       "api_error",
	endwell.MalformedResponse: "api_error",
	endwell.Unclassified:      "api_error",
	cannotServe:               "api_error",
}

func anthropicError(f *wireError) any { return f.anthropic(f.anthropicInner()) }

func anthropicErrorEvent(f *wireError) any {
	return f.anthropic(append(f.anthropicInner(), "status_code", f.status))
}

func (f *wireError) anthropicInner() members {
	return members{
		"details", members{"error_code", f.code()}, "type", f.of(anthropicTypes), "message", f.text,
	}
}

func (f *wireError) anthropic(inner members) members {
	return members{"type", "error", "error", inner}.with("request_id", f.id)
}

// cohereError is a text with a code, which Cohere's own errors lack
// (wire/other-families.md §3.e): SDKs pass it by.
func cohereError(f *wireError) any { return members{"message", f.text, "code", f.code()} }

// cohereErrorEnd is message-end, where Cohere reports failures (§3.c).
func cohereErrorEnd(f *wireError) any {
	delta := members{"finish_reason", cohereFinish(f), "error", f.text}
	return members{"type", "message-end", "delta", delta, "code", f.code(), "status_code", f.status}
}

// cohereV1ErrorEnd is stream-end, which ends an answer of v1 also when it failed.
func cohereV1ErrorEnd(f *wireError) any {
	response := members{"text", "", "finish_reason", "ERROR"}
	return members{
		"is_finished", true, "event_type", "stream-end", "finish_reason", "ERROR", "response", response,
		"message", f.text, "code", f.code(), "status_code", f.status,
	}
}

func cohereFinish(f *wireError) string {
	if f.category == endwell.Timeout {
		return "TIMEOUT"
	}
	return "ERROR"
}

// ollamaError is a text with a code, which Ollama's own errors lack
// (wire/other-families.md §4.c): its clients pass it by.
func ollamaError(f *wireError) any { return members{"error", f.text, "code", f.code()} }

// ollamaErrorLine has the status as Ollama writes that of its cloud models (§4.c3).
func ollamaErrorLine(f *wireError) any {
	status := strconv.Itoa(f.status) + " " + http.StatusText(f.status)
	return members{"error", f.text, "code", f.code(), "StatusCode", f.status, "Status", status}
}

// replicateProblem is an RFC 7807 problem, with a code
// (https://replicate.com/docs/reference/http).
func replicateProblem(f *wireError) any {
	return members{
		"title", http.StatusText(f.status), "detail", f.text, "status", f.status, "code", f.code(),
	}
}
