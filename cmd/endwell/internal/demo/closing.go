package demo

import "fmt"

// closing counts what the table shows.
func closing(results []result) string {
	var right, wholes, stops, bads, fooled, waits int
	for _, r := range results {
		if r.right() {
			right++
		}
		switch r.guarded.kind {
		case finished:
			wholes++
		case stopped:
			stops++
		default:
			bads++
		}
		if r.fooled() {
			fooled++
		}
		if r.plain.kind == waiting {
			waits++
		}
	}
	return fmt.Sprintf(`%s, %d right: %d whole, %d stopped by the caller, %d bad, each of those with one typed error.
The plain client took %d of the %d bad ones for a finished answer (marked !) and was still waiting for %d.
`, plural(len(results), "ending"), right, wholes, stops, bads, fooled, bads, waits)
}
