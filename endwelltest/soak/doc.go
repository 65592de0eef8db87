// Package soak holds a chain against chaos: thousands of streams at once whose answers
// end in every way there is, at random bytes, and whose consumers are slow, stop early,
// cancel, and close twice or from elsewhere.
//
// [Run] knows how each stream truly ended from the script that it chose, and not from
// the code under test. It counts every verdict that is wrong, every byte that is lost or
// comes twice, every attempt that should not have been made, and what is left of
// goroutines, descriptors and memory when all is over.
//
// As a test it is short by default; the second line is for CI, and the last one repeats a
// stream whose seed a run has printed:
//
//	go test ./endwelltest/soak
//	go test ./endwelltest/soak -run TestSoak -soak.for=60s -soak.streams=1000
//	go test ./endwelltest/soak -run TestSoak -soak.for=5m -soak.streams=10000
//	go test ./endwelltest/soak -run TestIdle -idle.streams=100000
//	go test ./endwelltest/soak -run TestSoak -soak.only=SEED
package soak
