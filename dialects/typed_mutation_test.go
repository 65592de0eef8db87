package dialects_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// typedFamily is a family with a whole answer in which everything occurs.
type typedFamily struct {
	dialect  *dialects.Dialect
	frames   []string
	terminal int      // the frame that brings the terminal signal
	proofs   []string // what no whole stream lacks
	text     string
}

func typedEvent(payload string) string {
	_, typ, _ := strings.Cut(payload, `"type":"`)
	typ, _, _ = strings.Cut(typ, `"`)
	return "event: " + typ + "\ndata: " + payload + "\n\n"
}

func typedEvents(payloads ...string) []string {
	for i, p := range payloads {
		payloads[i] = typedEvent(p)
	}
	return payloads
}

var typedFamilies = map[string]typedFamily{
	"anthropic": {
		dialect: dialects.Anthropic,
		frames: typedEvents(
			`{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"ping"}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"one \u00e9\ud83d\ude42"}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`,
			`{"type":"content_block_stop","index":2}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":4}}`,
			`{"type":"message_stop"}`,
		),
		terminal: 11, proofs: []string{`"stop_reason":"tool_use"`, `"message_stop"`}, text: "one é🙂",
	},
	"responses": {
		dialect: dialects.Responses,
		frames: typedEvents(
			`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress","error":null,"output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`,
			`{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"hm"}`,
			`{"type":"keepalive","sequence_number":3}`,
			`{"type":"response.output_item.added","output_index":1,"item":{"id":"m_1","type":"message","content":[]}}`,
			`{"type":"response.output_text.delta","item_id":"m_1","output_index":1,"content_index":0,"delta":"one \u00e9\ud83d\ude42"}`,
			`{"type":"response.output_text.done","item_id":"m_1","output_index":1,"content_index":0,"text":"one \u00e9\ud83d\ude42"}`,
			`{"type":"response.output_item.done","output_index":1,"item":{"id":"m_1","type":"message","content":[{"type":"output_text","text":"one \u00e9\ud83d\ude42"}]}}`,
			`{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"{\"a\":1}"}`,
			`{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}`,
			`{"type":"response.completed","response":{"id":"resp_1","status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","text":"one \u00e9\ud83d\ude42"}]},{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}],"usage":{"input_tokens":5,"output_tokens":2,"total_tokens":7}}}`,
		),
		terminal: 11, proofs: []string{`"type":"response.completed"`}, text: "one é🙂",
	},
}

func (f typedFamily) body() string { return strings.Join(f.frames, "") }

// proven is where the terminal signal can be read.
func (f typedFamily) proven() int {
	return len(strings.Join(f.frames[:f.terminal], "")) + len(strings.TrimRight(f.frames[f.terminal], "\n"))
}

func eachTyped(t *testing.T, test func(t *testing.T, f typedFamily)) {
	for name, f := range typedFamilies {
		t.Run(name, func(t *testing.T) { test(t, f) })
	}
}

func TestTypedCutAtEveryByte(t *testing.T) {
	eachTyped(t, func(t *testing.T, f typedFamily) {
		body := f.body()
		for i := range len(body) + 1 {
			got, tr := verdict(t, f.dialect, strings.NewReader(body[:i]))
			switch payload := strings.Contains(body[:i], "data: {"); {
			case i >= f.proven():
				require.Equal(t, "whole", got, "cut at %d", i)
				require.Equal(t, f.text, tr.Text)
			case payload:
				require.Equal(t, "truncated", got, "cut at %d", i)
			default:
				require.Contains(t, []string{"empty", "truncated", "malformed"}, got, "cut at %d", i)
			}
		}
	})
}

func TestTypedResetAtEveryByte(t *testing.T) {
	eachTyped(t, func(t *testing.T, f typedFamily) {
		body := f.body()
		for i := range len(body) + 1 {
			got, _ := verdict(t, f.dialect, io.MultiReader(strings.NewReader(body[:i]), broken{}))
			if i >= f.proven() {
				require.Equal(t, "whole", got, "reset at %d", i)
			} else {
				require.Equal(t, "broken", got, "reset at %d", i)
			}
		}
	})
}

func TestTypedSplitAnywhere(t *testing.T) {
	eachTyped(t, func(t *testing.T, f typedFamily) {
		body := f.body()
		want, raw := drain(f.dialect.Stream(strings.NewReader(body), dialects.Options{}))
		require.Equal(t, body, raw)
		check := func(r io.Reader, way string) {
			got, raw := drain(f.dialect.Stream(r, dialects.Options{}))
			require.Equal(t, want, got, way)
			require.Equal(t, body, raw, way)
		}
		check(iotest.OneByteReader(strings.NewReader(body)), "bytewise")
		check(iotest.DataErrReader(strings.NewReader(body)), "data with eof")
		for i := range len(body) {
			check(io.MultiReader(strings.NewReader(body[:i]), strings.NewReader(body[i:])), fmt.Sprint("split at ", i))
		}
	})
}

func TestTypedMutations(t *testing.T) {
	keepAlives := []string{": ping\n\n", "\n", "\r\n", "id: 3\n\n", "event: ping\ndata:\n\n", typedEvent(`{"type":"ping"}`)}
	eachTyped(t, func(t *testing.T, f typedFamily) {
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range 3000 {
			fs := append([]string(nil), f.frames...)
			var what []string
			harmless := true
			for range 1 + rng.IntN(3) {
				i, j := rng.IntN(len(fs)), rng.IntN(len(fs))
				n := rng.IntN(5)
				switch n {
				case 0, 1:
					fs = append(fs[:i:i], append([]string{keepAlives[rng.IntN(len(keepAlives))]}, fs[i:]...)...)
				case 2:
					fs = append(fs[:i:i], fs[i+1:]...)
				case 3:
					fs = append(fs[:i:i], append([]string{fs[i]}, fs[i:]...)...)
				case 4:
					fs[i], fs[j] = fs[j], fs[i]
				}
				harmless = harmless && n < 2
				what = append(what, fmt.Sprint([]string{"keep-alive ", "keep-alive ", "drop ", "repeat ", "swap "}[n], i, " ", j))
			}
			body := strings.Join(fs, "")
			got, tr := verdict(t, f.dialect, strings.NewReader(body))
			if harmless {
				require.Equal(t, "whole", got, "round %d: %v", round, what)
				require.Equal(t, f.text, tr.Text)
			}
			if !f.proves(body) {
				require.NotEqual(t, "whole", got, "round %d: %v", round, what)
			}
		}
	})
}

func (f typedFamily) proves(body string) bool {
	for _, p := range f.proofs {
		if strings.Contains(body, p) {
			return true
		}
	}
	return false
}

func TestTypedKeepAlivesBetweenAllFrames(t *testing.T) {
	eachTyped(t, func(t *testing.T, f typedFamily) {
		for _, alive := range []string{": ping\n\n", typedEvent(`{"type":"ping"}`), "data: [DONE]\n\n"} {
			for i := range len(f.frames) {
				want, _ := verdict(t, f.dialect, strings.NewReader(strings.Join(f.frames[:i], "")))
				got, _ := verdict(t, f.dialect, strings.NewReader(strings.Join(f.frames[:i], alive)))
				require.Equal(t, want, got, "%d frames with %q between", i, alive)
			}
		}
	})
}

func TestTypedFlippedBytes(t *testing.T) {
	eachTyped(t, func(t *testing.T, f typedFamily) {
		body := strings.Join(f.frames[:f.terminal], "")
		for i := range len(body) {
			for _, bit := range []byte{1, 8, 32, 128} {
				b := []byte(body)
				b[i] ^= bit
				got, _ := verdict(t, f.dialect, bytes.NewReader(b))
				require.NotEqual(t, "whole", got, "byte %d bit %d", i, bit)
			}
		}
	})
}

func FuzzAnthropic(f *testing.F) {
	f.Add("event: error\ndata: {\"type\":\"error\",\"error\":{}}\n\n", 3)
	f.Add("data: {\"type\":\"message\",\"content\":[{\"type\":\"tool_use\",\"input\":{\"a\":[]}}],\"stop_reason\":\"tool_use\"}", 9)
	f.Add("data: {\"type\":\"message_start\",\"message\":{}}\rdata: {\"type\":\"content_block_start\",\"index\":-1,\"content_block\":{\"type\":\"tool_use\",\"input\":\"{\"}}\r\r", 40)
	fuzzTyped(f, typedFamilies["anthropic"])
}

func FuzzResponses(f *testing.F) {
	f.Add("data: {\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":\"x\"},1,[{}]]}", 3)
	f.Add("data: {\"type\":\"response.done\",\"response\":{\"output\":[{\"type\":\"function_call\",\"arguments\":{\"a\":1}}]}}\n\n", 30)
	f.Add("data: {\"type\":\"response.function_call_arguments.done\",\"output_index\":1e9,\"arguments\":\"\\ud83d\"}\n\ndata: {\"type\":\"response.incomplete\"}", 40)
	fuzzTyped(f, typedFamilies["responses"])
}

func fuzzTyped(f *testing.F, family typedFamily) {
	f.Add(family.body(), 7)
	for i := range family.frames {
		f.Add(family.frames[0]+family.frames[i]+family.frames[family.terminal], i)
	}
	f.Fuzz(func(t *testing.T, body string, at int) {
		if at < 0 || at > len(body) {
			at = len(body) / 2
		}
		whole, raw1 := drain(family.dialect.Stream(strings.NewReader(body), dialects.Options{}))
		split, raw2 := drain(family.dialect.Stream(io.MultiReader(strings.NewReader(body[:at]), strings.NewReader(body[at:])), dialects.Options{}))
		bytewise, _ := drain(family.dialect.Stream(iotest.OneByteReader(strings.NewReader(body)), dialects.Options{}))
		if whole != split || whole != bytewise {
			t.Fatalf("split at %d:\n%s\n%s\n%s", at, whole, split, bytewise)
		}
		if !strings.HasPrefix(body, raw1) || !strings.HasPrefix(body, raw2) {
			t.Fatal("raw bytes are not the body's")
		}
	})
}

// typedTexts are text frames of ordinary size, after what has to come before them.
var typedTexts = map[string]struct {
	dialect        *dialects.Dialect
	before, repeat string
}{
	"anthropic": {
		dialects.Anthropic,
		typedFamilies["anthropic"].frames[0] + typedFamilies["anthropic"].frames[5],
		typedEvent(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" harbour"}           }`),
	},
	"responses": {
		dialects.Responses,
		typedFamilies["responses"].frames[0] + typedFamilies["responses"].frames[4],
		typedEvent(`{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_0000000000000000000000000000000000000000000000",` +
			`"output_index":1,"content_index":0,"delta":" harbour","logprobs":[],"obfuscation":"xxxxxxxx"}`),
	},
	"responses reasoning": {
		dialects.Responses,
		typedFamilies["responses"].frames[0],
		typedEvent(`{"type":"response.reasoning_summary_text.delta","sequence_number":7,"item_id":"rs_0000000000000000000000000000000000000000000000",` +
			`"output_index":0,"summary_index":0,"delta":" harbour","obfuscation":"xxxxxxxx"}`),
	},
}

func TestTypedChunkAllocatesItsTextOnly(t *testing.T) {
	for name, tt := range typedTexts {
		for want, opt := range map[float64]dialects.Options{1: {}, 0: {NoText: true}} {
			t.Run(fmt.Sprint(name, " ", want), func(t *testing.T) {
				const runs = 2000
				st := tt.dialect.Stream(strings.NewReader(tt.before+strings.Repeat(tt.repeat, runs+100)), opt)
				for range 50 {
					nextChunk(t, st)
				}
				require.Equal(t, want, testing.AllocsPerRun(runs, func() {
					if c := nextChunk(t, st); !c.Emission() {
						t.Fatal(c.Kind)
					}
				}))
			})
		}
	}
}

// BenchmarkTyped is the cost of a text chunk of each family, from bytes to Chunk.
func BenchmarkTyped(b *testing.B) {
	for name, tt := range typedTexts {
		b.Run(name, func(b *testing.B) {
			const each = 10_000
			body := tt.before + strings.Repeat(tt.repeat, each)
			var st endwell.Stream
			b.ReportAllocs()
			b.SetBytes(int64(len(tt.repeat)))
			for n := range b.N {
				if n%(each-1) == 0 {
					b.StopTimer()
					st = tt.dialect.Stream(strings.NewReader(body), dialects.Options{})
					b.StartTimer()
				}
				nextChunk(b, st)
			}
		})
	}
}
