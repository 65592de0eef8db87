// Package reason holds why a call failed on this side of the wire, in our own words: what
// the caller, a provider of the host's, or a part of the transport did. The words are
// constants of this module, so that they may be rendered wherever an error is, where a
// provider's may not.
package reason

// Reason is one such cause. It is made once, with [New], and compared by identity. It is
// immutable, and safe for concurrent use.
type Reason struct{ place, token, text, action string }

// New makes the reason that token stands for. Place is the package that finds it; token
// is a stable snake_case word; text says it in a clause that can follow a colon; action is
// the sentence that says whose fault it is and what to do, "" for that of the error's
// category. They hold nothing that is not known at compile time.
func New(place, token, text, action string) *Reason { return &Reason{place, token, text, action} }

// Error is the text with its package.
func (r *Reason) Error() string { return r.place + ": " + r.text }

// Token is the stable word for it.
func (r *Reason) Token() string { return r.token }

// Text is the clause for a person.
func (r *Reason) Text() string { return r.text }

// Action is the sentence for a person, "" when the category's says enough.
func (r *Reason) Action() string { return r.action }
