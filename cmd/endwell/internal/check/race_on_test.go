//go:build race

package check_test

const (
	underRace  = true
	splitsEach = 6
)
