package endwell

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
	"github.com/endwell-go/endwell/internal/token"
)

// Error renders e for a developer: fault, category and what is known, in one line.
func (e *Error) Error() string {
	if e == nil {
		return "endwell: no error"
	}
	var b strings.Builder
	b.WriteString("endwell: " + e.Fault.String())
	if e.Category != 0 {
		b.WriteString(": " + e.Category.String())
	}
	for _, p := range e.fields() {
		b.WriteString(" " + p.name + "=" + quoted(p.value))
	}
	return b.String()
}

// Format prints Error() for every verb, for a pointer and for a value, so that no
// formatting shows more.
func (e Error) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, (&e).Error()) }

// LogValue renders e as a group for slog.
func (e Error) LogValue() slog.Value {
	at := []slog.Attr{
		slog.String("fault", e.Fault.String()),
		slog.String("category", e.Category.String()),
		slog.Bool("transient", e.Transient),
		slog.Bool("retryable", e.Retryable),
	}
	for _, p := range e.fields() {
		at = append(at, slog.String(p.name, p.value))
	}
	return slog.GroupValue(at...)
}

// MarshalJSON renders e as one flat object with snake_case names; what is not
// known is absent.
func (e Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Fault        Fault    `json:"fault"`
		Category     Category `json:"category"`
		Transient    bool     `json:"transient"`
		Retryable    bool     `json:"retryable"`
		RetryAfterMS int64    `json:"retry_after_ms,omitempty"`
		Provider     string   `json:"provider,omitempty"`
		Model        string   `json:"model,omitempty"`
		Status       int      `json:"status,omitempty"`
		Code         string   `json:"code,omitempty"`
		Type         string   `json:"type,omitempty"`
		RequestID    string   `json:"request_id,omitempty"`
		Reason       string   `json:"reason,omitempty"`
		Frame        int      `json:"frame,omitempty"`
		Bound        string   `json:"bound,omitempty"`
		WaitedMS     int64    `json:"waited_ms,omitempty"`
		Key          string   `json:"key"`
		Message      string   `json:"message"`
	}{
		e.Fault, e.Category, e.Transient, e.Retryable, e.RetryAfter.Milliseconds(),
		token.Name(e.Provider), token.Name(e.Model), e.Status, shaped(e.Code), shaped(e.Type),
		shapedID(e.RequestID), e.reasonToken(), e.Frame, e.boundName(), e.Waited.Milliseconds(), e.Key(), e.Message(),
	})
}

// quoted quotes a value that would not stand as one word, so that a name cannot pose
// as another field.
func quoted(s string) string {
	if strings.ContainsAny(s, " =\"") {
		return strconv.Quote(s)
	}
	return s
}

type field struct{ name, value string }

// fields lists what is known beside fault and category, each value safe to render.
func (e *Error) fields() []field {
	all := []field{
		{"reason", e.reasonToken()},
		{"provider", token.Name(e.Provider)},
		{"model", token.Name(e.Model)},
		{"status", number(e.Status)},
		{"type", shaped(e.Type)},
		{"code", shaped(e.Code)},
		{"request_id", shapedID(e.RequestID)},
		{"frame", number(e.Frame)},
		{"bound", e.boundName()},
		{"waited", duration(e.Waited)},
		{"retry_after", duration(e.RetryAfter)},
	}
	known := all[:0]
	for _, f := range all {
		if f.value != "" {
			known = append(known, f)
		}
	}
	return known
}

// reason is why the call failed on this side of the wire; nil when it did not, or nobody
// said.
func (e *Error) reason() *reason.Reason {
	for _, cause := range e.causes {
		t := errtree.Flatten(cause)
		if _, other := errtree.Find[*Error](t); other {
			continue // another call's, such as that of a handler before this one
		}
		if r, ok := errtree.Find[*reason.Reason](t); ok {
			return r
		}
	}
	if ev := e.evidence(); ev != nil {
		r, _ := errtree.As[*reason.Reason](ev.Cause)
		return r
	}
	return nil
}

func (e *Error) reasonToken() string {
	if r := e.reason(); r != nil {
		return r.Token()
	}
	return ""
}

func (e *Error) boundName() string {
	if e.Bound == 0 {
		return ""
	}
	return e.Bound.String()
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func shaped(s string) string {
	if numeric(s) || token.Shape(s) {
		return s
	}
	return ""
}

func shapedID(s string) string {
	if token.IDShape(s) {
		return s
	}
	return ""
}

// numeric reports whether s is a short decimal number, as many providers' codes
// are.
func numeric(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= 9
}
