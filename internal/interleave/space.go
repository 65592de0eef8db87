package interleave

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
)

// maxRuns is what a zero Space.Runs stands for.
const maxRuns = 1_000_000

// Space says which schedules are explored. The zero value is those without a
// preemption.
type Space struct {
	// Preemptions bounds how often a run leaves a goroutine that could go on. A
	// switch from one that waits, or is through, is free. Negative means no bound.
	Preemptions int
	// Delays bounds how far a run may depart from the schedule in which a goroutine
	// goes on for as long as it can and the oldest one is next: to take the nth in
	// line costs n. It grows slower than Preemptions with the number of goroutines. 0
	// means no bound.
	Delays int
	// Runs bounds the number of runs; 0 means a million. A space that has more is an
	// error, since a part of it proves little.
	Runs int
}

// Explore runs the program under every schedule of the space, each time in a bubble
// of testing/synctest, and returns how many runs that took. It ends with the first run
// that failed: the error holds what Run.Errorf was told, or that the run hangs, or that
// a goroutine outlives it, and the schedule. A program must do the same under the same
// schedule; one that does not is an error too.
//
// The program sets a run up: it starts goroutines with Run.Go and returns. It must not
// keep anything from run to run.
func (s Space) Explore(t *testing.T, program func(*Run)) (runs int, err error) {
	limit := s.Runs
	if limit == 0 {
		limit = maxRuns
	}
	p := path{preemptions: s.Preemptions, delays: s.Delays}
	if s.Delays == 0 {
		p.delays = -1
	}
	for {
		if runs == limit {
			return runs, fmt.Errorf("interleave: more than %d schedules", limit)
		}
		runs++
		if err := p.run(t, program); err != nil {
			return runs, fmt.Errorf("interleave: run %d: %w", runs, err)
		}
		if !p.advance() {
			return runs, nil
		}
	}
}

// path is the schedule of a run: one branch for each point at which there was a choice.
type path struct {
	preemptions int
	delays      int // negative for no bound
	branches    []branch
}

// branch is a choice: the option that is taken, of how many, and what it was.
type branch struct {
	taken, of int
	label     string
}

// run runs the program once. A goroutine that outlives it is a panic of the bubble,
// which names its stack.
func (p *path) run(t *testing.T, program func(*Run)) (err error) {
	r := newRun()
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v\n%s", v, r.schedule())
		}
	}()
	synctest.Test(t, func(*testing.T) {
		program(r)
		r.loop(p)
	})
	if len(r.failures) > 0 {
		return fmt.Errorf("%w\n%s", errors.Join(r.failures...), r.schedule())
	}
	return nil
}

// choose takes the option of the schedule at its next branch, or begins a new branch.
func (p *path) choose(at int, options []string) (int, error) {
	if at == len(p.branches) {
		p.branches = append(p.branches, branch{of: len(options), label: options[0]})
		return 0, nil
	}
	b := &p.branches[at]
	switch {
	case b.of != len(options), b.label != "" && b.label != options[b.taken]:
		return 0, fmt.Errorf("not deterministic: choice %d was %q of %d and is among %q", at, b.label, b.of, options)
	default:
		b.label = options[b.taken]
		return b.taken, nil
	}
}

// advance moves on to the next schedule; false when there is none.
func (p *path) advance() bool {
	for n := len(p.branches); n > 0; n-- {
		b := &p.branches[n-1]
		if b.taken++; b.taken < b.of {
			b.label = ""
			return true
		}
		p.branches = p.branches[:n-1]
	}
	return false
}
