package transport

import "bytes"

// Asks reports what the member "stream" of a document that comes in parts asks.
func Asks(parts ...[]byte) bool {
	var a asker
	for _, p := range parts {
		a.feed(p)
	}
	return a.asks()
}

// AsksText is Asks for a document in a string.
func AsksText(doc string) bool {
	var a asker
	_, _ = a.WriteString(doc)
	return a.asks()
}

// Missing is what a body lacks to end its last event, as the reply tells it after it
// took the body in parts, and the answer was whole or not.
func Missing(fault bool, parts ...[]byte) string {
	r := new(reply)
	for _, p := range parts {
		r.take(bytes.Clone(p))
	}
	return string(r.lines.missing(fault))
}
