package dialects

import (
	"encoding/json"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/token"
)

// wireError is what may be written of an error.
type wireError struct {
	category  endwell.Category // one of the closed set, or cannotServe
	text      string
	status    int
	transient bool
	wait      time.Duration
	id        string // "" when unknown
	model     string // "" when unknown
}

// cannotServe stands, in a table, for a ServerError that is not transient.
const cannotServe endwell.Category = 0

func newWireError(e *endwell.Error) *wireError {
	if e == nil {
		e = new(endwell.Error)
	}
	f := &wireError{
		category: e.Category, text: e.Message(), status: e.HTTPStatus(), transient: e.Transient,
		wait: max(e.RetryAfter, 0), model: token.Name(e.Model),
	}
	if token.IDShape(e.RequestID) {
		f.id = e.RequestID
	}
	switch _, known := errorCodes[f.category]; {
	case f.category == cannotServe, !known:
		f.category = endwell.Unclassified
	case f.category == endwell.ServerError && !f.transient:
		f.category = cannotServe
	}
	return f
}

// errorWords are a family's words for the categories. A category without one has the
// word of errorCodes.
type errorWords map[endwell.Category]string

// of returns the word for the error's category.
func (f *wireError) of(words errorWords) string {
	if w, ok := words[f.category]; ok {
		return w
	}
	return errorCodes[f.category]
}

func (f *wireError) code() string { return errorCodes[f.category] }

// errorCodes are words of the OpenAI family and of its kin that mean the same
// wherever they appear (wire/openai-family.md §1, §7; wire/other-families.md §2.b).
// There is none for a connection that broke, and none for a failure of which nothing
// is known: both read as the server's.
var errorCodes = errorWords{
	endwell.AuthMissing:       "missing_api_key",
	endwell.AuthInvalid:       "invalid_api_key",
	endwell.PermissionDenied:  "permission_denied",
	endwell.QuotaExhausted:    "insufficient_quota",
	endwell.RateLimited:       "rate_limit_exceeded",
	endwell.Overloaded:        "server_is_overloaded",
	endwell.ModelUnavailable:  "model_not_found",
	endwell.ContextTooLong:    "context_length_exceeded",
	endwell.ContentBlocked:    "content_policy_violation",
	endwell.RequestInvalid:    "invalid_request",
	endwell.Network:           "network_error",
	endwell.Timeout:           "timeout",
	endwell.ServerError:       "server_error",
	endwell.MalformedResponse: "malformed_response",
	endwell.Unclassified:      "unknown_error",
	cannotServe:               "not_implemented",
}

// members is a JSON object: name, value, name, value. It keeps their order.
type members []any

// MarshalJSON implements json.Marshaler.
func (m members) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i := 0; i+1 < len(m); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, encode(m[i])...), ':')
		b = append(b, encode(m[i+1])...)
	}
	return append(b, '}'), nil
}

// with returns m with one more member, unless its value is empty.
func (m members) with(name, value string) members {
	if value == "" {
		return m
	}
	return append(m, name, value)
}

// encode writes JSON on one line. What is written here can always be encoded.
func encode(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}
