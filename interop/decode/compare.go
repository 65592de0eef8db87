package decode

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Cost is what one side spends on a frame.
type Cost struct {
	// Nanos is time, Bytes and Allocs are what is allocated.
	Nanos, Bytes, Allocs float64
}

// Result is what came out of the rounds of a pair. The costs are medians.
type Result struct {
	Pair         Pair
	FrameBytes   float64 // size of a frame on the wire
	Endwell, SDK Cost
	// Times says how many times the SDK's time is endwell's: the quartiles of the
	// rounds' ratios, the median in the middle.
	Times [3]float64
}

// Compare reads a body of that many frames once with each side of each pair in each
// round. The sides take turns in going first. A round before the first is not
// counted.
func Compare(pairs []Pair, size Size, frames, rounds int) ([]Result, error) {
	tracks := make([]track, len(pairs))
	for i, p := range pairs {
		tracks[i] = track{pair: p, body: p.Body(frames, size), read: [2]Reader{p.Endwell(), p.Read}}
	}
	for round := range rounds + 1 {
		for i := range tracks {
			if err := tracks[i].run(round); err != nil {
				return nil, err
			}
		}
	}
	results := make([]Result, len(tracks))
	for i := range tracks {
		results[i] = tracks[i].result()
	}
	return results, nil
}

// track is a pair that is being measured.
type track struct {
	pair  Pair
	body  *Body
	read  [2]Reader // endwell's, the SDK's
	costs [2][]Cost
}

func (t *track) run(round int) error {
	for turn := range t.read {
		side := (round + turn) % len(t.read)
		runtime.GC() // each side pays for its own garbage
		c, err := measure(t.body, t.read[side])
		if err != nil {
			return fmt.Errorf("%s, side %d: %w", t.pair.Family, side, err)
		}
		if round > 0 {
			t.costs[side] = append(t.costs[side], c)
		}
	}
	return nil
}

// measure reads a body. The clock starts when its first byte is asked for.
func measure(b *Body, read Reader) (Cost, error) {
	var before, after runtime.MemStats
	var start time.Time
	feed := b.Open(func() {
		runtime.ReadMemStats(&before)
		start = time.Now()
	})
	size := 0
	err := read(feed, func(text string) { size += len(text) })
	spent := time.Since(start)
	runtime.ReadMemStats(&after)
	if err == nil && size != len(b.Text) {
		err = fmt.Errorf("%d bytes of text instead of %d", size, len(b.Text))
	}
	n := float64(b.Frames)
	return Cost{
		Nanos:  float64(spent.Nanoseconds()) / n,
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / n,
		Allocs: float64(after.Mallocs-before.Mallocs) / n,
	}, err
}

func (t *track) result() Result {
	ratios := make([]float64, len(t.costs[0]))
	for i := range ratios {
		ratios[i] = t.costs[1][i].Nanos / t.costs[0][i].Nanos
	}
	return Result{
		Pair: t.pair, FrameBytes: float64(t.body.Len()) / float64(t.body.Frames),
		Endwell: medians(t.costs[0]), SDK: medians(t.costs[1]),
		Times: [3]float64{quantile(ratios, 1, 4), quantile(ratios, 1, 2), quantile(ratios, 3, 4)},
	}
}

func medians(costs []Cost) Cost {
	of := func(f func(Cost) float64) float64 {
		v := make([]float64, len(costs))
		for i, c := range costs {
			v[i] = f(c)
		}
		return quantile(v, 1, 2)
	}
	return Cost{
		Nanos:  of(func(c Cost) float64 { return c.Nanos }),
		Bytes:  of(func(c Cost) float64 { return c.Bytes }),
		Allocs: of(func(c Cost) float64 { return c.Allocs }),
	}
}

// quantile returns the value at num/den of the sorted values, the nearest one.
func quantile(values []float64, num, den int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)*num/den]
}
