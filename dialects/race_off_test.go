//go:build !race

package dialects

// spare is what a pool may cost: nothing, since it loses little.
const spare = 0.02
