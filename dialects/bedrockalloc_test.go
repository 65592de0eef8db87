package dialects_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// bedrockNext is a provider that answers with a body.
func bedrockNext(name string, body io.Reader) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return dialects.BedrockDialect(name).Stream(body, dialects.Options{}), nil
	})
}

// bedrockTexts are messages of ordinary size, a piece of text each.
var bedrockTexts = map[string]struct{ dialect, message string }{
	"converse": {"bedrock-converse", dialects.AWSEvent("contentBlockDelta",
		`{"contentBlockIndex":0,"delta":{"text":" harbour"},"p":"abcdefghijklmnopqrstuvwxyzABCDEFGH"}`)},
	"invoke/Claude": {"bedrock-invoke", dialects.AWSChunk(
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" harbour"}}`)},
	"invoke/Nova": {"bedrock-invoke", dialects.AWSChunk(
		`{"contentBlockDelta":{"delta":{"text":" harbour"},"contentBlockIndex":0}}`)},
	"invoke/Titan": {"bedrock-invoke", dialects.AWSChunk(
		`{"outputText":" harbour","index":0,"totalOutputTextTokenCount":null,"completionReason":null}`)},
	"invoke/Llama": {"bedrock-invoke", dialects.AWSChunk(
		`{"generation":" harbour","prompt_token_count":null,"generation_token_count":2,"stop_reason":null}`)},
}

// bedrockPreamble begins Claude's answers, which the parser expects.
var bedrockPreamble = dialects.AWSChunk(`{"type":"message_start","message":{"id":"m","content":[]}}`) +
	dialects.AWSChunk(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)

// bedrockStream opens n pieces of text.
func bedrockStream(name string, n int, opt dialects.Options) endwell.Stream {
	x := bedrockTexts[name]
	var b strings.Builder
	if name == "invoke/Claude" {
		b.WriteString(bedrockPreamble)
	}
	b.WriteString(strings.Repeat(x.message, n))
	return dialects.BedrockDialect(x.dialect).Stream(bytes.NewReader([]byte(b.String())), opt)
}

// bedrockText receives the next chunk of text.
func bedrockText(tb testing.TB, st endwell.Stream) {
	for {
		c, err := st.Recv()
		if err != nil {
			tb.Fatal(err)
		}
		if c.Kind == endwell.KindText {
			return
		}
	}
}

func TestBedrockChunkAllocatesItsTextOnly(t *testing.T) {
	for name := range bedrockTexts {
		for want, opt := range map[float64]dialects.Options{1: {}, 0: {NoText: true}} {
			const runs = 1000
			st := bedrockStream(name, runs+20, opt)
			for range 5 {
				bedrockText(t, st)
			}
			require.Equal(t, want, testing.AllocsPerRun(runs, func() { bedrockText(t, st) }), name)
		}
	}
}

// BenchmarkBedrock is the cost of a piece of text, from bytes to Chunk.
func BenchmarkBedrock(b *testing.B) {
	for name, x := range bedrockTexts {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(x.message)))
			const each = 10_000
			st, n := bedrockStream(name, each, dialects.Options{}), 0
			for b.Loop() {
				if n == each {
					b.StopTimer()
					st, n = bedrockStream(name, each, dialects.Options{}), 0
					b.StartTimer()
				}
				bedrockText(b, st)
				n++
			}
		})
	}
}
