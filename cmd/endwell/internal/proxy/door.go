package proxy

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// door says who may ask. A proxy on loopback is within reach of every web page that
// a browser on this machine shows. Such a page gives itself away by its Origin, or,
// when it has its own name point here, by the Host that it asks for.
type door struct {
	public  bool
	origins []string
}

// refuses returns why a request is refused, and with what status; "" when it is not.
func (d door) refuses(r *http.Request) (status int, why string) {
	switch origin := r.Header.Get("Origin"); {
	case r.Method == http.MethodConnect || r.URL.IsAbs():
		return http.StatusBadRequest, "this is no proxy for HTTP_PROXY: set it as the base URL of the client"
	case !d.public && !local(r.Host):
		return http.StatusForbidden, "the host name of the request is not one of this machine: ask for 127.0.0.1 or localhost, or start with -public"
	case origin != "" && !d.welcome(origin):
		return http.StatusForbidden, "the request comes from a web page that is not of this machine: allow its origin with -origin"
	default:
		return 0, ""
	}
}

// welcome reports whether an origin may ask: one of this machine, one that is allowed,
// and that of an application, whose scheme is not a web page's.
func (d door) welcome(origin string) bool {
	if slices.Contains(d.origins, "*") || slices.Contains(d.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme == "" {
		return false
	}
	return u.Scheme != "http" && u.Scheme != "https" || local(u.Host)
}

// local reports whether a host, with or without a port, is this machine.
func local(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
