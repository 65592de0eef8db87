package dialects

import (
	"strconv"

	"github.com/endwell-go/endwell"
)

// googleStatus are the status words of Google's RPC, and googleReasons what they do
// not tell apart, for ErrorInfo.reason (wire/other-families.md §2.e).
var (
	googleStatus = errorWords{
		endwell.AuthMissing:       "UNAUTHENTICATED",
		endwell.AuthInvalid:       "UNAUTHENTICATED",
		endwell.PermissionDenied:  "PERMISSION_DENIED",
		endwell.QuotaExhausted:    "RESOURCE_EXHAUSTED",
		endwell.RateLimited:       "RESOURCE_EXHAUSTED",
		endwell.Overloaded:        "UNAVAILABLE",
		endwell.ModelUnavailable:  "NOT_FOUND",
		endwell.ContextTooLong:    "INVALID_ARGUMENT",
		endwell.ContentBlocked:    "INVALID_ARGUMENT",
		endwell.RequestInvalid:    "INVALID_ARGUMENT",
		endwell.Network:           "INTERNAL",
		endwell.Timeout:           "DEADLINE_EXCEEDED",
		endwell.ServerError:       "INTERNAL",
		endwell.MalformedResponse: "INTERNAL",
		endwell.Unclassified:      "UNKNOWN",
		cannotServe:               "UNIMPLEMENTED",
	}
	googleReasons = errorWords{
		endwell.AuthMissing:       "CREDENTIALS_MISSING",
		endwell.AuthInvalid:       "API_KEY_INVALID",
		endwell.QuotaExhausted:    "QUOTA_EXHAUSTED",
		endwell.RateLimited:       "RATE_LIMIT_EXCEEDED",
		endwell.ContentBlocked:    "PROHIBITED_CONTENT",
		endwell.MalformedResponse: "MALFORMED_RESPONSE",
		cannotServe:               "NOT_IMPLEMENTED",
	}
)

// googleErrorDocument is an error of Google's RPC. In a stream of events it comes
// twice: bare, as Google sends it and as its Go and Python SDKs look for it, and as
// an event, for clients that know SSE only (wire/other-families.md §2.c).
func googleErrorDocument(f *wireError) any {
	details := []any{}
	if reason := googleReasons[f.category]; reason != "" {
		details = append(details, members{"@type", googleType + "ErrorInfo", "reason", reason})
	}
	if f.wait > 0 {
		delay := strconv.FormatFloat(f.wait.Seconds(), 'f', -1, 64) + "s"
		details = append(details, members{"@type", googleType + "RetryInfo", "retryDelay", delay})
	}
	return members{"error", members{
		"code", f.status, "message", f.text, "status", f.of(googleStatus), "details", details,
	}}
}

const googleType = "type.googleapis.com/google.rpc."

// interactionsCodes are the Interactions API's own words
// (wire/envelopes-and-policy.md §2.7).
var interactionsCodes = errorWords{
	endwell.AuthInvalid:    "authentication",
	endwell.QuotaExhausted: "quota_exceeded",
}

func interactionsError(f *wireError) any {
	return members{"error", members{"code", f.of(interactionsCodes), "message", f.text}}
}

func interactionsErrorEvent(f *wireError) any {
	return members{"event_type", "error", "error", members{
		"code", f.of(interactionsCodes), "message", f.text, "status_code", f.status,
	}}
}
