// Package perf measures what endwell costs, beside what Go programs read a model's
// stream with otherwise, and writes the report docs/performance.md.
//
// Everything runs in one process on the same bytes, which are written here. What is
// held against each other takes turns in rounds, each side with a collected heap, and
// a round before the first is not counted. Costs are medians of the rounds, and a ratio
// is the median of the rounds' ratios, so that what else the machine does falls on all
// sides alike.
//
// Pieces are the parts of the report, each with the goals that it is held against.
package perf
