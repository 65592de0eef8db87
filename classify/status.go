package classify

// statuses says what a status means when no token tells more. What is absent
// follows its class: 4xx is the request's fault, 5xx the server's.
var statuses = map[int]verdict{
	401: authInvalid,
	402: quota, // wire/openai-family.md §6, §7; wire/other-families.md §1e
	403: forbidden,
	404: noModel,
	407: badSetup, // a proxy wants credentials
	408: timedOut,
	409: serverFault, // a conflict that SDKs retry, wire/other-families.md §1e
	410: noModel,
	413: tooLong,
	421: serverFault,
	423: serverFault,
	424: serverFault, // a dependency failed, wire/openai-family.md §4, §9
	425: serverFault,
	429: rateLimited,
	451: forbidden,
	498: authInvalid, // Groq and Cohere mean other things by it
	499: serverFault, // cancelled by somebody between, not by the caller
	501: cannotServe,
	503: overloaded,
	504: timedOut,
	511: badSetup, // a captive portal
	522: timedOut, // Cloudflare, to the origin
	524: timedOut, // wire/openai-family.md §7, §8
	529: overloaded,
	598: timedOut,
	599: timedOut,
}

func statusVerdict(status int) verdict {
	if v, ok := statuses[status]; ok {
		return v
	}
	switch {
	case status >= 500 && status <= 599:
		return serverFault
	case status >= 300 && status <= 499:
		return badRequest
	default:
		return undecided
	}
}
