package ask

import (
	"bytes"
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

// Page reports whether what has that content type and begins so is a page that somebody has
// put in the place of an answer; partly, whether it may be one when more of it has come. XML
// that says so is what was asked for, a file may be anything, and text may begin with any
// bracket or tag but those of a page.
func Page(media string, begin []byte, partly bool) bool {
	text := bytes.TrimLeft(begin, " \t\r\n")
	switch {
	case len(text) == 0 || text[0] != '<' || !Text(media):
		return false
	case strings.Contains(media, "html"):
		return true
	case strings.Contains(media, "xml"):
		return false
	case len(text) < len(begin), strings.HasPrefix(media, "text/") && media != "text/event-stream":
		return beginsPage(text, partly)
	default:
		return true
	}
}

// beginsPage reports whether text begins as pages do; partly, as far as it has come.
func beginsPage(text []byte, partly bool) bool {
	for _, tag := range [...]string{"<!doctype", "<html", "<head", "<body"} {
		n := min(len(text), len(tag))
		if (partly || n == len(tag)) && strings.EqualFold(string(text[:n]), tag[:n]) {
			return true
		}
	}
	return false
}
