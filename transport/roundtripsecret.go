package transport

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// keyNames are parts of the names of headers and query parameters in which providers,
// and gateways before them, take keys.
var keyNames = [...]string{
	"auth", "key", "token", "secret", "cookie", "credential", "password", "signature", "session",
}

func namesKey(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(keyNames[:], func(part string) bool { return strings.Contains(name, part) })
}

// secrets returns the keys that a request carries.
func secrets(req *http.Request) (keys []string) {
	add := func(key string) {
		if key != "" {
			keys = append(keys, key)
		}
	}
	for name, values := range req.Header {
		if !namesKey(name) {
			continue
		}
		for _, v := range values {
			add(credential(v))
		}
	}
	if req.URL.RawQuery != "" {
		for name, values := range req.URL.Query() {
			if !namesKey(name) {
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
