package dialects

import (
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// signInteractions names the dialect if a frame's payload is clearly of the
// Interactions API, "" if not. Cohere v1 has an event_type too, with other values.
func signInteractions(f *frame) string {
	if f.kind == frameError || f.kind == frameJunk {
		return ""
	}
	var c jsonscan.Cursor
	c.Reset(f.data)
	if !c.Object() {
		return ""
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "event_type":
			if s, _ := c.Str(); interactionsType(string(s.Raw)) {
				return "interactions"
			}
		case "object":
			if s, _ := c.Str(); s.Equal("interaction") {
				return "interactions"
			}
		}
	}
	return ""
}

// interactionsType reports whether an event_type is one of the Interactions API.
func interactionsType(s string) bool {
	for _, prefix := range [...]string{"interaction.", "step.", "content."} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return s == "error"
}
