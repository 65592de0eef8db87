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
	if !token.Shape(s) && !shortNumber(s) || leaks(s, req) {
		return ""
	}
	return s
}

// safeID is safeToken for request ids.
func safeID(s string, req *endwell.Request) string {
	if !token.IDShape(s) || leaks(s, req) {
		return ""
	}
	return s
}

func leaks(s string, req *endwell.Request) bool {
	if req == nil {
		return token.Leaks(s, nil, nil)
	}
	return token.Leaks(s, req.Secret, req.Private)
}

func shortNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= maxNumber
}
