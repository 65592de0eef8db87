package dialects

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// eachAnswer runs a test for every answer.
func eachAnswer(t *testing.T, test func(t *testing.T, a answer, d *Dialect)) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			test(t, a, MustByName(a.dialect))
		})
	}
}

// requireWhole checks that a body ends whole and says what the answer says.
func (a answer) requireWhole(t *testing.T, v verdict, what ...any) {
	t.Helper()
	require.Equal(t, "whole", v.fault, what...)
	require.Equal(t, a.text, v.text(), what...)
	require.Equal(t, a.calls, v.calls(), what...)
}

func TestCutAtEveryByte(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		for i := range len(a.body()) + 1 {
			a.requireCut(t, i, judge(t, d, bodyOf(a.body()[:i])))
		}
	})
}

// AWS's own decoder takes most cuts of its framing for a clean end
// (wire/other-families.md §6.c), so it is cut in bytes that come one by one as well.
func TestCutAtEveryByteBytewise(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		if !a.sealed {
			t.Skip("bytewise is as whole: TestSplitAtEveryByte")
		}
		for i := range len(a.body()) + 1 {
			a.requireCut(t, i, judge(t, d, iotest.OneByteReader(bodyOf(a.body()[:i]))))
		}
	})
}

// requireCut checks what became of the first i bytes of the answer.
func (a answer) requireCut(t *testing.T, i int, v verdict) {
	t.Helper()
	switch part := a.body()[:i]; {
	case i >= a.whole():
		a.requireWhole(t, v, "cut at %d", i)
	case i == 0:
		require.Equal(t, "empty", v.fault)
	case a.hasBegun(part):
		require.Equal(t, "truncated", v.fault, "cut at %d: %q", i, part)
	default:
		require.Contains(t, []string{"empty", "truncated", "malformed"}, v.fault, "cut at %d: %q", i, part)
	}
}

func TestResetAtEveryByte(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		body := a.body()
		for i := range len(body) + 1 {
			v := judge(t, d, io.MultiReader(bodyOf(body[:i]), broken()))
			if i >= a.whole() && a.resets == "" {
				a.requireWhole(t, v, "reset at %d: %q", i, body[:i])
			} else {
				require.Equal(t, "broken", v.fault, "reset at %d: %q", i, body[:i])
			}
		}
	})
}

func TestSplitAtEveryByte(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		body := a.body()
		want := hear(d.Stream(bodyOf(body), Options{}))
		require.Equal(t, io.EOF, want.end)
		for way, open := range splitsAt(body, len(body)) {
			got := hear(d.Stream(open(), Options{}))
			require.Equal(t, want.content(), got.content(), way)
			require.Equal(t, want.end, got.end, way)
			got.requireRaw(t, body, way)
		}
	})
}

// A sign of life makes no difference: neither to a whole answer nor to one that is
// cut, neither once nor between all of its frames.
func TestKeepAlives(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		for _, alive := range a.alive {
			for n := range len(a.frames) + 1 {
				some := a.frames[:n]
				v := judge(t, d, bodyOf(strings.Join(some, alive)))
				require.Equal(t, judge(t, d, bodyOf(strings.Join(some, ""))).fault, v.fault, "%d frames with %q between", n, alive)

				inside := slices.Insert(slices.Clone(a.frames), n, alive)
				a.requireWhole(t, judge(t, d, bodyOf(strings.Join(inside, ""))), "%q before %d", alive, n)

				inside = slices.Insert(slices.Clone(a.frames[:a.last]), min(n, a.last), alive)
				require.Equal(t, "truncated", judge(t, d, bodyOf(strings.Join(inside, ""))).fault, "%q before %d", alive, n)
			}
		}
	})
}

// However frames are dropped, repeated and swapped, an answer without its proof is
// not whole; and signs of life alone change nothing.
func TestMutations(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range 1000 {
			fs, what, harmless := a.mutate(rng)
			body := strings.Join(fs, "")
			v := judge(t, d, bodyOf(body))
			if harmless {
				a.requireWhole(t, v, "round %d: %v", round, what)
			}
			if !a.mayEnd(body) {
				require.NotEqual(t, "whole", v.fault, "round %d: %v", round, what)
			}
		}
	})
}

// mutate makes up to three mutations: it inserts signs of life, which is harmless,
// drops, repeats and swaps frames.
func (a answer) mutate(rng *rand.Rand) (fs, what []string, harmless bool) {
	fs, harmless = slices.Clone(a.frames), true
	for range 1 + rng.IntN(3) {
		if len(fs) == 0 {
			break
		}
		i, j, n := rng.IntN(len(fs)), rng.IntN(len(fs)), rng.IntN(5)
		switch n {
		case 0, 1:
			fs = slices.Insert(fs, i, a.alive[rng.IntN(len(a.alive))])
		case 2:
			fs = slices.Delete(fs, i, i+1)
		case 3:
			fs = slices.Insert(fs, i, fs[i])
		case 4:
			fs[i], fs[j] = fs[j], fs[i]
		}
		harmless = harmless && n < 2
		what = append(what, fmt.Sprint([]string{"alive ", "alive ", "drop ", "repeat ", "swap "}[n], i, " ", j))
	}
	return fs, what, harmless
}

// A flipped bit never makes an answer whole that lacks its last frame.
func TestFlippedBits(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		body := []byte(a.part())
		spared := func() int { return bytes.Count(body, []byte(a.spared)) }
		all, needed := spared(), a.spared == ""
		for i := range body {
			for bit := range 8 {
				body[i] ^= 1 << bit
				fault := judge(t, d, bodyOf(string(body))).fault
				if a.spared == "" || spared() == all {
					require.NotEqual(t, "whole", fault, "byte %d bit %d: %q", i, bit, body)
				} else {
					needed = needed || fault == "whole"
				}
				body[i] ^= 1 << bit
			}
		}
		require.True(t, needed, "nothing need be spared")
	})
}

// A flipped bit of a whole answer is found where there are checksums; elsewhere it
// ends like any other stream.
func TestFlippedBitsOfAWholeAnswer(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		body := []byte(a.body())
		for i := range body {
			bit := byte(1) << (i % 8)
			body[i] ^= bit
			fault := judge(t, d, bodyOf(string(body))).fault
			if a.sealed && i < a.whole() {
				require.Contains(t, []string{"malformed", "truncated", "empty"}, fault, "byte %d", i)
			}
			body[i] ^= bit
		}
	})
}

// A fault behind the last frame of an answer that knows no sentinel is one, and what
// was said stays.
func TestBedrockFaultAfterTheEnd(t *testing.T) {
	fault := awsThrow("throttlingException", `{"message":"x"}`)
	for _, name := range []string{"converse", "invoke Nova", "invoke Titan"} {
		a := answerNamed(name)
		v := judge(t, MustByName(a.dialect), bodyOf(a.body()+fault))
		require.Equal(t, "faulted", v.fault, name)
		require.Equal(t, a.text, v.text(), name)
	}
}

// A model that is loaded or unloaded on request is no empty answer; one that says
// nothing is (wire/other-families.md §4.f).
func TestEmpty(t *testing.T) {
	for _, row := range []struct{ name, dialect, body, want string }{
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
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, judge(t, MustByName(row.dialect), bodyOf(row.body)).fault)
		})
	}
}
