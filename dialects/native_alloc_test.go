package dialects

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is a body that repeats the same frame.
type endless struct {
	frame []byte
	at    int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.frame[e.at:])
	e.at = (e.at + n) % len(e.frame)
	return n, nil
}

// nativeText has a frame with text for each family.
var nativeText = []struct{ dialect, frame string }{
	{"ollama", lines(ollamaChat(`"content":"a token "`))},
	{"cohere", cohereFrames(cohereDelta("0", `"text":"a token "`))},
	{"cohere-v1", lines(`{"is_finished":false,"event_type":"text-generation","text":"a token "}`)},
	{"replicate", "event: output\nid: 1707756341:1\ndata: a token \n\n"},
	{"writer", frames(`{"choices":[{"index":0,"finish_reason":null,"delta":{"content":"a token "}}]}`)},
	{"watsonx", frames(`{"model_id":"m","results":[{"generated_text":"a token ","generated_token_count":1,"input_token_count":0,"stop_reason":"not_finished"}]}`)},
}

func TestNativeAllocations(t *testing.T) {
	for _, row := range nativeText {
		for noText, want := range map[bool]float64{false: 1, true: 0} {
			st := Native(row.dialect).Stream(&endless{frame: []byte(row.frame)}, Options{NoText: noText})
			got := testing.AllocsPerRun(500, func() {
				if _, err := st.Recv(); err != nil {
					t.Fatal(err)
				}
			})
			require.LessOrEqual(t, got, want, "%s, no text %v", row.dialect, noText)
		}
	}
}

func BenchmarkNative(b *testing.B) {
	for _, row := range nativeText {
		b.Run(row.dialect, func(b *testing.B) {
			body := []byte(strings.Repeat(row.frame, 1000))
			b.SetBytes(int64(len(row.frame)))
			b.ReportAllocs()
			st := Native(row.dialect).Stream(bytes.NewReader(nil), Options{})
			for b.Loop() {
				c, err := st.Recv()
				if err == io.EOF {
					st = Native(row.dialect).Stream(bytes.NewReader(body), Options{})
					continue
				}
				if err != nil {
					b.Fatal(err, c)
				}
			}
		})
	}
}
