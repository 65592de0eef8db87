package dialects_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/dialects"
)

// nativeAnswer is a whole answer with everything in it, for mutations. The answer is
// whole when frame last has been read, up to its trailing white space; extra frames
// may follow.
type nativeAnswer struct {
	name, dialect string
	frames        []string
	last          int
	text          string
	keepAlives    []string
	ends          []string // what only frames that may end an answer hold
}

var nativeLineLife = []string{"\n", "\r\n", " \n", "[INFO] tick\n", "tick\n"}

var nativeEventLife = []string{": ping\n\n", "\n", "\r\n", "id: 3\n\n", "event: ping\ndata:\n\n", "data:\n\n"}

var nativeAnswers = []nativeAnswer{
	{
		name: "ollama chat", dialect: "ollama", text: `one é🙂{"`, last: 4, keepAlives: nativeLineLife, ends: []string{`"done":true`},
		frames: []string{
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}` + "\n",
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"one "},"done":false}` + "\n",
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"\u00e9\ud83d\ude42{\""},"done":false}` + "\n",
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":[1,{"b":"}"}]}}}]},"done":false}` + "\n",
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n",
		},
	},
	{
		name: "ollama generate, glued", dialect: "ollama", text: "one", last: 1, keepAlives: nativeLineLife[:3], ends: []string{`"done":true`},
		frames: []string{
			`{"model":"m","response":"one","done":false}`,
			`{"model":"m","response":"","done":true,"done_reason":"length","context":[1,2]}`,
		},
	},
	{
		name: "cohere", dialect: "cohere", text: "one é", last: 9, keepAlives: nativeEventLife, ends: []string{"message-end"},
		frames: []string{
			"event: message-start\ndata: {\"id\":\"m1\",\"type\":\"message-start\",\"delta\":{\"message\":{\"role\":\"assistant\",\"content\":[]}}}\n\n",
			"event: content-start\ndata: {\"type\":\"content-start\",\"index\":0,\"delta\":{\"message\":{\"content\":{\"type\":\"thinking\",\"thinking\":\"\"}}}}\n\n",
			"event: content-delta\ndata: {\"type\":\"content-delta\",\"index\":0,\"delta\":{\"message\":{\"content\":{\"thinking\":\"hm\"}}}}\n\n",
			"event: content-delta\ndata: {\"type\":\"content-delta\",\"index\":1,\"delta\":{\"message\":{\"content\":{\"text\":\"one \"}}}}\n\n",
			"event: content-delta\ndata: {\"type\":\"content-delta\",\"index\":1,\"delta\":{\"message\":{\"content\":{\"text\":\"\\u00e9\"}}}}\n\n",
			"event: content-end\ndata: {\"type\":\"content-end\",\"index\":1}\n\n",
			"event: tool-call-start\ndata: {\"type\":\"tool-call-start\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}}}\n\n",
			"event: tool-call-delta\ndata: {\"type\":\"tool-call-delta\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"function\":{\"arguments\":\"{}\"}}}}}\n\n",
			"event: tool-call-end\ndata: {\"type\":\"tool-call-end\",\"index\":0}\n\n",
			"event: message-end\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"COMPLETE\",\"usage\":{\"tokens\":{\"input_tokens\":1,\"output_tokens\":2}}}}\n\n",
			"data: [DONE]\n\n",
		},
	},
	{
		name: "cohere v1", dialect: "cohere-v1", text: "one", last: 4, keepAlives: nativeLineLife, ends: []string{"stream-end", `"is_finished":true`},
		frames: []string{
			`{"is_finished":false,"event_type":"stream-start","generation_id":"g"}` + "\n",
			`{"is_finished":false,"event_type":"text-generation","text":"one"}` + "\n",
			`{"is_finished":false,"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f","parameters":"{}"}}` + "\n",
			`{"is_finished":false,"event_type":"citation-generation","citations":[{"start":0}]}` + "\n",
			`{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"one","meta":{"tokens":{"input_tokens":1,"output_tokens":2}}}}` + "\n",
		},
	},
	{
		name: "cohere v1 as SSE", dialect: "cohere-v1", text: "one", last: 2, keepAlives: nativeEventLife, ends: []string{"stream-end", `"is_finished":true`},
		frames: []string{
			"event: stream-start\ndata: {\"is_finished\":false,\"event_type\":\"stream-start\"}\n\n",
			"event: text-generation\ndata: {\"is_finished\":false,\"event_type\":\"text-generation\",\"text\":\"one\"}\n\n",
			"event: stream-end\ndata: {\"is_finished\":true,\"event_type\":\"stream-end\",\"finish_reason\":\"COMPLETE\"}\n\n",
		},
	},
	{
		name: "replicate", dialect: "replicate", text: "one \n{}\nx", last: 4, keepAlives: nativeEventLife, ends: []string{"event: done"},
		frames: []string{
			": hi\n\n",
			"event: output\nid: 1:0\ndata: one \n\n",
			"event: output\nid: 1:1\ndata: \ndata: {}\n\n",
			"event: output\nid: 1:2\ndata: \ndata: x\n\n",
			"event: done\nid: 1:3\ndata: {}\n\n",
			":408: 408 Request Timeout\n\n",
		},
	},
	{
		name: "writer", dialect: "writer", text: "one", last: 2, keepAlives: nativeEventLife, ends: []string{`"finish_reason":"stop"`},
		frames: []string{
			"data: {\"choices\":[{\"index\":0,\"finish_reason\":null,\"message\":{\"content\":null},\"delta\":{\"content\":null,\"role\":\"assistant\"}}]}\n\n",
			"data: {\"choices\":[{\"index\":0,\"finish_reason\":null,\"message\":{\"content\":\"one\"},\"delta\":{\"content\":\"one\"}}]}\n\n",
			"data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"delta\":{\"content\":null}}]}\n\n",
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n",
		},
	},
	{
		name: "watsonx generation", dialect: "watsonx", text: "one two", last: 2, keepAlives: nativeEventLife, ends: []string{"eos_token"},
		frames: []string{
			"id: 1\nevent: message\ndata: {}\n\n",
			"id: 2\nevent: message\ndata: {\"model_id\":\"m\",\"results\":[{\"generated_text\":\"one \",\"generated_token_count\":1,\"input_token_count\":2,\"stop_reason\":\"not_finished\"}]}\n\n",
			"id: 3\nevent: message\ndata: {\"model_id\":\"m\",\"results\":[{\"generated_text\":\"two\",\"generated_token_count\":2,\"input_token_count\":0,\"stop_reason\":\"eos_token\"}]}\n\n",
		},
	},
}

func (a nativeAnswer) body() string { return strings.Join(a.frames, "") }

// terminal is where the frame that makes the answer whole can be read.
func (a nativeAnswer) terminal() int {
	return len(strings.Join(a.frames[:a.last], "")) + len(strings.TrimRight(a.frames[a.last], "\n"))
}

func (a nativeAnswer) mayEnd(body string) bool {
	for _, end := range a.ends {
		if strings.Contains(body, end) {
			return true
		}
	}
	return false
}

func eachNative(t *testing.T, f func(t *testing.T, a nativeAnswer, d *dialects.Dialect)) {
	t.Helper()
	for _, a := range nativeAnswers {
		t.Run(a.name, func(t *testing.T) { f(t, a, dialects.Native(a.dialect)) })
	}
}

func TestNativeCutAtEveryByte(t *testing.T) {
	eachNative(t, func(t *testing.T, a nativeAnswer, d *dialects.Dialect) {
		body := a.body()
		for i := range len(body) + 1 {
			got, tr := verdict(t, d, strings.NewReader(body[:i]))
			switch {
			case i >= a.terminal():
				require.Equal(t, "whole", got, "cut at %d: %q", i, body[:i])
				require.Equal(t, a.text, tr.Text)
			case tr == nil:
				require.Contains(t, []string{"empty", "truncated", "malformed"}, got, "cut at %d: %q", i, body[:i])
			default:
				require.Equal(t, "truncated", got, "cut at %d: %q", i, body[:i])
			}
		}
	})
}

func TestNativeResetAtEveryByte(t *testing.T) {
	eachNative(t, func(t *testing.T, a nativeAnswer, d *dialects.Dialect) {
		body := a.body()
		for i := range len(body) + 1 {
			got, _ := verdict(t, d, io.MultiReader(strings.NewReader(body[:i]), broken{}))
			want := "broken"
			if i >= a.terminal() {
				want = "whole"
			}
			require.Equal(t, want, got, "reset at %d: %q", i, body[:i])
		}
	})
}

func TestNativeSplits(t *testing.T) {
	eachNative(t, func(t *testing.T, a nativeAnswer, d *dialects.Dialect) {
		body := a.body()
		want, raw := drain(d.Stream(strings.NewReader(body), dialects.Options{}))
		require.Equal(t, body, raw)
		same := func(r io.Reader, way string) {
			got, raw := drain(d.Stream(r, dialects.Options{}))
			require.Equal(t, want, got, way)
			require.Equal(t, body, raw, way)
		}
		same(iotest.OneByteReader(strings.NewReader(body)), "bytewise")
		same(iotest.DataErrReader(strings.NewReader(body)), "data with eof")
		same(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(body))), "bytewise with eof")
		for i := range body {
			same(io.MultiReader(strings.NewReader(body[:i]), strings.NewReader(body[i:])), fmt.Sprint("split at ", i))
		}
	})
}

func TestNativeMutations(t *testing.T) {
	eachNative(t, func(t *testing.T, a nativeAnswer, d *dialects.Dialect) {
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range 600 {
			fs, what, harmless := a.mutate(rng)
			body := strings.Join(fs, "")
			got, tr := verdict(t, d, strings.NewReader(body))
			if harmless {
				require.Equal(t, "whole", got, "round %d: %v", round, what)
				require.Equal(t, a.text, tr.Text)
			}
			if !a.mayEnd(body) {
				require.NotEqual(t, "whole", got, "round %d: %v", round, what)
			}
		}
	})
}

// mutate inserts keep-alives, which is harmless, drops, repeats and swaps frames.
func (a nativeAnswer) mutate(rng *rand.Rand) (fs, what []string, harmless bool) {
	fs, harmless = append(fs, a.frames...), true
	for range 1 + rng.IntN(3) {
		i := rng.IntN(len(fs))
		switch rng.IntN(5) {
		case 0, 1:
			what = append(what, fmt.Sprint("keep-alive before ", i))
			fs = append(fs[:i], append([]string{a.keepAlives[rng.IntN(len(a.keepAlives))]}, fs[i:]...)...)
		case 2:
			what, harmless = append(what, fmt.Sprint("drop ", i)), false
			fs = append(fs[:i:i], fs[i+1:]...)
			if len(fs) == 0 {
				return fs, what, harmless
			}
		case 3:
			what, harmless = append(what, fmt.Sprint("repeat ", i)), false
			fs = append(fs[:i:i], append([]string{fs[i]}, fs[i:]...)...)
		case 4:
			j := rng.IntN(len(fs))
			what, harmless = append(what, fmt.Sprint("swap ", i, j)), false
			fs[i], fs[j] = fs[j], fs[i]
		}
	}
	return fs, what, harmless
}

// A flipped byte in an answer without its terminal never makes it whole, and in a
// whole one never hangs. watsonx says not_finished in each frame: any other word
// there is a finish word.
func TestNativeFlippedBytes(t *testing.T) {
	eachNative(t, func(t *testing.T, a nativeAnswer, d *dialects.Dialect) {
		whole := a.body()
		part := len(strings.Join(a.frames[:a.last], ""))
		for i := range whole {
			for _, bit := range [...]int{i % 8, (i + 3) % 8} {
				b := []byte(whole)
				b[i] ^= 1 << bit
				_, _ = verdict(t, d, strings.NewReader(string(b)))
				if i < part && strings.Count(string(b), "not_finished") == strings.Count(whole, "not_finished") {
					got, _ := verdict(t, d, strings.NewReader(string(b[:part])))
					require.NotEqual(t, "whole", got, "byte %d bit %d: %q", i, bit, b[:part])
				}
			}
		}
	})
}

// A model that is loaded or unloaded on request is no empty answer; one that says
// nothing is (wire/other-families.md §4.f).
func TestNativeEmpty(t *testing.T) {
	rows := []struct{ name, dialect, body, want string }{
		{"model loaded", "ollama", `{"model":"m","done":true,"done_reason":"load"}`, "whole"},
		{"model unloaded", "ollama", `{"model":"m","done":true,"done_reason":"unload"}`, "whole"},
		{"nothing said", "ollama", `{"model":"m","message":{"content":""},"done":true,"done_reason":"stop","eval_count":1}`, "empty"},
		{"thinking alone", "ollama", `{"model":"m","message":{"content":"","thinking":"hm"},"done":true,"done_reason":"length"}`, "empty"},
		{"a call alone", "ollama", `{"model":"m","message":{"content":"","tool_calls":[{"function":{"name":"f"}}]},"done":true,"done_reason":"stop"}`, "whole"},
		{"a call without arguments", "cohere", "data: {\"type\":\"tool-call-start\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}}}\n\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"TOOL_CALL\"}}\n\n", "whole"},
		{"a plan alone", "cohere", "data: {\"type\":\"tool-plan-delta\",\"delta\":{\"message\":{\"tool_plan\":\"x\"}}}\n\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"COMPLETE\"}}\n\n", "empty"},
		{"filtered", "cohere", "data: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"ERROR_TOXIC\"}}\n\n", "empty"},
		{"no bytes", "cohere-v1", "", "empty"},
		{"blank lines", "cohere-v1", "\n\n\n", "empty"},
		{"end of an answer without text", "cohere-v1", `{"event_type":"stream-end","is_finished":true,"finish_reason":"COMPLETE","response":{"text":""}}`, "empty"},
		{"no output", "replicate", "event: done\ndata: {}\n\n", "empty"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, _ := verdict(t, dialects.Native(row.dialect), strings.NewReader(row.body))
			require.Equal(t, row.want, got)
		})
	}
}

func fuzzNative(f *testing.F, dialect string, more ...string) {
	for _, a := range nativeAnswers {
		if a.dialect == dialect {
			f.Add(a.body(), 7)
			f.Add(strings.ReplaceAll(a.body(), "\n", "\r\n"), 50)
		}
	}
	for _, s := range more {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, body string, at int) {
		d := dialects.Native(dialect)
		if at < 0 || at > len(body) {
			at = len(body) / 2
		}
		whole, raw1 := drain(d.Stream(strings.NewReader(body), dialects.Options{}))
		split, raw2 := drain(d.Stream(io.MultiReader(strings.NewReader(body[:at]), strings.NewReader(body[at:])), dialects.Options{}))
		if whole != split {
			t.Fatalf("split at %d:\n%s\n%s", at, whole, split)
		}
		if !strings.HasPrefix(body, raw1) || !strings.HasPrefix(body, raw2) {
			t.Fatal("raw bytes are not the body's")
		}
	})
}

func FuzzOllama(f *testing.F) {
	fuzzNative(f, "ollama", `{"StatusCode":429,"Status":"429","error":"x"}`, `{"error":null,"done":true,"done_reason":"load"}`, `[{"error":{}}]`, "data: {\"done\":true}\n\n")
}

func FuzzCohere(f *testing.F) {
	fuzzNative(f, "cohere", `{"message":"x"}`, `{"message":{"content":[{"type":"text","text":"x"}],"tool_calls":[{"function":{}}]},"finish_reason":"ERROR_LIMIT"}`, "data: [DONE]\n\n", "data: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"ERROR\",\"error\":\"x\"}}\n\n")
}

func FuzzCohereV1(f *testing.F) {
	fuzzNative(f, "cohere-v1", `{"text":"x","finish_reason":"COMPLETE","meta":{"billed_units":{"input_tokens":1.0}}}`, `{"generations":[{"text":"x"}]}`, `{"event_type":"stream-error","err":"x"}`, `{"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{}}]}`)
}

func FuzzReplicate(f *testing.F) {
	fuzzNative(f, "replicate", "event: done\ndata: {\"reason\":\"error\"}\n\n", `{"status":"succeeded","output":["x"]}`, "event: output\ndata: \n\n")
}

func FuzzWriterWatsonx(f *testing.F) {
	fuzzNative(f, "watsonx", "data: {\"results\":[]}\n\n", "data: {\"errors\":[{\"code\":\"x\"}],\"status_code\":500}\n\n")
}
