package perf

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/endwell-go/endwell/interop/decode"
)

// side is one of those that are held against each other. What it does between start
// and stop of the meter counts.
type side struct {
	name string
	run  func(*meter) error
}

// meter measures one run of a side.
type meter struct {
	now           func() time.Duration
	begun, spent  time.Duration
	before, after runtime.MemStats
	chunks        int
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.before)
	m.begun = m.now()
}

// stop says how many chunks have been read since start.
func (m *meter) stop(chunks int) {
	m.spent = m.now() - m.begun
	runtime.ReadMemStats(&m.after)
	m.chunks = chunks
}

func (m *meter) cost() decode.Cost {
	n := float64(m.chunks)
	return decode.Cost{
		Nanos:  float64(m.spent) / n,
		Bytes:  float64(m.after.TotalAlloc-m.before.TotalAlloc) / n,
		Allocs: float64(m.after.Mallocs-m.before.Mallocs) / n,
	}
}

var process = time.Now()

// wall is the time that passes.
func wall() time.Duration { return time.Since(process) }

// race runs each side once a round, each in its turn first.
func race(rounds int, now func() time.Duration, sides []side) ([]track, error) {
	tracks := make([]track, len(sides))
	for round := range rounds + 1 {
		for turn := range sides {
			i := (round + turn) % len(sides)
			runtime.GC()
			m := meter{now: now}
			if err := sides[i].run(&m); err != nil {
				return nil, fmt.Errorf("%s: %w", sides[i].name, err)
			}
			if round > 0 {
				tracks[i].costs = append(tracks[i].costs, m.cost())
			}
		}
	}
	for i := range tracks {
		tracks[i].name = sides[i].name
	}
	return tracks, nil
}

// track is what the rounds of a side cost.
type track struct {
	name  string
	costs []decode.Cost
}

// cost is the median of the rounds.
func (t track) cost() decode.Cost {
	return decode.Cost{
		Nanos:  median(t.costs, func(c decode.Cost) float64 { return c.Nanos }),
		Bytes:  median(t.costs, func(c decode.Cost) float64 { return c.Bytes }),
		Allocs: median(t.costs, func(c decode.Cost) float64 { return c.Allocs }),
	}
}

// times is how many times dearer t is than u, in time.
func (t track) times(u track) float64 {
	return t.against(u, func(t, u float64) float64 { return t / u })
}

// beyond is how much more time t takes than u.
func (t track) beyond(u track) float64 {
	return t.against(u, func(t, u float64) float64 { return t - u })
}

func (t track) against(u track, f func(t, u float64) float64) float64 {
	each := make([]float64, len(t.costs))
	for i := range each {
		each[i] = f(t.costs[i].Nanos, u.costs[i].Nanos)
	}
	return median(each, func(x float64) float64 { return x })
}

func median[T any](of []T, f func(T) float64) float64 {
	all := make([]float64, len(of))
	for i, x := range of {
		all[i] = f(x)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}
