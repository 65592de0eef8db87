//go:build race

package dialects

// spare is what a pool may cost: the race detector makes it lose much of what is put
// into it.
const spare = 1 << 10
