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
	t, _, _ := strings.Cut(v[0], ";")
	return strings.ToLower(strings.TrimSpace(t))
}
