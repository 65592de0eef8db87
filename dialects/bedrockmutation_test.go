package dialects_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
)

// bedrockAnswer is a whole answer, message by message.
type bedrockAnswer struct {
	dialect  string
	messages []string
	terminal int // the message that proves that the answer is whole
	text     string
}

func (a *bedrockAnswer) body() string { return strings.Join(a.messages, "") }

// proved is where the terminal message ends.
func (a *bedrockAnswer) proved() int { return len(strings.Join(a.messages[:a.terminal+1], "")) }

const bedrockMetrics = `"amazon-bedrock-invocationMetrics":{"inputTokenCount":3,"outputTokenCount":4}`

var bedrockAnswers = map[string]*bedrockAnswer{
	"converse": {"bedrock-converse", []string{
		dialects.AWSEvent("messageStart", `{"role":"assistant","p":"abc"}`),
		dialects.AWSEvent("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}},"p":"a"}`),
		dialects.AWSEvent("contentBlockStop", `{"contentBlockIndex":0}`),
		dialects.AWSEvent("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"one \u00e9🙂"},"p":"ab"}`),
		dialects.AWSEvent("contentBlockStart", `{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}`),
		dialects.AWSEvent("contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}`),
		dialects.AWSEvent("messageStop", `{"stopReason":"tool_use","p":"abcd"}`),
		dialects.AWSEvent("metadata", `{"usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7},"p":"a"}`),
	}, 6, "one é🙂"},
	"Claude": {"bedrock-invoke", []string{
		dialects.AWSChunk(`{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":3}}}`),
		dialects.AWSChunk(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		dialects.AWSChunk(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"one"}}`),
		dialects.AWSChunk(`{"type":"content_block_stop","index":0}`),
		dialects.AWSChunk(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`),
		dialects.AWSChunk(`{"type":"message_stop",` + bedrockMetrics + `}`),
	}, 4, "one"},
	"Nova": {"bedrock-invoke", []string{
		dialects.AWSChunk(`{"messageStart":{"role":"assistant"}}`),
		dialects.AWSChunk(`{"contentBlockDelta":{"delta":{"text":"one"},"contentBlockIndex":0}}`),
		dialects.AWSChunk(`{"messageStop":{"stopReason":"end_turn"}}`),
		dialects.AWSChunk(`{"metadata":{"usage":{"inputTokens":3,"outputTokens":4}},` + bedrockMetrics + `}`),
	}, 2, "one"},
	"Titan": {"bedrock-invoke", []string{
		dialects.AWSChunk(`{"outputText":"one ","index":0,"completionReason":null}`),
		dialects.AWSChunk(`{"outputText":"two","index":0,"completionReason":"FINISH",` + bedrockMetrics + `}`),
	}, 1, "one two"},
}

// bedrockVerdict says how a body ends above the standard stack: "whole", or the
// fault.
func bedrockVerdict(t *testing.T, a *bedrockAnswer, body io.Reader) (string, *endwell.Collector) {
	t.Helper()
	st := middleware.Standard(middleware.Config{Clock: clock.System})
	c := new(endwell.Collector)
	s, err := st(bedrockNext(a.dialect, body)).Open(t.Context(), &endwell.Request{})
	require.NoError(t, err)
	for chunk, fault := range endwell.All(s) {
		if fault != nil {
			var e *endwell.Error
			require.ErrorAs(t, fault, &e)
			c.End(fault)
			return e.Fault.String(), c
		}
		c.Add(chunk)
	}
	c.End(io.EOF)
	return "whole", c
}

func eachBedrock(t *testing.T, check func(t *testing.T, a *bedrockAnswer)) {
	for name, a := range bedrockAnswers {
		t.Run(name, func(t *testing.T) { check(t, a) })
	}
}

// AWS's own decoder takes most of these cuts for a clean end
// (wire/other-families.md §6.c).
func TestBedrockCutAtEveryByte(t *testing.T) {
	eachBedrock(t, func(t *testing.T, a *bedrockAnswer) {
		body := a.body()
		for i := range len(body) + 1 {
			want := "truncated"
			switch {
			case i == 0:
				want = "empty"
			case i >= a.proved():
				want = "whole"
			}
			got, _ := bedrockVerdict(t, a, strings.NewReader(body[:i]))
			require.Equal(t, want, got, "cut at %d", i)
			got, _ = bedrockVerdict(t, a, iotest.OneByteReader(strings.NewReader(body[:i])))
			require.Equal(t, want, got, "cut at %d, bytewise", i)
		}
	})
}

func TestBedrockResetAtEveryByte(t *testing.T) {
	eachBedrock(t, func(t *testing.T, a *bedrockAnswer) {
		body := a.body()
		for i := range len(body) + 1 {
			want := "broken"
			if i >= a.proved() {
				want = "whole"
			}
			got, _ := bedrockVerdict(t, a, io.MultiReader(strings.NewReader(body[:i]), iotest.ErrReader(io.ErrUnexpectedEOF)))
			require.Equal(t, want, got, "reset at %d", i)
		}
	})
}

func TestBedrockFlippedBits(t *testing.T) {
	eachBedrock(t, func(t *testing.T, a *bedrockAnswer) {
		body := []byte(a.body())
		for i := range body {
			bit := byte(1) << (i % 8)
			body[i] ^= bit
			got, _ := bedrockVerdict(t, a, strings.NewReader(string(body)))
			body[i] ^= bit
			if i < a.proved() {
				require.Contains(t, []string{"malformed", "truncated", "empty"}, got, "byte %d", i)
			}
		}
	})
}

// bedrockIdle are messages that say nothing of an answer.
var bedrockIdle = []string{
	dialects.AWSEvent("initial-response", `{}`), dialects.AWSEvent("chunk", `{"p":"abc"}`),
	dialects.AWSEvent("ping", `not JSON`), dialects.AWSEvent("contentBlockDelta", ""),
}

func TestBedrockMutations(t *testing.T) {
	eachBedrock(t, func(t *testing.T, a *bedrockAnswer) {
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range 1000 {
			ms := append([]string(nil), a.messages...)
			var what []string
			harmless := true
			for range 1 + rng.IntN(3) {
				i := rng.IntN(len(ms))
				switch rng.IntN(5) {
				case 0, 1:
					what = append(what, fmt.Sprintf("idle before %d", i))
					ms = append(ms[:i:i], append([]string{bedrockIdle[rng.IntN(len(bedrockIdle))]}, ms[i:]...)...)
				case 2:
					what, harmless = append(what, fmt.Sprintf("drop %d", i)), false
					ms = append(ms[:i:i], ms[i+1:]...)
				case 3:
					what, harmless = append(what, fmt.Sprintf("repeat %d", i)), false
					ms = append(ms[:i:i], append([]string{ms[i]}, ms[i:]...)...)
				case 4:
					j := rng.IntN(len(ms))
					what, harmless = append(what, fmt.Sprintf("swap %d %d", i, j)), false
					ms[i], ms[j] = ms[j], ms[i]
				}
				if len(ms) == 0 {
					break
				}
			}
			body := strings.Join(ms, "")
			got, c := bedrockVerdict(t, a, strings.NewReader(body))
			if harmless {
				require.Equal(t, "whole", got, "round %d: %v", round, what)
				require.Equal(t, a.text, c.Transcript().Text)
			}
			if !strings.Contains(body, a.messages[a.terminal]) {
				// message_stop is a sentinel of its own.
				if a != bedrockAnswers["Claude"] || !strings.Contains(body, a.messages[5]) {
					require.NotEqual(t, "whole", got, "round %d: %v", round, what)
				}
			}
		}
	})
}

func TestBedrockFaultAfterTheEnd(t *testing.T) {
	fault := dialects.AWSException("throttlingException", `{"message":"x"}`)
	for _, name := range []string{"converse", "Nova", "Titan"} {
		got, c := bedrockVerdict(t, bedrockAnswers[name], strings.NewReader(bedrockAnswers[name].body()+fault))
		require.Equal(t, "faulted", got, name)
		require.Equal(t, bedrockAnswers[name].text, c.Transcript().Text)
	}
}
