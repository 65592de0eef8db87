package endwell

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/endwell-go/endwell/internal/token"
)

// Evidence is what was found of a failure, as an error value: what a provider
// said, or what its bytes could not be read as. Dialects and transports produce
// it; PayloadGuard and Classifier turn it into an [*Error]. It holds the
// provider's own words, which may echo keys and prompts: Error() prints none of
// them.
type Evidence struct {
	// Kind says what the evidence is.
	Kind EvidenceKind
	// InBand is true for evidence from the body of a successful response, false
	// for an unsuccessful HTTP response.
	InBand bool
	// Dialect names the dialect that read the evidence; "" when unknown.
	Dialect string
	// Looks names the dialect that the body looks like, where that is of another family
	// than Dialect; "" otherwise.
	Looks string
	// Status is the HTTP status, or the one that an in-band report carries; 0
	// when there is none.
	Status int
	// Header is the response's header, nil in-band where none is known. Names are
	// in canonical form, as in net/http.
	Header map[string][]string
	// Type, Code and Message are what the provider said, as it said it. Numeric
	// codes are in decimal.
	Type, Code, Message string
	// Finish is the raw finish word, when the fault was reported by one.
	Finish string
	// Reason is a further token that tells two failures apart, such as
	// OpenRouter's metadata.error_type or Google's ErrorInfo.reason.
	Reason string
	// RetryAfter is the wait that the body names, as text; "" when it names none.
	RetryAfter string
	// RequestID is the id that the provider gave the request; "" when unknown.
	RequestID string
	// Body is the error document, cut at 32 KiB.
	Body []byte
	// Frame is the number of the frame, from 1; 0 when it is no frame.
	Frame int
	// Cause is the error below, such as a JSON error; usually nil.
	Cause error
}

// EvidenceKind says what Evidence is.
type EvidenceKind uint8

// The kinds of evidence. The set is closed.
const (
	// Reported means that the provider reported a failure in its own words. It is
	// the zero value.
	Reported EvidenceKind = iota
	// Unparseable means a frame that cannot be decoded.
	Unparseable
	// NotAStream means a body that is no stream of this kind at all, such as an
	// HTML page.
	NotAStream
	// TooLarge means a frame above the size cap.
	TooLarge
	// Spliced means two answers in one.
	Spliced
	// BadOutput means that the provider reported that its model's output could not
	// be used, such as a malformed tool call.
	BadOutput
	// Cut means that the body ended cleanly inside a frame.
	Cut

	evidenceEnd // one past the last kind
)

var evidenceNames = [...]string{
	"reported", "unparseable", "not_a_stream", "too_large", "spliced", "bad_output", "cut",
}

// EvidenceKinds returns all kinds, in order.
func EvidenceKinds() []EvidenceKind { return enumerate(Reported, evidenceEnd) }

// String returns the kind's name in snake_case.
func (k EvidenceKind) String() string { return enumName(evidenceNames[:], int(k)) }

// MarshalText returns the kind's name, so that JSON shows words.
func (k EvidenceKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Error names the kind, the status, the frame and the dialect that it looks like, and none
// of the provider's words.
func (e *Evidence) Error() string {
	if e == nil {
		return "endwell: no evidence"
	}
	s := "endwell: evidence: " + e.Kind.String()
	if e.Status != 0 {
		s += ", status " + strconv.Itoa(e.Status)
	}
	if e.Frame != 0 {
		s += ", frame " + strconv.Itoa(e.Frame)
	}
	if looks := token.Name(e.Looks); looks != "" {
		s += ", looks like " + looks
	}
	return s
}

// Unwrap returns Cause.
func (e *Evidence) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Cause
}

// Format prints Error() for every verb, for a pointer and for a value, so that no
// formatting shows a provider's words.
func (e Evidence) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, (&e).Error()) }

// MarshalText returns Error(), so that an encoder shows no provider words either.
func (e Evidence) MarshalText() ([]byte, error) { return []byte((&e).Error()), nil }

// LogValue returns Error().
func (e Evidence) LogValue() slog.Value { return slog.StringValue((&e).Error()) }
