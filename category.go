package endwell

// Category says what a person can do about an error; each stands for one action.
// A Category is an error itself, so errors.Is(err, endwell.RateLimited) asks for
// it.
type Category uint8

// The categories. The set is closed; the zero value means not classified yet.
const (
	// AuthMissing asks to add a key.
	AuthMissing Category = iota + 1
	// AuthInvalid asks to replace the key.
	AuthInvalid
	// PermissionDenied asks to get access to this model, region or feature.
	PermissionDenied
	// QuotaExhausted asks to add credit, or to use another provider.
	QuotaExhausted
	// RateLimited asks to wait, then to retry.
	RateLimited
	// Overloaded asks to try later or to pick another model.
	Overloaded
	// ModelUnavailable asks to pick another model.
	ModelUnavailable
	// ContextTooLong asks to shorten the conversation or the request.
	ContextTooLong
	// ContentBlocked asks to rephrase.
	ContentBlocked
	// RequestInvalid asks to change the request: a developer's bug, or a limit
	// that is too low.
	RequestInvalid
	// Network asks to check the connection and retry.
	Network
	// Timeout asks to retry; if it recurs, to use a faster model or a shorter
	// prompt.
	Timeout
	// ServerError asks to try later and to quote the request id.
	ServerError
	// MalformedResponse asks to resubmit when transient, otherwise to report.
	MalformedResponse
	// Unclassified asks to read the details.
	Unclassified

	categoryEnd // one past the last category
)

var categoryNames = [...]string{
	"none", "auth_missing", "auth_invalid", "permission_denied", "quota_exhausted", "rate_limited",
	"overloaded", "model_unavailable", "context_too_long", "content_blocked", "request_invalid",
	"network", "timeout", "server_error", "malformed_response", "unclassified",
}

// Categories returns all categories, in order.
func Categories() []Category { return enumerate(AuthMissing, categoryEnd) }

// String returns the category's name in snake_case.
func (c Category) String() string { return enumName(categoryNames[:], int(c)) }

// Error makes a Category a target for errors.Is. It is String, since fmt prefers it.
func (c Category) Error() string { return c.String() }

// MarshalText returns the category's name, so that JSON shows words.
func (c Category) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Transient reports whether the same request may succeed later, as far as the
// category alone tells. Error.Transient is the answer for one error: it is
// narrower for ServerError and for MalformedResponse.
func (c Category) Transient() bool {
	switch c {
	case RateLimited, Overloaded, Network, Timeout, ServerError, MalformedResponse:
		return true
	default:
		return false
	}
}
