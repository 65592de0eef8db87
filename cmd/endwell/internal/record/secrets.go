package record

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
	"github.com/endwell-go/endwell/internal/token"
	"github.com/endwell-go/endwell/tape"
)

// keptHeaders are the headers of a response that a tape keeps: what tells how to read
// it, what went wrong, and when to come back. A name that ends in "-" stands for all
// that begin so.
var keptHeaders = []string{
	"Content-Type", "Date", "Server", "Via", "Retry-After", "Retry-After-Ms", "X-Should-Retry",
	"X-Request-Id", "Request-Id", "X-Amzn-Requestid", "X-Amzn-Errortype", "Apim-Request-Id", "X-Ms-Error-Code",
	"X-Groq-Id", "Cf-Ray", "X-Ratelimit-", "Ratelimit", "Ratelimit-", "Anthropic-Ratelimit-",
}

// kept returns what a tape keeps of a response's header.
func kept(h http.Header) tape.Header {
	out := tape.Header{}
	for name, values := range h {
		if len(values) > 0 && slices.ContainsFunc(keptHeaders, func(k string) bool {
			return k == name || strings.HasSuffix(k, "-") && strings.HasPrefix(name, k)
		}) {
			out[name] = values[0]
		}
	}
	return out
}

// The lengths from which a value that is a key by its name, and one that looks like a
// key, count as a secret; and that of the fragments of one that are looked for, since
// providers echo the beginning of a key.
const (
	minSecret = 8
	minOpaque = 16
	fragment  = 12
)

// Secrets returns what must not be on a tape of the answer to a request: the keys in its
// header, its query and its body, by their names, and what looks like one in the first
// two. A body is looked at if it is JSON that can be read again.
func Secrets(req *http.Request) (secrets []string) {
	add := func(name string, values []string) {
		named := token.NamesKey(name)
		for _, v := range values {
			secrets = append(secrets, keys(v, named)...)
		}
	}
	for name, values := range req.Header {
		add(name, values)
	}
	for name, values := range req.URL.Query() {
		add(name, values)
	}
	if password, ok := req.URL.User.Password(); ok {
		add("password", []string{password})
	}
	secrets = append(secrets, bodySecrets(req)...)
	slices.Sort(secrets)
	return slices.Compact(secrets)
}

// bodySecrets returns the texts of a body whose members are named as keys are: servers
// echo a request's tools, which may have keys of their own.
func bodySecrets(req *http.Request) (secrets []string) {
	if req.GetBody == nil {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil
	}
	defer func() { _ = body.Close() }()
	doc, _ := io.ReadAll(body)
	var c jsonscan.Cursor
	c.Reset(doc)
	return members(&c, false, nil)
}

// members appends the texts in the value that is due whose member is named as a key.
func members(c *jsonscan.Cursor, named bool, found []string) []string {
	switch {
	case c.Object():
		for name, ok := c.Key(); ok; name, ok = c.Key() {
			found = members(c, token.NamesKey(string(name)), found)
		}
	case c.Array():
		for c.Elem() {
			found = members(c, named, found)
		}
	case named:
		if s, ok := c.Str(); ok {
			return append(found, keys(s.String(), true)...)
		}
	}
	return found
}

// keys returns the keys in a value. One that is named as a key may be short, and may
// stand behind a scheme. Of a list, as in a cookie or a signature, only what looks like
// a key counts: the rest are words.
func keys(value string, named bool) (found []string) {
	if scheme, rest, ok := strings.Cut(value, " "); ok && named && !strings.ContainsAny(scheme, "=,;") {
		value = strings.TrimSpace(rest)
		if pair, err := base64.StdEncoding.DecodeString(value); err == nil && strings.EqualFold(scheme, "Basic") {
			_, password, _ := strings.Cut(string(pair), ":")
			found = keys(password, true)
		}
	}
	if named && len(value) >= minSecret && !strings.ContainsAny(value, " ,;") {
		return append(found, value)
	}
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ,;=/", r) }) {
		if opaque(part) {
			found = append(found, part)
		}
	}
	return found
}

// opaque reports whether a word looks like a key: it is long, and has digits and letters.
func opaque(s string) bool {
	return len(s) >= minOpaque && strings.ContainsAny(s, "0123456789") &&
		strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// Clean takes secrets out of a tape's body and header: each of their bytes becomes an
// x, so that nothing moves. A fragment of 12 bytes counts too. The tape must be the
// caller's own.
func Clean(t *tape.Tape, secrets []string) {
	var all []byte
	for i := range t.Arrivals {
		all = append(all, t.Arrivals[i].Data...)
	}
	clean := masked(all, secrets)
	for i := range t.Arrivals {
		n := len(t.Arrivals[i].Data)
		t.Arrivals[i].Data, clean = clean[:n:n], clean[n:]
	}
	for name, v := range t.Header {
		t.Header[name] = string(masked([]byte(v), secrets))
	}
}

// masked returns b with every piece of a secret masked.
func masked(b []byte, secrets []string) []byte {
	out := bytes.Clone(b)
	for _, s := range secrets {
		n := min(len(s), fragment)
		for at := 0; at+n <= len(s); at++ {
			mask(out, b, []byte(s[at:at+n]))
		}
	}
	return out
}

// mask masks in out what stands as piece in b.
func mask(out, b, piece []byte) {
	for from := 0; ; {
		i := bytes.Index(b[from:], piece)
		if i < 0 {
			return
		}
		from += i
		for j := range piece {
			out[from+j] = 'x'
		}
		from++
	}
}
