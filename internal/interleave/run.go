package interleave

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
)

// Run is one run of a program under one schedule. Its methods may be called from any
// goroutine of the program.
type Run struct {
	mu       sync.Mutex
	actors   map[uint64]*actor // by goroutine
	parked   []*actor
	numbered int
	live     int // goroutines of Go that have not returned
	steps    int
	taken    []step
	free     bool // nobody parks any more
	failures []error
	idle     func() bool
	release  []func()
	checks   []func()
}

// actor is a goroutine that is scheduled.
type actor struct {
	number int // 0 until the scheduler has seen it
	name   string
	point  string
	resume chan struct{}
}

func (a *actor) label() string { return a.name + ": " + a.point }

// step is one choice of the schedule.
type step struct{ name, point string }

func newRun() *Run { return &Run{actors: map[uint64]*actor{}} }

// Go starts a goroutine, which begins when the schedule says so. The run is over when
// all of them have returned, and no goroutine is left at a Yield. A panic of f fails
// the run.
func (r *Run) Go(name string, f func()) {
	r.mu.Lock()
	r.live++
	r.numbered++
	a := &actor{number: r.numbered, name: name, resume: make(chan struct{})}
	r.mu.Unlock()
	go func() {
		defer r.returned()
		r.enlist(a)
		r.Yield("begins")
		f()
	}()
}

func (r *Run) enlist(a *actor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.actors[goroutine()] = a
}

func (r *Run) returned() {
	v := recover()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live--
	if v != nil {
		r.failures = append(r.failures, fmt.Errorf("panic: %v", v))
	}
}

// Yield marks a point at which the goroutine may be overtaken: it returns when the
// schedule says so. A goroutine that Go has not started is scheduled from its first
// Yield on, and has the name of that point. Yield must not be called while a lock is
// held that another goroutine may want.
func (r *Run) Yield(point string) {
	r.mu.Lock()
	if r.free {
		r.mu.Unlock()
		return
	}
	id := goroutine()
	a := r.actors[id]
	if a == nil {
		a = &actor{name: point, resume: make(chan struct{})}
		r.actors[id] = a
	}
	a.point = point
	r.parked = append(r.parked, a)
	r.mu.Unlock()
	<-a.resume
}

// Step returns a number that is greater than all that it has returned in this run.
func (r *Run) Step() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps++
	return r.steps
}

// Errorf fails the run, which goes on.
func (r *Run) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Errorf(format, args...))
}

// OnIdle sets what is called when every goroutine waits for something else than the
// schedule: it may call Go, or let the time of the bubble pass, and returns whether it
// has done something. Without it, and when it returns false, such a run hangs. It must
// not Yield.
func (r *Run) OnIdle(f func() bool) { r.idle = f }

// OnHang adds what unblocks the goroutines of a run that hangs, so that it can end.
func (r *Run) OnHang(f func()) { r.release = append(r.release, f) }

// OnEnd adds what is called when the run is over, unless it hangs. It must not Yield.
func (r *Run) OnEnd(f func()) { r.checks = append(r.checks, f) }

// loop schedules until the run is over.
func (r *Run) loop(p *path) {
	preemptions, delays := p.preemptions, p.delays
	var current *actor
	for choices := 0; ; {
		synctest.Wait()
		options := r.options(current)
		if len(options) == 0 {
			if r.over() {
				return
			}
			continue
		}
		taken, canGoOn := 0, options[0] == current
		if eligible := eligible(options, canGoOn && preemptions == 0, delays); len(eligible) > 1 {
			var err error
			if taken, err = p.choose(choices, labels(eligible)); err != nil {
				r.Errorf("%w", err)
				r.abandon()
				return
			}
			choices++
		}
		if canGoOn && taken > 0 {
			preemptions--
		}
		if delays > 0 {
			delays -= taken
		}
		current = options[taken]
		r.let(current)
	}
}

// eligible returns the options that the bounds leave.
func eligible(options []*actor, only bool, delays int) []*actor {
	switch {
	case only:
		return options[:1]
	case delays >= 0:
		return options[:min(len(options), delays+1)]
	default:
		return options
	}
}

func labels(options []*actor) (labels []string) {
	for _, a := range options {
		labels = append(labels, a.label())
	}
	return labels
}

// options returns who can go on: the current one first, then the others by age. Those
// who are new are numbered, by name, since they have come in any order.
func (r *Run) options(current *actor) []*actor {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.SortFunc(r.parked, func(a, b *actor) int {
		switch {
		case a.number == 0 && b.number == 0:
			return cmp.Compare(a.name, b.name)
		case a.number == 0 || b.number == 0:
			return cmp.Compare(b.number, a.number)
		default:
			return cmp.Compare(a.number, b.number)
		}
	})
	for _, a := range r.parked {
		if a.number == 0 {
			r.numbered++
			a.number = r.numbered
		}
	}
	options := slices.Clone(r.parked)
	if at := slices.Index(options, current); at > 0 {
		options = slices.Insert(slices.Delete(options, at, at+1), 0, current)
	}
	return options
}

// let lets an actor go on to its next point.
func (r *Run) let(a *actor) {
	r.mu.Lock()
	r.parked = slices.DeleteFunc(r.parked, func(b *actor) bool { return b == a })
	r.taken = append(r.taken, step{a.name, a.point})
	r.mu.Unlock()
	a.resume <- struct{}{}
}

// over ends a run in which nobody can go on, unless something can be done about that.
func (r *Run) over() bool {
	r.mu.Lock()
	live := r.live
	r.mu.Unlock()
	switch {
	case live == 0:
		for _, check := range r.checks {
			check()
		}
		return true
	case r.idle != nil && r.idle():
		return false
	default:
		r.Errorf("it hangs: %d goroutines wait for nothing that comes", live)
		r.abandon()
		return true
	}
}

// abandon lets everybody go, so that the bubble can end.
func (r *Run) abandon() {
	r.mu.Lock()
	r.free = true
	parked := r.parked
	r.parked = nil
	r.mu.Unlock()
	for _, a := range parked {
		a.resume <- struct{}{}
	}
	for _, f := range r.release {
		f()
	}
	synctest.Wait()
}

// schedule renders the choices that were made.
func (r *Run) schedule() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var s strings.Builder
	s.WriteString("schedule:")
	for i, step := range r.taken {
		fmt.Fprintf(&s, "\n%4d  %s: %s", i+1, step.name, step.point)
	}
	return s.String()
}

// goroutine returns the number of the goroutine that calls it.
func goroutine() uint64 {
	var buf [32]byte
	head := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(head, []byte(" "))
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic("interleave: no goroutine number in a stack")
	}
	return n
}
