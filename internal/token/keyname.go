package token

import (
	"bytes"
	"slices"
)

// keyNames are parts of the names under which providers, and gateways before them, take
// keys.
var keyNames = [][]byte{
	[]byte("auth"), []byte("key"), []byte("token"), []byte("secret"), []byte("cookie"),
	[]byte("credential"), []byte("password"), []byte("signature"), []byte("session"),
}

// NamesKey reports whether a header, a query parameter or a member of that name holds a
// key: by its name only, in any case.
func NamesKey(name string) bool {
	var room [64]byte // most names cost no allocation
	low := append(room[:0], name...)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return slices.ContainsFunc(keyNames, func(part []byte) bool { return bytes.Contains(low, part) })
}
