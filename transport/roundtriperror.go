package transport

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// joined is the error of RoundTrip: what the base returned, with what the chain made
// of it. Without an error of the base it is the chain's.
func joined(base, chain error) error {
	e, ok := errtree.As[*endwell.Error](chain)
	if base == nil || !ok {
		return chain
	}
	return &failure{base, e}
}

// failure is an error of the base, in its own words. To errors.Is and errors.As it is
// the chain's too.
type failure struct {
	base  error
	chain *endwell.Error
}

// Error returns the base's words.
func (f *failure) Error() string { return f.base.Error() }

// Unwrap returns both.
func (f *failure) Unwrap() []error { return []error{f.base, f.chain} }

// Timeout reports whether the base's error is a timeout, as net.Error has it: url.Error
// asks.
func (f *failure) Timeout() bool {
	t, ok := f.base.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// Temporary reports what the base's error says, as net.Error has it.
func (f *failure) Temporary() bool {
	t, ok := f.base.(interface{ Temporary() bool })
	return ok && t.Temporary()
}
