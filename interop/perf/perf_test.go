package perf

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/transport"
)

// A peer that loses text must not pass for a cheap one.
func TestEveryReaderReadsTheWholeText(t *testing.T) {
	for _, w := range wires() {
		d := dialects.MustByName(w.Dialect)
		peers := append([]peer{
			{name: "endwell", read: stacked(d, dialects.Options{})},
			{name: "endwell, NoTemplates", read: stacked(d, dialects.Options{NoTemplates: true})},
			{name: w.SDK, read: w.Read},
		}, w.peers...)
		for _, ahead := range []bool{false, true} {
			b := w.body(40, 3, ahead)
			for _, p := range peers {
				var text strings.Builder
				require.NoError(t, p.read(b.Open(nil), func(s string) { text.WriteString(s) }), p.name)
				require.Equal(t, b.Text, text.String(), p.name)
			}
		}
	}
}

func TestEveryScanFindsTheWholeText(t *testing.T) {
	for _, w := range wires() {
		b := w.body(40, 1, false)
		for _, s := range w.fields.scans() {
			var text strings.Builder
			for _, f := range w.frames(40) {
				got, err := s.scan(w.payload(f))
				require.NoError(t, err, s.name)
				text.WriteString(got.text())
			}
			require.Equal(t, b.Text, text.String(), "%s, %s", w.Family, s.name)
		}
	}
}

func TestScansRefuseWhatIsNotJSON(t *testing.T) {
	for _, w := range wires() {
		doc := w.payload(w.frames(2)[0])
		for _, s := range w.fields.scans() {
			for name, bad := range map[string][]byte{"cut": doc[:len(doc)-1], "more": append(doc[:len(doc):len(doc)], '}')} {
				_, err := s.scan(bad)
				require.Error(t, err, "%s, %s, %s", w.Family, s.name, name)
			}
		}
	}
}

func TestEverySplitterSeesEveryFrame(t *testing.T) {
	for _, w := range wires()[:4] {
		for _, ahead := range []bool{false, true} {
			_, err := w.raceBodies(Settings{Rounds: 1}, 40, ahead)
			require.NoError(t, err, w.Family)
		}
	}
}

func TestTheGuardedBodyIsTheBody(t *testing.T) {
	for _, w := range wires() {
		for name, cfg := range map[string]transport.WrapConfig{"templates": {}, "none": noTemplates} {
			b := w.body(40, 2, false)
			var h heard
			require.NoError(t, w.bytewise(wrapped(cfg))(b.Open(nil), &h))
			require.Equal(t, b.Len(), h.bytes, "%s, %s", w.Family, name)
		}
	}
}

// What is guarded has to be watched: an answer without its end is an error.
func TestTheGuardedBodyIsGuarded(t *testing.T) {
	for _, w := range wires() {
		b := w.body(20, 1, false)
		b.Pieces = b.Pieces[:10]
		require.NoError(t, w.bytewise(bare)(b.Open(nil), new(heard)), w.Family)
		require.Error(t, w.bytewise(wrapped(transport.WrapConfig{}))(b.Open(nil), new(heard)), w.Family)
		require.Error(t, stacked(dialects.MustByName(w.Dialect), dialects.Options{})(b.Open(nil), func(string) {}), w.Family)
	}
}

func TestAReaderThatLosesTextIsAnError(t *testing.T) {
	b := wires()[0].body(20, 1, false)
	deaf := reading("deaf", b, text(func(f *decode.Feed, _ decode.Sink) error { return drain(f, make([]byte, room), new(heard)) }), allText(b))
	_, err := race(1, wall, []side{deaf})
	require.ErrorContains(t, err, "are not the answer")
}

func TestFramesDifferAsOnARealWire(t *testing.T) {
	for _, w := range wires() {
		all := w.frames(40)
		mean := 0
		for _, f := range all {
			mean += len(f) / len(all)
		}
		require.True(t, mean >= 230 && mean <= 350, "%s: %d", w.Family, mean)
	}
}

func TestAPumpPassesEverything(t *testing.T) {
	one, err := open(t.Context(), 1, pumped, &replay{hello})
	require.NoError(t, err)
	for range 3 {
		c, err := one[0].Recv()
		require.NoError(t, err)
		require.Equal(t, hello, c)
	}
	require.NoError(t, one[0].Close())
}

// All of the report, with little of everything: nothing is asserted of a time.
func TestEveryPieceRuns(t *testing.T) {
	s := Settings{Rounds: 1, Streams: 200, Connections: 5, Chunks: 2000}
	var sections []Section
	for _, p := range Pieces() {
		sec, err := p.Run(s)
		require.NoError(t, err, p.Title)
		require.NotEmpty(t, sec.Tables, p.Title)
		require.NotEmpty(t, sec.Goals, p.Title)
		sections = append(sections, sec)
	}
	report := Render(sections, "go run ./bench", s)
	for _, want := range []string{"# What endwell costs", "## 8. Opening and closing", "at least 50 ×", "| go-sse |"} {
		require.Contains(t, report, want)
	}
}

func TestVerdicts(t *testing.T) {
	for _, row := range []struct {
		name string
		goal Goal
		want string
	}{
		{"met", Goal{Got: 4, Limit: 4}, "met"},
		{"above", Goal{Got: 5, Limit: 4}, "**MISSED** by 25 %"},
		{"barely above", Goal{Got: 4.001, Limit: 4}, "**MISSED** by 1 %"},
		{"least, met", Goal{Got: 4, Limit: 4, Least: true}, "met"},
		{"least, below", Goal{Got: 3, Limit: 4, Least: true}, "**MISSED** by 25 %"},
		{"touched", Goal{Got: 1, Limit: 1, Below: true}, "**MISSED** by 1 %"},
		{"nothing allowed", Goal{Got: 2, Limit: 0}, "**MISSED** by 2"},
	} {
		require.Equal(t, row.want, row.goal.Verdict(), row.name)
	}
}

func TestAMissedGoalNamesWhatStandsInItsWay(t *testing.T) {
	missed := Goal{What: "a", Got: 2, Limit: 1, Way: "the way."}
	met := Goal{What: "b", Got: 1, Limit: 1, Way: "no way."}
	report := Render([]Section{{Piece: Pieces()[0], Goals: []Goal{missed, met}}}, "", Settings{})
	require.Contains(t, report, "the way.")
	require.NotContains(t, report, "no way.")
}

// Each profile is one that the tool can read: it is compressed.
func TestProfile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	require.NoError(t, Profile(dir, Settings{Connections: 3, Chunks: 1000}))
	for _, name := range []string{"cpu", "heap", "allocs", "block", "mutex"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".pprof"))
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(b, []byte{0x1f, 0x8b}), name)
	}
}
