package classify

import "slices"

// phrase is a provider's text that tells two actions apart where nothing else does.
// It is compared with the beginning of the message, or with the place where one of
// its wrappers ends, so that a prompt that a provider echoes further on cannot
// decide.
type phrase struct {
	pattern string
	then    verdict
	// over are verdicts of tokens over which the phrase prevails, since the tokens
	// that stand for them are used for both; a phrase overrules no other token.
	over []verdict
}

var (
	// limits are what a provider calls an account without credit.
	limits = []verdict{rateLimited, forbidden}
	// refusals are what a provider calls a request that it will not serve.
	refusals = []verdict{forbidden, badRequest}
)

// phrases are those that are looked for whatever the dialect, since gateways hand
// them through.
var phrases = []phrase{
	{pattern: "request too large for * on tokens per", then: tooLong, over: limits}, // no wait makes it fit: wire/openai-family.md §4

	{pattern: "you exceeded your current quota*quota exceeded for metric:", then: rateLimited}, // Google's, through a gateway
	{pattern: "you exceeded your current quota", then: quota},                                  // wire/openai-family.md §1
	{pattern: "your credit balance is too low", then: quota, over: limits},                     // wire/other-families.md §1e, behind 400
	{pattern: "you have reached your specified *usage limits", then: quota, over: limits},      // the same
	{pattern: "you've reached your usage limit", then: quota, over: limits},                    // wire/openai-family.md §16: Kimi Code, any route
	{pattern: "you have reached your usage limit", then: quota, over: limits},
	{pattern: "you have reached the usage limit", then: quota, over: limits},
	{pattern: "you've reached your concurrent request limit", then: rateLimited, over: limits}, // the same, with 403: sub2api#6203
	{pattern: "usage limit exceeded,", then: quota, over: limits},                              // MiniMax' Anthropic route: MiniMax-M2.7#36
	{pattern: "weekly/monthly limit exhausted", then: quota, over: limits},                     // Z.AI's Anthropic route: opencodex#4024
	{pattern: "usage limit reached for # hour", then: quota, over: limits},
	{pattern: "your team @ has either used all available credits", then: quota, over: limits}, // xAI: continue#10373
	{pattern: "your newly created team@ doesn't have any credits", then: quota, over: limits},
	{pattern: "key limit exceeded", then: quota, over: limits},                       // OpenRouter: inspector#1287
	{pattern: "rate limit exceeded: free-models-per-day", then: quota, over: limits}, // OpenRouter, until midnight UTC

	{pattern: "content violates usage guidelines", then: blocked, over: refusals}, // xAI, with 403

	{pattern: "incorrect api key provided", then: authInvalid},        // wire/openai-family.md §11, behind 400
	{pattern: "model requires more system memory", then: cannotServe}, // wire/other-families.md §4e
	{pattern: "prefill context too large for available memory", then: cannotServe},

	{pattern: "@ is not a valid model id", then: noModel, over: refusals}, // OpenRouter, with 400
	{pattern: "invalid model name passed in model=", then: noModel},       // LiteLLM, with 400
	{pattern: "/@ invalid model name passed in model=", then: noModel},    // … behind the route
	{pattern: "invalid model identifier", then: noModel},                  // LM Studio
	{pattern: "the model @ does not exist", then: noModel},
	{pattern: "the requested model @ does not exist", then: noModel},

	{pattern: "litellm.contextwindowexceedederror:", then: tooLong}, // wire/openai-family.md §10.1
	{pattern: "litellm.contentpolicyviolationerror:", then: blocked},
	{pattern: "litellm.ratelimiterror:", then: rateLimited},
	{pattern: "litellm.authenticationerror:", then: authInvalid},
	{pattern: "litellm.timeout:", then: timedOut},
}

// missing are texts with which a provider says that there was no key at all. They
// only choose between a bad key and none, so they may refine what a token, the
// status or a generic type decided.
var missing = []string{
	"you didn't provide an api key",
	"x-api-key header is required",
	"missing authentication header",
	"no auth credentials found",
	"no cookie auth credentials found",
	"missing api key",
	"no api key",
	"api key is missing",
	"api key is required",
	"api key required",
	"missing authorization",
	"authorization header is missing",
	"authorization header is required",
	"authorization header missing",
	"authentication fails (auth header not provided",
	"missing bearer",
	"request is missing required authentication credential",
	"method doesn't allow unregistered callers",
	"access denied due to missing subscription key",
	"login fail: please carry the api secret key", // MiniMax
}

// refined lets a text choose between the meanings of a token that has several.
func refined(r *report) verdict {
	v := byCode(r)
	switch {
	case v == undecided || isPage(r.ev):
		return undecided
	case v == authInvalid && r.keyless():
		return authMissing
	case v == serverFault && r.saysAny(overflows):
		return tooLong // a second try does not make it fit
	}
	return r.says(func(p phrase) bool { return slices.Contains(p.over, v) })
}

// byPhrase asks the texts, where no token decided.
func byPhrase(r *report) verdict {
	if r.message == "" || isPage(r.ev) {
		return undecided
	}
	if r.keyless() {
		return authMissing
	}
	if v := r.says(func(phrase) bool { return true }); v != undecided {
		return v
	}
	if r.status != 401 && r.status != 403 && r.saysAny(overflows) {
		return tooLong
	}
	return undecided
}

// says finds the phrase, of those that may speak, with which a reading begins: the
// innermost reading first, the dialect's own phrases before everyone's.
func (r *report) says(may func(phrase) bool) verdict {
	for _, s := range r.readings {
		for _, list := range [...][]phrase{r.rules.phrases, phrases} {
			for _, p := range list {
				if may(p) && startsLike(s, p.pattern) {
					return p.then
				}
			}
		}
	}
	return undecided
}

// saysAny reports whether a reading begins like one of the patterns.
func (r *report) saysAny(patterns []string) bool {
	for _, s := range r.readings {
		for _, p := range patterns {
			if startsLike(s, p) {
				return true
			}
		}
	}
	return false
}

// keyless reports whether the report says that no key was sent. The status must be
// one with which providers answer a missing key.
func (r *report) keyless() bool {
	return (r.status == 401 || r.status == 403 || r.status == 0) && r.saysAny(missing)
}
