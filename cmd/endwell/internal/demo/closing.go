package demo

import "fmt"

// counts are what the table shows, in numbers. bad counts the rows whose answer
// must end badly, the others what came of the runs.
type counts struct {
	all, right, bad                int
	whole, stopped, typed, foreign int
	fooled, waited                 int
}

func tally(results []result) (n counts) {
	n.all = len(results)
	for _, r := range results {
		add(&n.right, r.right())
		add(&n.bad, r.row.want.kind == failed)
		add(&n.whole, r.guarded.kind == finished)
		add(&n.stopped, r.guarded.kind == stopped)
		add(&n.typed, r.guarded.kind == failed)
		add(&n.foreign, r.guarded.foreign != nil)
		add(&n.fooled, r.fooled())
		add(&n.waited, r.row.want.kind == failed && r.plain.kind == waiting)
	}
	return n
}

func add(n *int, one bool) {
	if one {
		*n++
	}
}

// closing says what the table shows.
func closing(results []result) string {
	n := tally(results)
	s := fmt.Sprintf("%s, %d right. endwell: %d whole, %d stopped by the caller, %d with one typed error each",
		plural(n.all, "ending"), n.right, n.whole, n.stopped, n.typed)
	if n.foreign > 0 {
		s += fmt.Sprintf(", %d outside of the contract", n.foreign)
	}
	return s + fmt.Sprintf(".\nThe plain client called %d of %d bad ones a finished answer (marked !) and was still waiting on %d.\n",
		n.fooled, n.bad, n.waited)
}
