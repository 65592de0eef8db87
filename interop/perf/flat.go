package perf

import (
	"bufio"
	"context"
	"fmt"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
)

var flatness = Piece{
	Number: 7, Title: "Many streams, long answers, large frames",
	About: "Bytes to text through the stack, OpenAI chat. Many streams are read in turn, a chunk\n" +
		"each; beside them as many of `bufio.Scanner`, whose cost grows by what the cache cannot\n" +
		"hold and by nothing else. Long answers are read to their end. A frame whose text has\n" +
		"10 MB arrives in pieces of a size.",
	run: runFlat,
}

func runFlat(sec *Section, s Settings) error {
	if err := manyStreams(sec, s); err != nil {
		return err
	}
	if err := longAnswers(sec, s); err != nil {
		return err
	}
	return largeFrames(sec, s)
}

// upTo returns 1, 10 and so on.
func upTo(most, from int) []int {
	var all []int
	for n := from; n <= most; n *= 10 {
		all = append(all, n)
	}
	return all
}

func manyStreams(sec *Section, s Settings) error {
	counts := upTo(s.streams()/10, 1)
	w := wires()[0]
	feed := w.body(answer, 1, false)
	pieces := feed.Pieces[w.head : w.head+answer]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sides []side
	for _, n := range counts {
		all, err := open(ctx, n, middleware.Standard(middleware.Config{}), endless(pieces))
		if err != nil {
			return err
		}
		defer closeAll(all)
		sides = append(sides, inTurn("", all, max(s.streams(), n)), lines(pieces, n, max(s.streams(), n)))
	}
	tracks, err := race(s.few(3), s.now(), sides)
	if err != nil {
		return err
	}
	sec.table(streamTable(counts, tracks))
	const way = "a stream has its stack, its parser and its template besides the buffer, and each chunk of it touches their cache lines."
	few, last := min(2, len(counts)-1), len(counts)-1
	sec.goal(Goal{
		What: fmt.Sprintf("a chunk of one of %d streams, of that of one alone", counts[few]),
		Got:  tracks[2*few].times(tracks[0]), Limit: 1.1, Unit: " ×", Way: way,
	})
	sec.goal(Goal{
		What: fmt.Sprintf("the same of %d streams, of how much dearer as many line splitters get", counts[last]),
		Got:  tracks[2*last].times(tracks[0]) / tracks[2*last+1].times(tracks[1]), Limit: 2, Unit: " ×", Way: way,
	})
	return nil
}

func streamTable(counts []int, tracks []track) Table {
	t := Table{Caption: "Streams read in turn:", Head: []string{"streams", "endwell: ns a chunk", "B", "allocs", "times one stream", "bufio.Scanner: ns", "times one stream"}}
	for i, n := range counts {
		own, control := tracks[2*i], tracks[2*i+1]
		own.name = fmt.Sprint(n)
		t.Rows = append(t.Rows, row(own, times(own.times(tracks[0])), figure(control.cost().Nanos), times(control.times(tracks[1]))))
	}
	return t
}

// loop is a body that goes on for ever, a piece a read.
type loop struct {
	pieces [][]byte
	at     int
	rest   []byte
}

// Read implements io.Reader.
func (l *loop) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		l.rest = l.pieces[l.at]
		l.at = (l.at + 1) % len(l.pieces)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// endless is a provider of answers that go on for ever.
func endless(pieces [][]byte) endwell.Next {
	d := dialects.MustByName("openai")
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return d.Stream(&loop{pieces: pieces}, dialects.Options{}), nil
	})
}

// lines is a side that reads events from line splitters in turn.
func lines(pieces [][]byte, streams, events int) side {
	all := make([]*bufio.Scanner, streams)
	for i := range all {
		all[i] = bufio.NewScanner(&loop{pieces: pieces})
		all[i].Buffer(make([]byte, 512), bufio.MaxScanTokenSize)
	}
	return side{"bufio.Scanner", func(m *meter) error {
		m.start()
		for i := 0; i < events; i++ {
			if l := all[i%streams]; !event(l) {
				return l.Err()
			}
		}
		m.stop(events)
		return nil
	}}
}

// event reads an event of a line, and the blank one behind it.
func event(l *bufio.Scanner) bool { return l.Scan() && len(l.Bytes()) > 0 && l.Scan() }

func longAnswers(sec *Section, s Settings) error {
	w := wires()[0]
	d := dialects.MustByName(w.Dialect)
	lengths := upTo(s.chunks(), answer)
	var sides []side
	for _, n := range lengths {
		b := w.body(answer, n/answer, false)
		sides = append(sides, reading(fmt.Sprint(n), b, text(stacked(d, dialects.Options{})), allText(b)))
	}
	tracks, err := race(s.few(5), s.now(), sides)
	if err != nil {
		return err
	}
	t := Table{Caption: "Answers read to their end:", Head: []string{"chunks", "ns a chunk", "B", "allocs", "times the shortest"}}
	for _, track := range tracks {
		t.Rows = append(t.Rows, row(track, times(track.times(tracks[0]))))
	}
	sec.table(t)
	last := tracks[len(tracks)-1]
	sec.goal(Goal{
		What: fmt.Sprintf("a chunk of an answer of %s, of one of %s", last.name, tracks[0].name), Got: last.times(tracks[0]),
		Limit: 1.1, Unit: " ×", Way: "garbage is collected while a long answer is read, and hardly ever while a short one is.",
	})
	return nil
}
