package endwell

import (
	"fmt"
	"log/slog"
)

// Request is one call. Decorators never change it, and every attempt sends the
// same one. It is safe for concurrent use as long as nobody changes it.
type Request struct {
	// Agent names who is asking. It is the key of policy, budget and ledger; ""
	// is an agent like any other.
	Agent string
	// Provider and Model name what is asked. They appear in errors and messages.
	Provider string
	Model    string
	// Payload is the request itself. Only the provider looks inside.
	Payload any
	// Secret lists what must never be rendered: keys, tokens, endpoints.
	Secret []string
	// Private lists parts of the prompt, which providers like to echo. A provider
	// token that overlaps with one of them is not rendered.
	Private []string
}

// String names the request without its payload, secrets and private parts.
func (r Request) String() string {
	return fmt.Sprintf("request(agent=%q provider=%q model=%q)", r.Agent, r.Provider, r.Model)
}

// Format prints the same for every verb, so that formatting a request leaks no
// secret. One that sits in an unexported field of something else is out of its reach.
func (r Request) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(r.String())) }

// LogValue is String in parts.
func (r Request) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("agent", r.Agent), slog.String("provider", r.Provider), slog.String("model", r.Model))
}

// MarshalText returns String, so that encoders which would walk the fields do not.
func (r Request) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
