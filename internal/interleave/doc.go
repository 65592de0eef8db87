// Package interleave runs a small concurrent program under every schedule of its
// goroutines, so that a test sees each order in which events may meet, and not only
// those that a machine happens to produce.
//
// The program marks with Run.Yield where a goroutine may be overtaken, in practice in
// the mocks that the code under test calls: a stream, a body, a clock, a context.
// Only one goroutine runs at a time, from one such point to the next. Which one is
// next is what Space.Explore enumerates, depth first, by running the program again
// from its start for each schedule.
//
// A schedule that leaves a goroutine which could go on is preemptive. Races need few
// preemptions, so a Space may bound their number and still be worth its time.
package interleave
