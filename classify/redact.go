package classify

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/token"
)

// maxNumber is the length up to which a number is a code and not a key.
const maxNumber = 9

// safeToken returns a provider's token when the token rule lets it be rendered,
// else "". A nil request has no secrets of its own.
func safeToken(s string, req *endwell.Request) string {
	if !token.Shape(s) && !shortNumber(s) || hidden(s, req) {
		return ""
	}
	return s
}

// safeID is safeToken for request ids.
func safeID(s string, req *endwell.Request) string {
	if !token.IDShape(s) || hidden(s, req) {
		return ""
	}
	return s
}

// hidden reports whether s must not be rendered for this request. A part of a prompt
// gives a word away, unless the word is one that providers are known to use:
// rate_limit_exceeded stays although a prompt may say "exceeded".
func hidden(s string, req *endwell.Request) bool {
	if req == nil {
		return token.Leaks(s, nil, nil)
	}
	return token.Leaks(s, req.Secret, req.Private) || !vocabulary(s) && token.Overlaps(s, req.Private)
}

// vocabulary reports whether s is in one of the tables.
func vocabulary(s string) bool {
	n := normal(s)
	return shared[n] != undecided || generic[n] != undecided || anyones[n] != undecided
}

func shortNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= maxNumber
}
