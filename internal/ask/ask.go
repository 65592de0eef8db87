// Package ask tells which requests may ask for a stream.
package ask

import (
	"net/http"
	"strings"
)

// May reports whether a request has a body that can ask for a stream: JSON, what has no
// type, or what has one that clients give to whatever has none: curl calls it a form,
// and fetch a text. It does not read the body.
func May(r *http.Request) bool {
	if r.Body == nil || r.Body == http.NoBody {
		return false
	}
	switch t := Media(r.Header); t {
	case "", "application/x-www-form-urlencoded", "text/plain":
		return true
	default:
		return strings.Contains(t, "json")
	}
}
