package token

import (
	"slices"
	"strings"
)

// keyNames are parts of the names under which providers, and gateways before them, take
// keys.
var keyNames = []string{
	"auth", "key", "token", "secret", "cookie", "credential", "password", "signature", "session",
}

// NamesKey reports whether a header, a query parameter or a member of that name holds a
// key: by its name only, in any case.
func NamesKey(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(keyNames, func(part string) bool { return strings.Contains(name, part) })
}
