package dialects

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// signedByAny is signedBy with every sign having a look of its own.
func signedByAny(f *frame) string {
	for _, s := range signs {
		if name := s.of(f); name != "" {
			return name
		}
	}
	return ""
}

// requireSigned checks the signs of all frames of a body.
func requireSigned(t *testing.T, body string) {
	t.Helper()
	var g detector
	if !g.choose([]byte(body)) {
		return
	}
	for rest := []byte(body); g.framer.next(rest, true, &g.frame); rest = rest[len(g.frame.raw):] {
		require.Equal(t, signedByAny(&g.frame), signedBy(&g.frame), "%q", g.frame.raw)
	}
}

// What a sign cannot do without is looked for first, and changes nothing.
func TestSignsNeedWhatTheyNeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range append(recordings(t), cases(t)...) {
		requireSigned(t, s.body)
		for range 3 {
			requireSigned(t, spoil(rng, spoil(rng, s.body)))
		}
	}
	members := []string{
		`"type":"message"`, `"type":"response.created"`, `"type":7`, `"object":"response"`, `"object":"interaction"`, `"output":[]`, `"output":{}`,
		`"event_type":"step.delta"`, `"event_type":"stream-start"`, `"candidates":[]`, `"usageMetadata":{}`, `"error":{"code":7,"status":"INTERNAL"}`,
		`"response":{"candidates":[]}`, `"response":"x"`, `"response_id":"r"`, `"is_finished":false`, `"usage":{"billed_units":{}}`, `"usage":null`,
		`"finish_reason":"x"`, `"message":{"role":"a"}`, `"message":"x"`, `"model":"m"`, `"done":true`, `"results":[{"generated_text":"x"}]`,
		`"model_id":"m"`, `"choices":[]`, `"ch\u006fices":[]`, `"messageStart":{}`, `"metadata":{}`, `"stopReason":"x"`, `"value":"x"`,
		`"amazon-bedrock-invocationMetrics":{}`, `"content":[]`, `"role":"a"`, `"stop_reason":null`, `"sequence_number":7`, `"graph_data":{}`, `"x":`, `"y":1`,
	}
	for range 50_000 {
		doc := "{"
		for n := rng.IntN(5); n >= 0; n-- {
			doc += members[rng.IntN(len(members))] + ","
		}
		f := &frame{data: []byte(doc[:len(doc)-1] + "}"), kind: frameData}
		switch rng.IntN(12) {
		case 0:
			f.data = f.data[:len(f.data)-1]
		case 1:
			f.data = append([]byte{' '}, f.data...)
		case 2:
			f.data = append(f.data, '\v')
		case 3:
			f.event = []byte("messageStart")
		case 4:
			f.event = []byte("output")
		case 5:
			f.kind = frameBare
		case 6:
			f.kind = frameError
		}
		f.raw = f.data
		require.Equal(t, signedByAny(f), signedBy(f), "%q %q", f.event, f.data)
	}
}

// A ping that says something besides tells nothing, and one that is told twice is one.
func TestSignOfAPing(t *testing.T) {
	for doc, want := range map[string]string{
		`{"type":"ping"}`:               "anthropic",
		`{"type":"ping","type":"ping"}`: "anthropic",
		`{"type":"ping","cost":"0"}`:    "",
	} {
		require.Equal(t, want, signAnthropic(&frame{data: []byte(doc), kind: frameData}), doc)
	}
}

// The frames of a stream count from its beginning, whoever surfaces them.
func TestEvidenceOfADetectedStreamCountsFrames(t *testing.T) {
	body := ": a\n\n\n: b\n\n" + frames(chatFrame) + ": c\n\n" + frames(chatFrame, "{")
	frame := func(st endwell.Stream) int {
		var ev *endwell.Evidence
		require.True(t, errors.As(hear(st).end, &ev))
		return ev.Frame
	}
	for way, open := range splits(body) {
		require.Equal(t, 7, frame(MustByName("compatible").Stream(open(), Options{})), way)
		require.Equal(t, 7, frame(Detecting(open(), "", "", Options{})), way)
	}
}

// Signs of life come one by one, and in one read with what tells they come before it.
func TestDetectingSurfacesEachSignOfLife(t *testing.T) {
	st := Detecting(bodyOf(": a\n\n\n: b\r\n\r\n"+frames(chatFrame)), "", "", Options{})
	var raw []string
	for {
		c, err := st.Recv()
		if err != nil {
			require.Equal(t, io.EOF, err)
			break
		}
		raw = append(raw, string(c.Raw))
	}
	require.Equal(t, []string{": a\n\n", "\n", ": b\r\n\r\n", frames(chatFrame)}, raw)
}

// Signs of life that have been surfaced are not kept, however many come.
func TestDetectingKeepsNoSignsOfLife(t *testing.T) {
	var parts []string
	for range 2000 {
		parts = append(parts, ": "+strings.Repeat("x", 300)+"\n\n: ")
		parts = append(parts, "x\n\n")
	}
	st := Detecting(inParts(parts...), "", "", Options{}).(*detecting)
	for range 2 * len(parts) {
		if _, err := st.Recv(); err != nil {
			break
		}
		if st.looking != nil {
			require.Less(t, cap(st.looking.buf), 4*firstBuffer)
		}
	}
	require.NotNil(t, st.known)
}

// A detected stream is bounded as a named one is.
func TestDetectingWithinTheBound(t *testing.T) {
	long := frames(chatText(strings.Repeat("x", 3000)))
	for _, limit := range []int{100, 600, 3000, 20_000} {
		for way, open := range splitsAt(frames(chatFrame)+long+long, 20) {
			want := hear(MustByName("compatible").Stream(open(), Options{MaxFrame: limit}))
			got := hear(Detecting(open(), "", "", Options{MaxFrame: limit}))
			require.Equal(t, ending(want.end), ending(got.end), "%d %s", limit, way)
			require.Equal(t, want.raw, got.raw, "%d %s", limit, way)
		}
	}
}
