package classify

// routes are texts with which a server answers 404 when it has no such route, which
// is no matter of the model. Sources: wire/openai-family.md §10.4;
// wire/other-families.md §5e; groq's unknown_url.
var routes = []string{
	"not found$", // FastAPI's, and Anthropic's for an unknown path
	"404 page not found",
	"invalid url (", // OpenAI
	"unknown request url",
	"resource not found$", // Azure
	"no route matched",
	"no matching route",
	"cannot post /",
	"unexpected endpoint or method",
}

// strayed reports whether nobody's API is at this address.
func strayed(r *report) bool {
	return r.status == 404 && (isPage(r.ev) || r.saysAny(routes))
}
