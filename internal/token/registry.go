package token

import (
	"strings"
	"sync"
)

// registry holds the secrets of the process, each with how many hold it.
var registry = struct {
	sync.RWMutex
	held map[string]int
}{held: map[string]int{}}

// Register makes secret one that Leaks looks for in every call, until release has
// been called; release may be called more than once and counts once. What is below
// 4 characters is too short to tell and does nothing. It is safe for concurrent
// use.
func Register(secret string) (release func()) {
	k := strings.ToLower(secret)
	if len(k) < minFragment {
		return func() {}
	}
	registry.Lock()
	registry.held[k]++
	registry.Unlock()
	return sync.OnceFunc(func() { forget(k) })
}

func forget(k string) {
	registry.Lock()
	defer registry.Unlock()
	if registry.held[k]--; registry.held[k] <= 0 {
		delete(registry.held, k)
	}
}

// registered reports whether s, in lower case, holds a fragment of a secret of the
// process.
func registered(s string) bool {
	registry.RLock()
	defer registry.RUnlock()
	for k := range registry.held {
		if holdsSecret(s, k) {
			return true
		}
	}
	return false
}
