package classify

import "strings"

// phrase is a provider's text that tells two actions apart where nothing else does.
// It is compared with the beginning of the message, so that a prompt that a
// provider echoes further on cannot decide. In the pattern, '#' stands for a
// number and '*' for up to 400 bytes of anything.
type phrase struct {
	pattern string
	then    verdict
	// refines is a token over which the phrase prevails, since the token has two
	// meanings; without one, a phrase never overrules a token that decides.
	refines string
}

// phrases are those that are looked for whatever the dialect, since gateways hand
// them through.
var phrases = []phrase{
	{pattern: "you exceeded your current quota", then: quota},                  // wire/openai-family.md §1
	{pattern: "your credit balance is too low", then: quota},                   // wire/other-families.md §1e, behind 400
	{pattern: "you have reached your specified api usage limits", then: quota}, // the same
	{pattern: "incorrect api key provided", then: authInvalid},                 // wire/openai-family.md §11, behind 400
	{pattern: "model requires more system memory", then: cannotServe},          // wire/other-families.md §4e
	{pattern: "prefill context too large for available memory", then: cannotServe},
	{pattern: "404 page not found", then: badRequest}, // a Go server without such a route
}

// missing are texts with which a provider says that there was no key at all. They
// only choose between a bad key and none, so they may refine what the status or a
// generic type decided.
var missing = []string{
	"you didn't provide an api key",
	"x-api-key header is required",
	"missing authentication header",
	"no auth credentials found",
	"no cookie auth credentials found",
	"missing api key",
	"no api key",
	"api key is missing",
	"api key required",
	"missing authorization",
	"authorization header is missing",
	"authorization header missing",
	"authentication fails (auth header not provided",
	"missing bearer",
	"request is missing required authentication credential",
	"method doesn't allow unregistered callers",
	"access denied due to missing subscription key",
}

// refined lets a phrase choose between the meanings of a token that has several.
func refined(r *report) verdict {
	for _, t := range r.tokens {
		if t == normal("rate_limit_exceeded") && startsLike(r.message, "request too large for * on tokens per") {
			return tooLong // no wait makes it fit: wire/openai-family.md §4
		}
		for _, p := range r.rules.phrases {
			if p.refines != "" && normal(p.refines) == t && startsLike(r.message, p.pattern) {
				return p.then
			}
		}
	}
	return undecided
}

// byPhrase asks the texts, where no token decided.
func byPhrase(r *report) verdict {
	if r.message == "" || isPage(r.ev) {
		return undecided
	}
	if r.keyless() {
		return authMissing
	}
	for _, list := range [...][]phrase{r.rules.phrases, phrases} {
		for _, p := range list {
			if p.refines == "" && startsLike(r.message, p.pattern) {
				return p.then
			}
		}
	}
	if r.status != 401 && r.status != 403 && overflow(r.message) {
		return tooLong
	}
	return undecided
}

// keyless reports whether the report says that no key was sent. The status must be
// one with which providers answer a missing key.
func (r *report) keyless() bool {
	if r.status != 401 && r.status != 403 && r.status != 0 {
		return false
	}
	for _, m := range missing {
		if strings.HasPrefix(r.message, m) {
			return true
		}
	}
	return false
}

// maxGap is the longest text for which '*' stands.
const maxGap = 400

// startsLike reports whether s begins with something like the pattern.
func startsLike(s, pattern string) bool {
	for i := range len(pattern) {
		switch pattern[i] {
		case '#':
			return startsLikeNumber(s, pattern[i+1:])
		case '*':
			return startsLikeAny(s, pattern[i+1:])
		}
		if s == "" || s[0] != pattern[i] {
			return false
		}
		s = s[1:]
	}
	return true
}

func startsLikeNumber(s, rest string) bool {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || n > 0 && (s[n] == ',' || s[n] == '.')) {
		n++
	}
	return n > 0 && startsLike(s[n:], rest)
}

func startsLikeAny(s, rest string) bool {
	for n := 0; n <= len(s) && n <= maxGap; n++ {
		if startsLike(s[n:], rest) {
			return true
		}
	}
	return false
}
