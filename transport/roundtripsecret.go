package transport

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
)

// keyHeaders are the headers in which providers take keys.
var keyHeaders = [...]string{
	"Authorization", "Proxy-Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
	"X-Amz-Security-Token", "X-Auth-Token", "X-Auth-Key", "Cookie",
}

// secrets returns the keys that a request carries.
func secrets(req *http.Request) (keys []string) {
	add := func(key string) {
		if key != "" {
			keys = append(keys, key)
		}
	}
	for _, name := range keyHeaders {
		for _, v := range req.Header.Values(name) {
			add(credential(v))
		}
	}
	if req.URL.RawQuery != "" {
		q := req.URL.Query()
		for _, name := range [...]string{"key", "api_key", "api-key", "access_token", "token", "X-Amz-Signature", "X-Amz-Security-Token"} {
			for _, v := range q[name] {
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
