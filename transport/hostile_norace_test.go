//go:build !race

package transport_test

const underRace = false
