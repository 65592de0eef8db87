package perf

import (
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

var guardedBody = Piece{
	Number: 2, Title: "The guarded body",
	About: "The body that `transport.Wrap` hands over, with its zero config: every byte is\n" +
		"validated and passes all six decorators. Beside it, what only splits: openai-go's\n" +
		"`ssestream.NewDecoder`, go-sse, and the lines of `bufio.Scanner`. Once with a frame a\n" +
		"read, as a model that writes sends them, and once with bodies that are ahead, of which\n" +
		"a read gets as much as there is room for.",
	run: runBody,
}

func runBody(sec *Section, s Settings) error {
	all := map[bool][]bodies{}
	for _, w := range wires()[:4] {
		for _, ahead := range []bool{false, true} {
			tracks, err := w.raceBodies(s, answer, ahead)
			if err != nil {
				return err
			}
			sec.table(w.bodies(tracks, ahead))
			all[ahead] = append(all[ahead], bodies{w.Family, tracks})
		}
	}
	for _, ahead := range []bool{false, true} {
		bodyGoals(sec, all[ahead], arrival(ahead))
	}
	return allocationGoals(sec, wires()[:4])
}

// bodies are the sides of one wire.
type bodies struct {
	family string
	tracks []track
}

func arrival(ahead bool) string {
	if ahead {
		return "a body that is ahead"
	}
	return "a frame a read"
}

// The sides of the race.
const (
	guarded = iota
	untemplated
	openAISplit
	goSSE
	scanner
	full
)

func (w wire) raceBodies(s Settings, frames int, ahead bool) ([]track, error) {
	b, short := w.body(frames, 10, ahead), w.body(frames, 1, ahead)
	return race(s.rounds(), s.now(), []side{
		guarded:     reading("guarded body", b, w.bytewise(wrapped(transport.WrapConfig{})), allBytes(b)),
		untemplated: reading("guarded body, NoTemplates", b, w.bytewise(wrapped(noTemplates)), allBytes(b)),
		openAISplit: reading("openai-go's SSE decoder", b, splitOpenAI, occurring(b, "data: ")),
		goSSE:       reading("go-sse", b, splitGoSSE, occurring(b, "data: ")),
		scanner:     reading("bufio.Scanner, lines", b, splitLines, occurring(b, "\n")),
		full:        reading(w.SDK, short, text(w.Read), allText(short)),
	})
}

var noTemplates = transport.WrapConfig{Options: dialects.Options{NoTemplates: true}}

func (w wire) bodies(tracks []track, ahead bool) Table {
	t := Table{
		Caption: w.Family + ", " + arrival(ahead) + ":",
		Head:    []string{"", "ns a chunk", "B", "allocs", "times the guarded body", "times the Scanner"},
	}
	for _, track := range tracks {
		t.Rows = append(t.Rows, row(track, times(track.times(tracks[guarded])), times(track.times(tracks[scanner]))))
	}
	return t
}

// bodyGoals are the goals for OpenAI chat, with whose chunks they were set, and the same
// for the wire on which the guarded body does worst, where that is another.
func bodyGoals(sec *Section, all []bodies, how string) {
	const way = "a chunk passes the reader, the template, six decorators and the body, one by one, and a splitter does none of that."
	for _, g := range []struct {
		what        string
		side, other int
		goal        Goal
	}{
		{"guarded body, " + how + ", of openai-go's bare SSE decoder", guarded, openAISplit, Goal{Limit: 1, Below: true}},
		{"go-sse, " + how + ", of the guarded body", goSSE, guarded, Goal{Limit: 10, Least: true}},
		{"guarded body, " + how + ", of bufio.Scanner's lines", guarded, scanner, Goal{Limit: 4}},
	} {
		worst := 0
		ratio := func(i int) float64 { return all[i].tracks[g.side].times(all[i].tracks[g.other]) }
		for i := range all {
			if (ratio(i) < ratio(worst)) == g.goal.Least {
				worst = i
			}
		}
		goal := g.goal
		goal.What, goal.Got, goal.Unit, goal.Way = all[0].family+": "+g.what, ratio(0), " ×", way
		sec.goal(goal)
		if worst != 0 {
			goal.What, goal.Got, goal.Way = "the worst, "+all[worst].family+": "+g.what, ratio(worst), way
			sec.goal(goal)
		}
	}
	sec.goal(Goal{
		What: all[0].family + ": guarded body without templates, " + how + ", of openai-go's decode",
		Got:  100 * all[0].tracks[untemplated].times(all[0].tracks[full]), Limit: 3, Unit: " %",
		Way: "without templates every frame is parsed, strictly.",
	})
}

func allocationGoals(sec *Section, all []wire) error {
	for i, w := range all {
		chunk, stream, err := w.allocations(answer, w.bytewise(wrapped(transport.WrapConfig{})))
		if err != nil {
			return err
		}
		sec.goal(Goal{
			What: w.Family + ": allocations per chunk of a guarded body", Got: chunk, Limit: 0,
			Way: "what a frame says besides its text.",
		})
		if i > 0 {
			continue
		}
		_, unguarded, err := w.allocations(answer, w.bytewise(bare))
		if err != nil {
			return err
		}
		sec.goal(Goal{
			What: "allocations per stream of a guarded body, beyond the bare one", Got: stream - unguarded, Limit: 12,
			Way: "the request is read for what it asks and what is secret in it and sent as a copy, its context and the stall guard's are joined and can be cancelled, and the stack, the dialect's reader, its buffer and its template are made.",
		})
	}
	return nil
}
