package perf

import (
	"context"
	"fmt"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

var stallGuard = Piece{
	Number: 4, Title: "The stall guard, and streams that wait",
	About: "Chunks come from memory, so that the difference to the bare stream is the guard: over\n" +
		"a stream that may wait, and over one that says that it does not, as a dialect's does of\n" +
		"what one read has brought. The pump is the same guard with a goroutine that receives,\n" +
		"and a select among its channel, a timer and the context. Then streams of which each has\n" +
		"had one chunk and waits for the next, in a goroutine of its caller's.",
	run: runStall,
}

func runStall(sec *Section, s Settings) error {
	tracks, err := raceGuards(s)
	if err != nil {
		return err
	}
	t := Table{Head: []string{"", "ns a chunk", "B", "allocs", "beyond the bare stream"}}
	for _, track := range tracks {
		t.Rows = append(t.Rows, row(track, figure(track.beyond(tracks[0]))+" ns"))
	}
	sec.table(t)
	guard, pump := tracks[1].beyond(tracks[0]), tracks[2].beyond(tracks[0])
	const way = "a guarded Recv reads the clock, and begins and ends its wait with an atomic operation each; the clock is most of it."
	sec.goal(Goal{What: "stall guard, a chunk", Got: guard, Limit: 60, Unit: " ns", Way: way})
	sec.goal(Goal{
		What: "goroutine with select, of the stall guard", Got: pump / guard, Limit: 15, Least: true, Unit: " ×",
		Way: way + " The goroutine hands over within one core here, which is as cheap as it gets.",
	})
	return idling(sec, s)
}

func raceGuards(s Settings) ([]track, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sides []side
	for _, g := range []struct {
		name string
		mw   endwell.Middleware
		n    int
		next endwell.Next
	}{
		{"bare", alone, 2 * s.streams(), &replay{hello}},
		{"StallGuard", middleware.StallGuard(middleware.StallConfig{}), 2 * s.streams(), &replay{hello}},
		{"goroutine with select", pumped, s.streams() / 5, &replay{hello}},
		{"StallGuard over what is there", middleware.StallGuard(middleware.StallConfig{}), 2 * s.streams(), there{}},
	} {
		one, err := open(ctx, 1, g.mw, g.next)
		if err != nil {
			return nil, err
		}
		defer closeAll(one)
		sides = append(sides, inTurn(g.name, one, g.n))
	}
	return race(s.rounds(), s.now(), sides)
}

func idling(sec *Section, s Settings) error {
	n := s.streams()
	t := Table{
		Caption: fmt.Sprintf("%d streams that wait:", n),
		Head:    []string{"", "heap a stream", "stack of the caller's goroutine", "goroutines beyond the callers'", "% of a core"},
	}
	var got [2]waiting
	for i, row := range []struct {
		name string
		mw   endwell.Middleware
	}{{"dialect alone", alone}, {"dialect and all six decorators", middleware.Standard(middleware.Config{})}} {
		var err error
		if got[i], err = wait(n, row.mw); err != nil {
			return err
		}
		t.Rows = append(t.Rows, []string{
			row.name, figure(got[i].heap) + " B", figure(got[i].stack) + " B", figure(got[i].goroutines), fmt.Sprintf("%.3f", 100*got[i].cpu),
		})
	}
	sec.table(t)
	sec.goal(Goal{What: fmt.Sprintf("%d idle streams: goroutines beyond the callers'", n), Got: got[1].goroutines, Limit: 0})
	sec.goal(Goal{
		What: "heap of the whole stack of an idle stream", Got: got[1].heap - got[0].heap, Limit: 1024, Unit: " B",
		Way: "the stack's block, its context with the cause, and the timer.",
	})
	sec.goal(Goal{
		What: fmt.Sprintf("%d idle streams, of a core", n), Got: 100 * got[1].cpu, Limit: 0.5, Below: true, Unit: " %",
		Way: "see the row without decorators: what is beyond it is the guard's.",
	})
	return nil
}
