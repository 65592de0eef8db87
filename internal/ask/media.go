package ask

import (
	"net/http"
	"strings"
)

// Media is the content type that a header declares, without its parameters and in lower
// case; "" without one.
func Media(h http.Header) string {
	v := h["Content-Type"] // as Get, which would canonicalise the name first
	if len(v) == 0 {
		return ""
	}
	return MediaType(v[0])
}

// MediaType is the value of a content type without its parameters and in lower case.
func MediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// Text reports whether what has that content type is text, for all that it says: without
// one it may be.
func Text(media string) bool {
	if media == "" || strings.HasPrefix(media, "text/") {
		return true
	}
	for _, s := range [...]string{"json", "xml", "html", "event-stream", "eventstream"} {
		if strings.Contains(media, s) {
			return true
		}
	}
	return false
}

// Page reports whether what has that content type, and begins with "<", is a page that
// somebody has put in the place of an answer: XML that says so is what was asked for, and
// a file may be anything.
func Page(media string) bool {
	return Text(media) && (strings.Contains(media, "html") || !strings.Contains(media, "xml"))
}
