package perf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/endwell-go/endwell/dialects"
)

func largeFrames(sec *Section, s Settings) error {
	size := 10 * s.chunks()
	t := Table{
		Caption: fmt.Sprintf("A frame of %d MB, and one of a tenth of it:", size/1_000_000),
		Head:    []string{"pieces of", "ns a byte", "B", "of the smaller one: ns a byte", "B", "times"},
	}
	worst, where := 0.0, ""
	for _, piece := range []int{1, 1 << 10, 64 << 10, 2 * size} {
		tracks, err := race(s.few(14), s.now(), []side{frameOf(size, piece), frameOf(size/10, piece)})
		if err != nil {
			return err
		}
		large, small := tracks[0].cost(), tracks[1].cost()
		ratio := tracks[0].times(tracks[1])
		name := fmt.Sprintf("%d B", piece)
		if piece > size {
			name = "all of it"
		}
		t.Rows = append(t.Rows, []string{name, figure(large.Nanos), figure(large.Bytes), figure(small.Nanos), figure(small.Bytes), times(ratio)})
		if ratio > worst {
			worst, where = ratio, name
		}
	}
	sec.table(t)
	sec.goal(Goal{
		What: "a byte of a large frame, of one of a tenth, at the worst split (" + where + ")", Got: worst, Limit: 1.25, Unit: " ×",
		Way: "the larger frame does not fit into the cache, and the system has to give the memory for it first.",
	})
	return nil
}

// frameOf is a side that reads an answer of one frame. A chunk of it is a byte.
func frameOf(size, piece int) side {
	w := wires()[0]
	body, length := w.ofOneFrame(size)
	read := throughStack(dialects.MustByName(w.Dialect), dialects.Options{})
	return side{"a large frame", func(m *meter) error {
		got := 0
		m.start()
		err := read(&inPieces{body, piece}, func(text string) { got += len(text) })
		m.stop(len(body))
		if err != nil {
			return err
		}
		return short(got == length)
	}}
}

// ofOneFrame is an answer of OpenAI chat with one frame of about that size, and the
// length of its text.
func (w wire) ofOneFrame(size int) (body []byte, length int) {
	b := w.body(answer, 1, false)
	text := strings.Repeat(b.Text, 1+size/len(b.Text))[:size]
	text = strings.ToValidUTF8(text, "")
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	frame := b.Pieces[w.head]
	before := bytes.Index(frame, []byte(`"content":`)) + len(`"content":`)
	after := bytes.Index(frame, []byte(`},"logprobs"`))
	head, tail := b.Pieces[:w.head], b.Pieces[w.head+answer:]
	frame = bytes.Join([][]byte{frame[:before], quoted, frame[after:]}, nil)
	return bytes.Join([][]byte{bytes.Join(head, nil), frame, bytes.Join(tail, nil)}, nil), len(text)
}

// inPieces is a body of which a read gets so many bytes at most.
type inPieces struct {
	rest []byte
	size int
}

// Read implements io.Reader.
func (r *inPieces) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest[:min(r.size, len(r.rest))])
	r.rest = r.rest[n:]
	return n, nil
}
