package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// googleFrames are chunks of ordinary size.
var googleFrames = map[string]struct {
	dialect func() []*Dialect
	frame   string
	kind    endwell.Kind
}{
	"gemini": {
		geminiDialects, `data: {"candidates": [{"content": {"parts": [{"text": " harbour"}],"role": "model"},"index": 0}],` +
			`"usageMetadata": {"trafficType": "ON_DEMAND"},"modelVersion": "gemini-0-flash","createTime": "2026-01-01T00:00:00.000000Z",` +
			`"responseId": "aaaaaaaaaaaaaaaaaaaaaaaa"}` + "\r\n\r\n", endwell.KindText,
	},
	"gemini wrapped": {
		geminiDialects, `data: {"response":{"candidates":[{"content":{"role":"model","parts":[{"thought":true,"text":" harbour"}]}}]},"traceId":"aaaa"}` + "\n\n",
		endwell.KindReasoning,
	},
	"gemini list": {
		geminiDialects, ",\r\n" + `{"candidates":[{"content":{"role":"model","parts":[{"text":" harbour"}]}}],"modelVersion":"gemini-0-flash"}` + "\n",
		endwell.KindText,
	},
	"interactions": {
		interactionsDialects, "event: step.delta\n" + `data: {"index":1,"delta":{"text":" harbour","type":"text"},"event_type":"step.delta"}` + "\n\n",
		endwell.KindText,
	},
	"interactions thought": {
		interactionsDialects, `data: {"index":0,"delta":{"content":{"text":" harbour","type":"text"},"type":"thought_summary"},"event_type":"step.delta"}` + "\n\n",
		endwell.KindReasoning,
	},
}

// googleBody is n frames of one kind; a list begins with its bracket.
func googleBody(frame string, n int) string {
	body := strings.Repeat(frame, n)
	if frame[0] == ',' {
		body = "[" + body
	}
	return body
}

// googleChunk receives the next chunk that is not a sign of life.
func googleChunk(tb testing.TB, st endwell.Stream) endwell.Kind {
	for {
		c, err := st.Recv()
		if err != nil {
			tb.Fatal(err)
		}
		if c.Kind != endwell.KindKeepAlive {
			return c.Kind
		}
	}
}

func TestGoogleChunkAllocatesItsTextOnly(t *testing.T) {
	for name, g := range googleFrames {
		for _, opt := range []Options{{}, {NoText: true}} {
			const runs = 2000
			st := g.dialect()[0].Stream(bodyOf(googleBody(g.frame, runs+10)), opt)
			for range 5 {
				googleChunk(t, st)
			}
			got := testing.AllocsPerRun(runs, func() {
				if k := googleChunk(t, st); k != g.kind {
					t.Fatal(k)
				}
			})
			want := 1.0
			if opt.NoText {
				want = 0
			}
			require.Equal(t, want, got, name)
		}
	}
}

// BenchmarkGoogle is the cost of a frame, from bytes to chunks.
func BenchmarkGoogle(b *testing.B) {
	for name, g := range googleFrames {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			const each = 10_000
			body := googleBody(g.frame, each)
			b.ReportAllocs()
			b.SetBytes(int64(len(g.frame)))
			var st endwell.Stream
			for i := range b.N {
				if i%each == 0 {
					st = g.dialect()[0].Stream(bodyOf(body), Options{})
				}
				googleChunk(b, st)
			}
		})
	}
}
