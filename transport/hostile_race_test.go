//go:build race

package transport_test

// underRace says that the race detector is on, which makes scanning ten times slower.
const underRace = true
