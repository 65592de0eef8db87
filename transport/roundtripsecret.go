package transport

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/endwell-go/endwell/internal/token"
)

// secrets returns the keys that a request carries, in the room that is given.
func secrets(room []string, req *http.Request) (keys []string) {
	add := func(key string) {
		if key != "" {
			if keys == nil {
				keys = room
			}
			keys = append(keys, key)
		}
	}
	for name, values := range req.Header {
		if !token.NamesKey(name) {
			continue
		}
		for _, v := range values {
			add(credential(v))
		}
	}
	if req.URL.RawQuery != "" {
		for name, values := range req.URL.Query() {
			if !token.NamesKey(name) {
				continue
			}
			for _, v := range values {
				add(v)
			}
		}
	}
	for _, v := range userinfo(req.URL.User) {
		add(v)
	}
	return keys
}

// credential returns what a header says without the scheme before it. A name and a
// password are taken apart.
func credential(v string) string {
	scheme, rest, ok := strings.Cut(v, " ")
	if !ok {
		return v
	}
	rest = strings.TrimSpace(rest)
	if strings.EqualFold(scheme, "Basic") {
		if pair, err := base64.StdEncoding.DecodeString(rest); err == nil {
			_, password, _ := strings.Cut(string(pair), ":")
			return password
		}
	}
	return rest
}

func userinfo(u *url.Userinfo) []string {
	password, _ := u.Password()
	return []string{password}
}
