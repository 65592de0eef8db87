package perf

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

var stackOfSix = Piece{
	Number: 5, Title: "The stack of six",
	About: "A chunk from memory through all six decorators: one stream again and again (hot), and\n" +
		"streams in turn, so many that none is in a cache when its turn comes (cold). Standard\n" +
		"holds its state in one block; a chain has an object for each decorator.",
	run: runStack,
}

func runStack(sec *Section, s Settings) error {
	hot, err := raceStacks(s, s.rounds(), 1, 2*s.streams(), false)
	if err != nil {
		return err
	}
	sec.table(stackTable("Hot, one stream:", hot))
	n := s.streams()
	cold, err := raceStacks(s, s.few(6), n, 2*n, false)
	if err != nil {
		return err
	}
	sec.table(stackTable(fmt.Sprintf("Cold, %d streams in turn:", n), cold))
	mixed, err := raceStacks(s, s.few(6), n, 2*n, true)
	if err != nil {
		return err
	}
	sec.table(stackTable(fmt.Sprintf("Cold, %d streams in turn, in an order that no cache foresees:", n), mixed))
	sec.goal(Goal{
		What: "six decorators, hot, a chunk", Got: hot[1].beyond(hot[0]), Limit: 60, Unit: " ns",
		Way: "six calls that return a chunk of 128 bytes each, and the stall guard's clock.",
	})
	const lines = "the cache lines of the stack's block, of its timer and of its context."
	sec.goal(Goal{
		What: "six decorators, cold, a chunk", Got: cold[1].beyond(cold[0]), Limit: 250, Unit: " ns", Way: lines,
	})
	sec.goal(Goal{
		What: "six decorators, cold, in an order that no cache foresees, a chunk", Got: mixed[1].beyond(mixed[0]), Limit: 250, Unit: " ns", Way: lines,
	})
	return nil
}

func stackTable(caption string, tracks []track) Table {
	t := Table{Caption: caption, Head: []string{"", "ns a chunk", "B", "allocs", "beyond the bare stream"}}
	for _, track := range tracks {
		t.Rows = append(t.Rows, row(track, figure(track.beyond(tracks[0]))+" ns"))
	}
	return t
}

// raceStacks receives so many chunks from so many streams.
func raceStacks(s Settings, rounds, streams, chunks int, mixed bool) ([]track, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sides []side
	for _, k := range []struct {
		name string
		mw   endwell.Middleware
	}{
		{"bare", alone}, {"Standard", middleware.Standard(middleware.Config{})}, {"Chain of the same", chainOfSix()},
	} {
		all, err := open(ctx, streams, k.mw, &replay{hello})
		if err != nil {
			return nil, err
		}
		defer closeAll(all)
		if mixed {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		sides = append(sides, inTurn(k.name, all, chunks))
	}
	return race(rounds, s.now(), sides)
}

// chainOfSix is what Standard is.
func chainOfSix() endwell.Middleware {
	return endwell.Chain(
		middleware.RetryGate(middleware.RetryConfig{}), middleware.Classifier(middleware.ClassifierConfig{}),
		middleware.EmptyGate(middleware.EmptyConfig{}), middleware.ToolCallGuard(),
		middleware.SentinelCheck(middleware.SentinelConfig{}), middleware.StallGuard(middleware.StallConfig{}),
		middleware.PayloadGuard(),
	)
}
