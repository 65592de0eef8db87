package dialects

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// tokenFrame is a frame of ordinary size that carries a piece of text, of a dialect, and
// what has to come before the first one.
type tokenFrame struct{ name, dialect, before, frame string }

const chatToken = `{"id":"chatcmpl-000000000000000000000000000","object":"chat.completion.chunk","created":1700000000,` +
	`"model":"gpt-0-mini-2026-01-01","service_tier":"default","system_fingerprint":"fp_0000000000","choices":[{"index":0,` +
	`"delta":{"content":" harbour"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}`

const geminiToken = `{"candidates": [{"content": {"parts": [{"text": " harbour"}],"role": "model"},"index": 0}],` +
	`"usageMetadata": {"trafficType": "ON_DEMAND"},"modelVersion": "gemini-0-flash","createTime": "2026-01-01T00:00:00.000000Z",` +
	`"responseId": "aaaaaaaaaaaaaaaaaaaaaaaa"}`

// tokens has at least one row for every family.
var tokens = []tokenFrame{
	{"chat", "openai", "", frames(chatToken)},
	{"writer", "writer", "", frames(`{"choices":[{"index":0,"finish_reason":null,"delta":{"content":" harbour"}}]}`)},
	{"watsonx", "watsonx", "", frames(`{"model_id":"m","results":[{"generated_text":" harbour","generated_token_count":1,"input_token_count":0,"stop_reason":"not_finished"}]}`)},
	{
		"anthropic", "anthropic", named(aStart, aOpen),
		named(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" harbour"}           }`),
	},
	{
		"responses", "responses", named(rCreated, `{"type":"response.output_item.added","output_index":1,"item":{"id":"m_1","type":"message","content":[]}}`),
		named(`{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_0000000000000000000000000000000000000000000000",` +
			`"output_index":1,"content_index":0,"delta":" harbour","logprobs":[],"obfuscation":"xxxxxxxx"}`),
	},
	{
		"responses/reasoning", "responses", named(rCreated),
		named(`{"type":"response.reasoning_summary_text.delta","sequence_number":7,"item_id":"rs_0000000000000000000000000000000000000000000000",` +
			`"output_index":0,"summary_index":0,"delta":" harbour","obfuscation":"xxxxxxxx"}`),
	},
	{"gemini/events", "gemini", "", geminiEvents(geminiToken)},
	{"gemini/wrapped", "gemini", "", geminiWrapped(geminiParts(`{"thought":true,"text":" harbour"}`, ""))},
	{"gemini/list", "gemini", "[", ",\r\n" + geminiToken + "\n"},
	{"interactions", "interactions", "", "event: step.delta\n" + frames(interactionsDelta(`{"text":" harbour","type":"text"}`))},
	{"interactions/thought", "interactions", "", frames(interactionsDelta(`{"content":{"text":" harbour","type":"text"},"type":"thought_summary"}`))},
	{"cohere", "cohere", "", cohereFrames(cohereDelta("0", `"text":" harbour"`))},
	{"cohere-v1", "cohere-v1", "", lines(`{"is_finished":false,"event_type":"text-generation","text":" harbour"}`)},
	{"ollama", "ollama", "", lines(ollamaChat(`"content":" harbour"`))},
	{"replicate", "replicate", "", "event: output\nid: 1707756341:1\ndata:  harbour\n\n"},
	{"converse", "bedrock-converse", "", awsSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":" harbour"},"p":"abcdefghijklmnopqrstuvwxyzABCDEFGH"}`)},
	{
		"invoke/Claude", "bedrock-invoke",
		invokeChunks(`{"type":"message_start","message":{"id":"m","content":[]}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		awsChunk(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" harbour"}}`),
	},
	{"invoke/Nova", "bedrock-invoke", "", awsChunk(`{"contentBlockDelta":{"delta":{"text":" harbour"},"contentBlockIndex":0}}`)},
	{"invoke/Titan", "bedrock-invoke", "", awsChunk(`{"outputText":" harbour","index":0,"totalOutputTextTokenCount":null,"completionReason":null}`)},
	{"invoke/Llama", "bedrock-invoke", "", awsChunk(`{"generation":" harbour","prompt_token_count":null,"generation_token_count":2,"stop_reason":null}`)},
}

// body is n tokens.
func (f tokenFrame) body(n int) io.Reader { return bodyOf(f.before + strings.Repeat(f.frame, n)) }

// stream is n tokens, as the dialect decodes them, or above the standard stack.
func (f tokenFrame) stream(tb testing.TB, n int, standard bool, opt Options) endwell.Stream {
	if standard {
		return guarded(tb, MustByName(f.dialect), f.body(n), opt)
	}
	return MustByName(f.dialect).Stream(f.body(n), opt)
}

// nextChunk receives the next chunk that is not a sign of life.
func nextChunk(tb testing.TB, st endwell.Stream) endwell.Chunk {
	for {
		c, err := st.Recv()
		if err != nil {
			tb.Fatal(err)
		}
		if c.Kind != endwell.KindKeepAlive {
			return c
		}
	}
}

// eachTokenWay runs a test for every row, without and with the standard stack, with
// and without text.
func eachTokenWay[T interface {
	testing.TB
	Run(name string, f func(T)) bool
}](t T, test func(t T, f tokenFrame, standard bool, opt Options)) {
	for _, f := range tokens {
		for _, standard := range []bool{false, true} {
			for _, opt := range []Options{{}, {NoText: true}} {
				name := f.name + map[bool]string{false: "/dialect", true: "/standard"}[standard] +
					map[bool]string{false: "/text", true: "/notext"}[opt.NoText]
				t.Run(name, func(t T) { test(t, f, standard, opt) })
			}
		}
	}
}

// A token costs the allocation of its text, and no goroutine.
func TestChunkAllocatesItsTextOnly(t *testing.T) {
	eachTokenWay(t, func(t *testing.T, f tokenFrame, standard bool, opt Options) {
		const runs = 500
		st := f.stream(t, runs+100, standard, opt)
		defer func() { require.NoError(t, st.Close()) }()
		for range 50 {
			nextChunk(t, st)
		}
		want, detail := 1.0, " harbour"
		if opt.NoText {
			want, detail = 0, ""
		}
		goroutines := runtime.NumGoroutine()
		got := testing.AllocsPerRun(runs, func() {
			if c := nextChunk(t, st); !c.Emission() || c.Text+c.Detail != detail {
				t.Fatal(c.Kind, c.Text, c.Detail)
			}
		})
		require.Equal(t, want, got)
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	})
}

// BenchmarkChunk is the cost of a token, from bytes to the caller.
func BenchmarkChunk(b *testing.B) {
	eachTokenWay(b, func(b *testing.B, f tokenFrame, standard bool, opt Options) {
		const each = 10_000
		st, n := f.stream(b, each, standard, opt), 0
		b.ReportAllocs()
		b.SetBytes(int64(len(f.frame)))
		for b.Loop() {
			if n == each {
				b.StopTimer()
				_ = st.Close()
				st, n = f.stream(b, each, standard, opt), 0
				b.StartTimer()
			}
			nextChunk(b, st)
			n++
		}
	})
}

func TestEveryFamilyHasAToken(t *testing.T) {
	have := map[Family]bool{}
	for _, f := range tokens {
		have[MustByName(f.dialect).Family()] = true
	}
	for _, name := range Names() {
		require.True(t, have[MustByName(name).Family()], name)
	}
}
