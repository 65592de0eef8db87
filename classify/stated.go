package classify

import "strings"

// stated returns the headers that an error document repeats: OpenRouter's
// error.metadata.headers (wire/openai-family.md §7) and the headers of an error in a
// Responses stream (wire/other-families.md §7c), which has none of its own. nil when
// there are none.
func stated(body []byte) map[string][]string {
	e := document(body).inner()
	said := e.object("metadata").object("headers")
	if said == nil {
		said = e.object("headers")
	}
	if said == nil {
		return nil
	}
	h := make(map[string][]string, len(said))
	for name := range said {
		if v := said.text(name); v != "" {
			h[name] = []string{v}
		}
	}
	return h
}

// upstream returns the message of the provider behind OpenRouter, whose own says no
// more than that the provider failed: metadata.raw, a document or text.
func upstream(body []byte) string {
	raw := document(body).inner().object("metadata").word("raw")
	return read([]byte(strings.TrimSpace(raw))).message
}
