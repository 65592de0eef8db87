package dialects

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// googleAnswer is a whole answer in pieces, with everything in it.
type googleAnswer struct {
	name     string
	dialect  *Dialect
	pieces   []string
	terminal int      // the piece with which the answer is complete
	slack    int      // how many of its last bytes may be missing
	lasting  bool     // what follows the terminal does not matter any more
	words    []string // of which one must be there for an answer to be whole
	alive    []string // what keeps a stream alive, to be put between pieces
}

var googleAlive = []string{": ping\n\n", "\n", "\r\n", "id: 3\n\n", "data:\n\n"}

func googleAnswers() []googleAnswer {
	say := []string{
		geminiParts(`{"text":"hm","thought":true}`, `,"index":0`),
		geminiText(`one \u00e9\ud83d\ude42`),
		geminiCalls(`{"name":"f","id":"c","willContinue":true}`),
		geminiCalls(`{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x"}],"willContinue":true}`),
		geminiCalls(`{}`),
		`{"candidates":[{"content":{"parts":[{"text":"two"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":3}}`,
	}
	events := make([]string, len(say))
	list := make([]string, len(say))
	wrapped := make([]string, len(say))
	for i, s := range say {
		events[i] = "data: " + s + "\r\n\r\n"
		wrapped[i] = `data: {"response":` + s + `,"traceId":"t"}` + "\n\n"
		list[i] = ",\r\n" + s + "\n"
	}
	list[0] = "[" + strings.TrimPrefix(list[0], ",\r\n")
	stop := []string{`"STOP"`}
	steps := []string{
		interactionsCreated, interactionsUpdate,
		interactionsStart("0", `{"type":"thought"}`), `{"index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"hm"}},"event_type":"step.delta"}`,
		`{"index":0,"event_type":"step.stop"}`, interactionsStart("1", `{"type":"model_output"}`),
		interactionsDelta(`{"type":"text","text":"one \u00e9\ud83d\ude42"}`), interactionsDelta(`{"type":"text","text":"two"}`), interactionsStop,
		interactionsStart("2", `{"type":"function_call","id":"c","name":"f","arguments":{}}`),
		`{"index":2,"delta":{"type":"arguments_delta","arguments":"{\"a\":[\"x\"]}"},"event_type":"step.delta"}`, `{"index":2,"event_type":"step.stop"}`,
		interactionsDone, "[DONE]",
	}
	for i, s := range steps {
		steps[i] = "data: " + s + "\n\n"
	}
	gemini, inter := geminiDialects()[0], interactionsDialects()[0]
	return []googleAnswer{
		{name: "gemini events", dialect: gemini, pieces: append(events, "\r\n"), terminal: 5, slack: 4, words: stop, alive: googleAlive},
		{name: "gemini wrapped", dialect: gemini, pieces: wrapped, terminal: 5, slack: 2, words: stop, alive: googleAlive},
		{name: "gemini list", dialect: gemini, pieces: append(list, "]\n"), terminal: 6, slack: 1, words: stop, alive: []string{"\n", " \r\n", "\t"}},
		{name: "interactions", dialect: inter, pieces: steps, terminal: 12, slack: 2, lasting: true, words: []string{"interaction.completed"}, alive: googleAlive},
	}
}

// complete is where the answer is complete.
func (a *googleAnswer) complete() int {
	return len(strings.Join(a.pieces[:a.terminal+1], "")) - a.slack
}

func TestGoogleCutAtEveryByte(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			body := strings.Join(a.pieces, "")
			for i := range len(body) + 1 {
				e := playGoogle(t, a.dialect, bodyOf(body[:i]), middlewareDefault)
				switch {
				case i >= a.complete():
					require.Equal(t, "whole", e.fault(), "cut at %d", i)
					require.Equal(t, "one é🙂two", e.text())
					require.Equal(t, []endwell.ToolCall{{ID: "c", Name: "f", Arguments: `{"a":["x"]}`}}, e.c.Transcript().ToolCalls)
				case i < len("data: {"):
					require.Contains(t, []string{"empty", "truncated", "malformed"}, e.fault(), "cut at %d", i)
				default:
					require.Equal(t, "truncated", e.fault(), "cut at %d", i)
				}
			}
		})
	}
}

func TestGoogleResetAtEveryByte(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			body := strings.Join(a.pieces, "")
			for i := range len(body) + 1 {
				e := playGoogle(t, a.dialect, io.MultiReader(bodyOf(body[:i]), googleReset{}), middlewareDefault)
				if a.lasting && i >= a.complete() {
					require.Equal(t, "whole", e.fault(), "reset at %d", i)
				} else {
					require.Equal(t, "broken", e.fault(), "reset at %d", i)
				}
			}
		})
	}
}

// googleReset is a body whose connection is reset.
type googleReset struct{}

func (googleReset) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestGoogleKeepAlives(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			for i := range a.pieces {
				for _, k := range a.alive {
					for _, whole := range []bool{true, false} {
						pieces, want := slices.Clone(a.pieces), "whole"
						if !whole {
							pieces, want = pieces[:a.terminal], "truncated"
						}
						pieces = slices.Insert(pieces, min(i, len(pieces)), k)
						e := playGoogle(t, a.dialect, bodyOf(strings.Join(pieces, "")), middlewareDefault)
						require.Equal(t, want, e.fault(), "%q before %d", k, i)
					}
				}
			}
		})
	}
}

func TestGoogleMutations(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for round := range 1000 {
				pieces := slices.Clone(a.pieces)
				var what []string
				for range 1 + rng.IntN(3) {
					i, j := rng.IntN(len(pieces)), rng.IntN(len(pieces))
					switch rng.IntN(4) {
					case 0:
						what = append(what, fmt.Sprintf("keep-alive before %d", i))
						pieces = slices.Insert(pieces, i, a.alive[rng.IntN(len(a.alive))])
					case 1:
						what = append(what, fmt.Sprintf("drop %d", i))
						pieces = slices.Delete(pieces, i, i+1)
					case 2:
						what = append(what, fmt.Sprintf("repeat %d", i))
						pieces = slices.Insert(pieces, i, pieces[i])
					case 3:
						what = append(what, fmt.Sprintf("swap %d %d", i, j))
						pieces[i], pieces[j] = pieces[j], pieces[i]
					}
				}
				body := strings.Join(pieces, "")
				e := playGoogle(t, a.dialect, bodyOf(body), middlewareDefault)
				for _, w := range a.words {
					if !strings.Contains(body, w) {
						require.NotEqual(t, "whole", e.fault(), "round %d: %v", round, what)
					}
				}
			}
		})
	}
}

func TestGoogleFlippedBytes(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			body := strings.Join(a.pieces[:a.terminal], "")
			for i := range len(body) {
				for _, bit := range []int{0, 1, 5, 7} {
					b := []byte(body)
					b[i] ^= 1 << bit
					e := playGoogle(t, a.dialect, bodyOf(string(b)), middlewareDefault)
					require.NotEqual(t, "whole", e.fault(), "byte %d bit %d", i, bit)
				}
			}
		})
	}
}

// TestGoogleSplits holds that every way to split an answer says the same.
func TestGoogleSplits(t *testing.T) {
	for _, a := range googleAnswers() {
		t.Run(a.name, func(t *testing.T) {
			body := strings.Join(a.pieces, "")
			want, _ := heard(a.dialect.Stream(bodyOf(body), Options{}))
			for way, open := range splits(body) {
				got, raw := heard(a.dialect.Stream(open(), Options{}))
				require.Equal(t, want, got, way)
				require.Equal(t, body, raw, way)
			}
		})
	}
}

func FuzzGemini(f *testing.F) {
	for _, a := range googleAnswers()[:3] {
		f.Add(strings.Join(a.pieces, ""), 40)
	}
	f.Add(frames(geminiText("a"))+strings.ReplaceAll(geminiBusy, ",", ",\n,")+"\n", 90)
	f.Add("["+geminiBusy+"]", 3)
	f.Add(frames(`{"promptFeedback":{"blockReason":"SAFETY"}}`, "[DONE]"), 7)
	f.Add(frames(geminiCalls(`{"name":"f","partialArgs":[{"jsonPath":"$.a[3]['b']","stringValue":"\ud83d"}]}`)), 30)
	f.Add("\xef\xbb\xbf{\n\"candidates\":[{\"finishReason\":7}]}\n", 2)
	f.Fuzz(func(t *testing.T, body string, at int) { fuzzGoogle(t, geminiDialects()[0], body, at) })
}

func FuzzInteractions(f *testing.F) {
	f.Add(strings.Join(googleAnswers()[3].pieces, ""), 40)
	f.Add("event: error\ndata: {\"error\":{}}\n\n", 9)
	f.Add(`{"object":"interaction","status":"completed","outputs":[{"type":"model_output","content":{"type":"text","text":"a"}}]}`, 20)
	f.Add(frames(`{"event_type":"step.start","step":{"type":"function_call","arguments":{"a":1}}}`, `{"event_type":"step.stop"}`), 5)
	f.Fuzz(func(t *testing.T, body string, at int) { fuzzGoogle(t, interactionsDialects()[0], body, at) })
}

// fuzzGoogle holds that a body says the same however it is split, and that the raw
// bytes are its own.
func fuzzGoogle(t *testing.T, d *Dialect, body string, at int) {
	if at < 0 || at > len(body) {
		at = len(body) / 2
	}
	whole, raw1 := heard(d.Stream(bodyOf(body), Options{}))
	split, raw2 := heard(d.Stream(io.MultiReader(bodyOf(body[:at]), bodyOf(body[at:])), Options{}))
	if whole != split {
		t.Fatalf("split at %d:\n%s\n%s", at, whole, split)
	}
	if !strings.HasPrefix(body, raw1) || !strings.HasPrefix(body, raw2) {
		t.Fatal("raw bytes are not the body's")
	}
	playGoogle(t, d, bodyOf(body), middlewareDefault)
}

// heard renders what a stream said and how it ended, without keep-alives, whose
// number may depend on how the body is split.
func heard(st endwell.Stream) (words, raw string) {
	var b, r strings.Builder
	for {
		c, err := st.Recv()
		if err != nil {
			return b.String() + ending(err), r.String()
		}
		r.Write(c.Raw)
		if c.Kind != endwell.KindKeepAlive {
			b.WriteString(word1(c) + "@" + c.End.String() + " ")
		}
	}
}
