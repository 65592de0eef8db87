package perf

import (
	"errors"
)

var strictScan = Piece{
	Number: 3, Title: "The strict scan",
	About: "A frame's JSON is in memory. Two or three members are taken out of it, the text among\n" +
		"them, and all of it is checked: `internal/jsonscan` and jsontext walk over it and give\n" +
		"the bytes of the text; sonic and encoding/json decode into a struct of those members\n" +
		"only; gjson checks and then looks for each. jsontext is spared what endwell does not\n" +
		"check, duplicate names and UTF-8.",
	run: runScan,
}

func runScan(sec *Section, s Settings) error {
	limits := []struct {
		name  string
		limit float64
		least float64
		where string
	}{1: {name: "jsontext", limit: 2.5}, 2: {name: "sonic", limit: 2.5}, 3: {name: "encoding/json", limit: 8}}
	for _, w := range wires() {
		tracks, err := race(s.rounds(), s.now(), w.scanning())
		if err != nil {
			return err
		}
		t := Table{Caption: w.Family + ":", Head: []string{"", "ns a frame", "B", "allocs", "times endwell"}}
		for i, track := range tracks {
			ratio := track.times(tracks[0])
			t.Rows = append(t.Rows, row(track, times(ratio)))
			if i > 0 && i < len(limits) && (limits[i].where == "" || ratio < limits[i].least) {
				limits[i].least, limits[i].where = ratio, w.Family
			}
		}
		sec.table(t)
	}
	for _, l := range limits[1:] {
		sec.goal(Goal{
			What: l.name + ", where it is nearest (" + l.where + ")", Got: l.least, Limit: l.limit, Least: true, Unit: " ×",
			Way: "short frames of many members: a name costs a lookup whatever scans it, and there is little text to run over.",
		})
	}
	return nil
}

func (w wire) scanning() []side {
	docs := w.frames(answer)
	for i := range docs {
		docs[i] = w.payload(docs[i])
	}
	var sides []side
	for _, s := range w.fields.scans() {
		sides = append(sides, side{s.name, func(m *meter) error {
			m.start()
			err := scanAll(docs, s.scan, scansOfAll)
			m.stop(scansOfAll * len(docs))
			return err
		}})
	}
	return sides
}

// scansOfAll is how often all documents are scanned in a round.
const scansOfAll = 30

func scanAll(docs [][]byte, scan scan, times int) error {
	for range times {
		for _, doc := range docs {
			s, err := scan(doc)
			if err != nil {
				return err
			}
			if s.empty() {
				return errNoText
			}
		}
	}
	return nil
}

var errNoText = errors.New("perf: no text was found")
