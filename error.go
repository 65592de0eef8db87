package endwell

import (
	"io"
	"time"

	"github.com/endwell-go/endwell/internal/errtree"
)

// Error is how a stream ended badly: what happened, what can be done, and whether
// the same request may succeed later. Treat it as read-only; it may be shared.
//
// errors.Is(err, endwell.Stalled) and errors.Is(err, endwell.Timeout) ask for its
// fault and category. Every rendering of it (Error, Message, LogValue, JSON)
// holds our own words, the caller's names, the status and protocol tokens, never
// a provider's prose, a URL, a header or a body. What failed on this side of the
// wire, such as a request without a payload, has a stable name of ours, the reason.
type Error struct {
	// Fault says what happened; never 0 above a complete stack.
	Fault Fault
	// Category says what can be done; 0 below the Classifier means not classified
	// yet.
	Category Category
	// Transient means that the same request may succeed later, so that a person
	// may resubmit it.
	Transient bool
	// Retryable means Transient, and that nothing was emitted: safe to re-send
	// without asking.
	Retryable bool
	// RetryAfter is how long the provider asked to wait; 0 when it did not.
	RetryAfter time.Duration
	// Provider and Model are the request's.
	Provider, Model string
	// Status is the HTTP status, or the one that an in-band report carried; 0 for
	// none.
	Status int
	// Code and Type are the provider's tokens, "" when it gave none or one that
	// must not be rendered.
	Code, Type string
	// RequestID is what to quote to the provider; "" when unknown.
	RequestID string
	// Frame is the number of the frame that carried the fault, from 1; 0 for none.
	Frame int
	// Bound and Waited say, for Stalled, which bound expired and its length.
	Bound  Bound
	Waited time.Duration

	causes   []error
	original error
}

// Bound names the bound of a stall guard that expired.
type Bound uint8

// The bounds. The set is closed; the zero value is none.
const (
	// BoundFirst is the waiting time to the first emission.
	BoundFirst Bound = iota + 1
	// BoundIdle is the waiting time without any byte.
	BoundIdle
	// BoundProgress is the waiting time since the last emission.
	BoundProgress

	boundEnd // one past the last bound
)

var boundNames = [...]string{"none", "first", "idle", "progress"}

// Bounds returns all bounds, in order.
func Bounds() []Bound { return enumerate(BoundFirst, boundEnd) }

// String returns the bound's name.
func (b Bound) String() string { return enumName(boundNames[:], int(b)) }

// MarshalText returns the bound's name, so that JSON shows words.
func (b Bound) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Is reports whether target is this error's fault or category.
func (e *Error) Is(target error) bool {
	if e == nil {
		return false
	}
	switch t := target.(type) {
	case Fault:
		return t == e.Fault
	case Category:
		return t == e.Category
	default:
		return false
	}
}

// Unwrap returns the causes whose text is safe to render. io.EOF is never among
// them, so that no check for a clean end can match an error.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return e.causes
}

// Unredacted returns the original failure: an [*Evidence] with the provider's own
// words, or a transport's error with its URL. It may hold keys and prompts: do not
// log it, show it or send it on. It is nil when there is none.
func (e *Error) Unredacted() error { return e.original }

// WithCause returns a copy of e that also wraps cause, for errors.Is and
// errors.As. The text of cause must be safe to render. A nil cause adds nothing,
// and one that is or wraps io.EOF is replaced by io.ErrUnexpectedEOF.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	if errtree.Is(cause, io.EOF) {
		cause = io.ErrUnexpectedEOF
	}
	if cause != nil {
		c.causes = append(append([]error(nil), e.causes...), cause)
	}
	return &c
}

// WithOriginal returns a copy of e whose Unredacted is original.
func (e *Error) WithOriginal(original error) *Error {
	c := *e
	c.original = original
	return &c
}

// HTTPStatus returns the status with which a gateway should answer its own client
// for this error: 4xx where the client can do something about it, 502, 503 or 504
// where it cannot.
func (e *Error) HTTPStatus() int {
	switch e.Category {
	case AuthMissing, AuthInvalid:
		return 401
	case QuotaExhausted:
		return 402
	case PermissionDenied:
		return 403
	case ModelUnavailable:
		return 404
	case ContextTooLong:
		return 413
	case ContentBlocked:
		return 422
	case RequestInvalid:
		return 400
	case RateLimited:
		return 429
	case Overloaded:
		return 503
	case Timeout:
		return 504
	default:
		return 502
	}
}
