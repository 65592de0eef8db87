package classify

import "strings"

// normal brings a provider's token to the form in which the tables are searched:
// lower case letters and digits only. AWS and Copilot decorate tokens: what follows
// a ':' is cut, and so is what precedes a '#' (wire/other-families.md §6,
// wire/openai-family.md §9).
func normal(token string) string {
	if len(token) > 256 {
		return ""
	}
	if i := strings.IndexByte(token, '#'); i >= 0 {
		token = token[i+1:]
	}
	if i := strings.IndexByte(token, ':'); i > 0 {
		if strings.HasPrefix(token, "urn:") {
			i = strings.LastIndexByte(token, ':')
			token = token[i+1:]
		} else {
			token = token[:i]
		}
	}
	b := make([]byte, 0, len(token))
	for i := range len(token) {
		switch c := token[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b = append(b, c)
		case c >= 'A' && c <= 'Z':
			b = append(b, c|0x20)
		}
	}
	if s := string(b); s != "none" && s != "null" {
		return s
	}
	return ""
}

// compile brings a table's keys to normal form.
func compile(t table) table {
	n := make(table, len(t))
	for k, v := range t {
		n[normal(k)] = v
	}
	return n
}
