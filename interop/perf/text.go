package perf

import (
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/interop/decode"
)

var bytesToText = Piece{
	Number: 1, Title: "Bytes to text",
	About: "endwell reads with the dialect and all six decorators, the SDKs and clients as their\n" +
		"documentation shows, in the cheapest way that gives typed text. A frame arrives a\n" +
		"read, without a network; making the client and the request are not counted.",
	run: runText,
}

// answer is how many frames the answers have that SDKs read.
const answer = 1000

func runText(sec *Section, s Settings) error {
	most, none := 0.0, 0.0
	var where, whereQuiet string
	for _, w := range wires() {
		if err := w.text(sec, s); err != nil {
			return err
		}
		d := dialects.MustByName(w.Dialect)
		chunk, _, err := w.allocations(answer, text(stacked(d, dialects.Options{})))
		if err != nil {
			return err
		}
		quiet, _, err := w.allocations(answer, text(stacked(d, dialects.Options{NoText: true})))
		if err != nil {
			return err
		}
		if chunk > most {
			most, where = chunk, w.Family
		}
		if quiet > none {
			none, whereQuiet = quiet, w.Family
		}
	}
	sec.goal(Goal{
		What: "allocations per chunk, with the text, on any of the five wires", Got: most, Limit: 1,
		Way: "it is " + where + " that has more. Gemini counts tokens in every frame, and a Usage is an allocation.",
	})
	sec.goal(Goal{
		What: "allocations per chunk without the text, on any of the five wires", Got: none, Limit: 0,
		Way: "it is " + whereQuiet + " that has some. Gemini counts tokens in every frame, and a Usage is an allocation.",
	})
	return nil
}

func (w wire) text(sec *Section, s Settings) error {
	b := w.body(answer, 1, false)
	d := dialects.MustByName(w.Dialect)
	sides := []side{
		reading("endwell", b, text(stacked(d, dialects.Options{})), allText(b)),
		reading("endwell, NoText", b, text(stacked(d, dialects.Options{NoText: true})), allFrames(b)),
		reading("endwell, NoTemplates", b, text(stacked(d, dialects.Options{NoTemplates: true})), allText(b)),
	}
	peers := append([]peer{{w.SDK, w.Read, w.goal}}, w.peers...)
	for _, p := range peers {
		sides = append(sides, reading(p.name, b, text(p.read), allText(b)))
	}
	tracks, err := race(s.rounds(), s.now(), sides)
	if err != nil {
		return err
	}
	t := Table{Caption: w.Family + ":", Head: []string{"", "ns a chunk", "B", "allocs", "times endwell"}}
	for i, track := range tracks {
		ratio := track.times(tracks[0])
		t.Rows = append(t.Rows, row(track, times(ratio)))
		if p := i - (len(tracks) - len(peers)); p >= 0 && peers[p].goal > 0 {
			sec.goal(Goal{
				What: w.Family + ": " + peers[p].name, Got: ratio, Limit: peers[p].goal, Least: true, Unit: " ×",
				Way: textWay(tracks[0].cost(), track.cost(), peers[p].goal),
			})
		}
	}
	sec.table(t)
	return nil
}

// textWay says where the time goes.
func textWay(own, theirs decode.Cost, goal float64) string {
	return "the goal leaves " + figure(theirs.Nanos/goal) + " ns a chunk, and reading one takes " + figure(own.Nanos) +
		" ns: the text's own allocation, the comparison of the frame with the last one, the copy into the buffer, and six calls."
}
