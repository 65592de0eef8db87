package dialects_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
)

// textFrame is a chunk of ordinary size.
const textFrame = `data: {"id":"chatcmpl-000000000000000000000000000","object":"chat.completion.chunk","created":1700000000,` +
	`"model":"gpt-0-mini-2026-01-01","service_tier":"default","system_fingerprint":"fp_0000000000","choices":[{"index":0,` +
	`"delta":{"content":" harbour"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}` + "\n\n"

// guarded opens n text frames through the standard stack.
func guarded(tb testing.TB, n int, opt dialects.Options) endwell.Stream {
	tb.Helper()
	body := bytes.NewReader([]byte(strings.Repeat(textFrame, n)))
	next := middleware.Standard(middleware.Config{})(endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return dialects.MustByName("openai").Stream(body, opt), nil
		}))
	st, err := next.Open(context.Background(), &endwell.Request{})
	require.NoError(tb, err)
	return st
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

func TestChunkAllocatesItsTextOnly(t *testing.T) {
	for _, tt := range []struct {
		name string
		opt  dialects.Options
		want float64
	}{
		{"with text", dialects.Options{}, 1},
		{"without text", dialects.Options{NoText: true}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const runs = 2000
			st := guarded(t, runs+10, tt.opt)
			defer func() { require.NoError(t, st.Close()) }()
			for range 5 {
				nextChunk(t, st)
			}
			goroutines := runtime.NumGoroutine()
			got := testing.AllocsPerRun(runs, func() {
				if c := nextChunk(t, st); c.Kind != endwell.KindText {
					t.Fatal(c.Kind)
				}
			})
			require.Equal(t, tt.want, got)
			require.Equal(t, goroutines, runtime.NumGoroutine())
		})
	}
}

// BenchmarkChunk is the cost of a chunk, from bytes to the caller.
func BenchmarkChunk(b *testing.B) {
	for name, opt := range map[string]dialects.Options{"text": {}, "notext": {NoText: true}} {
		b.Run("dialect/"+name, func(b *testing.B) {
			benchmarkChunks(b, func(n int) endwell.Stream {
				return dialects.MustByName("openai").Stream(strings.NewReader(strings.Repeat(textFrame, n)), opt)
			})
		})
		b.Run("standard/"+name, func(b *testing.B) {
			benchmarkChunks(b, func(n int) endwell.Stream { return guarded(b, n, opt) })
		})
	}
}

func benchmarkChunks(b *testing.B, open func(n int) endwell.Stream) {
	b.ReportAllocs()
	b.SetBytes(int64(len(textFrame)))
	const each = 10_000
	st := open(each)
	n := 0
	b.ResetTimer()
	for range b.N {
		if n == each-1 {
			b.StopTimer()
			_ = st.Close()
			st, n = open(each), 0
			b.StartTimer()
		}
		nextChunk(b, st)
		n++
	}
}
