package interleave_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/interleave"
)

// all is every schedule.
var all = interleave.Space{Preemptions: -1}

// walks are goroutines that do nothing but pass points, one number of them for each.
func walks(order *string, points ...int) func(*interleave.Run) {
	return func(r *interleave.Run) {
		for i, n := range points {
			name := string(rune('a' + i))
			r.Go(name, func() {
				for range n - 1 {
					*order += name
					r.Yield("on")
				}
				*order += name
			})
		}
	}
}

func TestEverySchedule(t *testing.T) {
	for _, row := range []struct {
		name   string
		points []int
		space  interleave.Space
		want   int
	}{
		{"one goroutine", []int{5}, all, 1},
		{"2 and 2", []int{2, 2}, all, 6},
		{"3 and 4", []int{3, 4}, all, 35},
		{"2, 2 and 2", []int{2, 2, 2}, all, 90},
		{"no preemption is every order of the whole", []int{3, 4, 2}, interleave.Space{}, 6},
		{"one preemption of 2 and 2", []int{2, 2}, interleave.Space{Preemptions: 1}, 4}, // aabb bbaa abba baab
		{"more preemptions than there can be", []int{2, 2}, interleave.Space{Preemptions: 9}, 6},
		{"one delay of 2 and 2", []int{2, 2}, interleave.Space{Preemptions: -1, Delays: 1}, 3}, // aabb bbaa abba
		{"one delay without a preemption", []int{2, 2, 1}, interleave.Space{Delays: 1}, 3},     // aabbc bbaac aacbb
		{"more delays than there can be", []int{2, 2}, interleave.Space{Preemptions: -1, Delays: 9}, 6},
	} {
		t.Run(row.name, func(t *testing.T) {
			seen := map[string]bool{}
			runs, err := row.space.Explore(t, func(r *interleave.Run) {
				order := new(string)
				walks(order, row.points...)(r)
				r.OnEnd(func() { seen[*order] = true })
			})
			require.NoError(t, err)
			require.Equal(t, row.want, runs)
			require.Len(t, seen, row.want, "the same schedule twice")
		})
	}
}

// lostUpdate adds twice to a number, with a gap between reading and writing.
func lostUpdate(r *interleave.Run) {
	n := 0
	for _, name := range []string{"a", "b"} {
		r.Go(name, func() {
			was := n
			r.Yield("has read")
			n = was + 1
		})
	}
	r.OnEnd(func() {
		if n != 2 {
			r.Errorf("an update is lost")
		}
	})
}

func TestRaceIsFound(t *testing.T) {
	_, err := interleave.Space{}.Explore(t, lostUpdate)
	require.NoError(t, err, "it takes a preemption")
	_, err = interleave.Space{Preemptions: 1}.Explore(t, lostUpdate)
	require.ErrorContains(t, err, "an update is lost")
	require.ErrorContains(t, err, "1  a: begins\n   2  b: begins\n   3  b: has read\n   4  a: has read")
}

func TestFailures(t *testing.T) {
	for name, row := range map[string]struct {
		program func(*interleave.Run)
		want    string
	}{
		"it hangs": {func(r *interleave.Run) {
			never := make(chan struct{})
			r.OnHang(func() { close(never) })
			r.Go("a", func() { <-never })
			r.Go("b", func() { r.Yield("on") })
		}, "it hangs: 1 goroutines"},
		"a goroutine outlives the run": {func(r *interleave.Run) {
			r.Go("a", func() { go func() { select {} }() })
		}, "deadlock"},
		"a panic": {func(r *interleave.Run) {
			r.Go("a", func() { panic("oh") })
		}, "panic: oh"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := all.Explore(t, row.program)
			require.ErrorContains(t, err, row.want)
			require.ErrorContains(t, err, "a: begins")
		})
	}
}

func TestNotDeterministic(t *testing.T) {
	runs := 0
	_, err := all.Explore(t, func(r *interleave.Run) {
		runs++
		for range 1 + runs {
			r.Go("a", func() { r.Yield("on") })
		}
	})
	require.ErrorContains(t, err, "not deterministic")
}

func TestTooManySchedules(t *testing.T) {
	runs, err := interleave.Space{Preemptions: -1, Runs: 34}.Explore(t, walks(new(string), 3, 4))
	require.ErrorContains(t, err, "more than 34 schedules")
	require.Equal(t, 34, runs)
	_, err = interleave.Space{Preemptions: -1, Runs: 35}.Explore(t, walks(new(string), 3, 4))
	require.NoError(t, err)
}

// Those who wait for each other are not scheduled, and goroutines that the program
// begins itself are.
func TestWaitingAndStrangers(t *testing.T) {
	orders := map[string]bool{}
	_, err := all.Explore(t, func(r *interleave.Run) {
		var order string
		ready := make(chan struct{})
		r.Go("waits", func() { <-ready; order += "w" })
		r.Go("begins one", func() {
			go func() { r.Yield("stranger"); order += "s"; close(ready) }()
			r.Yield("on")
			order += "b"
		})
		r.OnEnd(func() { orders[order] = true })
	})
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"bsw": true, "swb": true, "sbw": true}, orders)
}

func TestIdle(t *testing.T) {
	runs, err := all.Explore(t, func(r *interleave.Run) {
		var wg sync.WaitGroup
		late := make(chan struct{})
		r.OnIdle(func() bool { <-time.After(time.Hour); return true })
		r.Go("a", func() { <-time.After(time.Minute); close(late) })
		r.Go("b", func() { <-late; wg.Wait() })
	})
	require.NoError(t, err)
	require.Equal(t, 2, runs)
}

func TestPromptContext(t *testing.T) {
	runs, err := all.Explore(t, func(r *interleave.Run) {
		ctx := interleave.NewContext(r)
		ctx.Quiet, ctx.Prompt = true, true
		below, cancel := context.WithCancel(ctx)
		r.Go("cancels", ctx.Cancel)
		r.Go("asks", func() {
			defer cancel()
			if (ctx.Err() == nil) != (below.Err() == nil) {
				r.Errorf("not told")
			}
		})
	})
	require.NoError(t, err)
	require.Equal(t, 2, runs)
}

// A context that is derived may be asked before it has been told.
func TestContext(t *testing.T) {
	seen := map[[2]bool]bool{}
	_, err := all.Explore(t, func(r *interleave.Run) {
		ctx := interleave.NewContext(r)
		below, cancel := context.WithCancel(ctx)
		r.Go("cancels", ctx.Cancel)
		r.Go("asks", func() {
			defer cancel()
			own := ctx.Err() != nil
			seen[[2]bool{own, below.Err() != nil}] = true
		})
		r.OnEnd(func() {
			if below.Err() == nil || ctx.Err() != context.Canceled {
				r.Errorf("not ended")
			}
		})
	})
	require.NoError(t, err)
	require.Equal(t, map[[2]bool]bool{{false, false}: true, {true, false}: true, {true, true}: true}, seen)
}

func TestContextAfterFunc(t *testing.T) {
	_, err := all.Explore(t, func(r *interleave.Run) {
		ctx, calls := interleave.NewContext(r), 0
		ctx.Quiet = true
		stop := context.AfterFunc(ctx, func() { calls++ })
		context.AfterFunc(ctx, func() { calls += 10 })
		r.Go("a", func() {
			if !stop() || stop() {
				r.Errorf("stop lies")
			}
			ctx.Cancel()
			ctx.Cancel()
			if calls != 0 {
				r.Errorf("told by %d", calls)
			}
		})
		r.OnEnd(func() {
			if calls != 10 {
				r.Errorf("calls: %d", calls)
			}
		})
	})
	require.NoError(t, err)
}
