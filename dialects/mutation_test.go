package dialects_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
)

// verdict says how a body ends above the standard stack: "whole", or the fault.
func verdict(t *testing.T, d *dialects.Dialect, body io.Reader) (string, *endwell.Transcript) {
	t.Helper()
	next := middleware.Standard(middleware.Config{})(endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return d.Stream(body, dialects.Options{}), nil
		}))
	st, err := next.Open(t.Context(), &endwell.Request{Model: "m"})
	require.NoError(t, err)
	tr, err := endwell.Collect(st)
	var e *endwell.Error
	if err == nil {
		return "whole", tr
	}
	require.True(t, errors.As(err, &e), "%v", err)
	return e.Fault.String(), tr
}

// chatFrames are the frames of a whole answer with everything in it.
var chatFrames = []string{
	": hello\n\n",
	`data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n",
	`data: {"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"think"},"finish_reason":null}]}` + "\n\n",
	`data: {"id":"c","choices":[{"index":0,"delta":{"content":"one \u00e9\ud83d\ude42"},"finish_reason":null}]}` + "\n\n",
	`data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}}]}` + "\n\n",
	`data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n",
	`data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}` + "\n\n",
	"data: [DONE]\n\n",
}

// terminal is where the finish frame of chatFrames can be read.
func terminal() int {
	return len(strings.Join(chatFrames[:5], "")) + len(strings.TrimRight(chatFrames[5], "\n"))
}

func TestChatCutAtEveryByte(t *testing.T) {
	d, body := dialects.MustByName("openai"), strings.Join(chatFrames, "")
	for i := range len(body) + 1 {
		got, _ := verdict(t, d, strings.NewReader(body[:i]))
		switch {
		case i >= terminal():
			require.Equal(t, "whole", got, "cut at %d", i)
		case len(strings.Trim(body[:i], ": helo\n")) < len("data:x"):
			require.Contains(t, []string{"empty", "truncated", "malformed"}, got, "cut at %d", i)
		default:
			require.Equal(t, "truncated", got, "cut at %d", i)
		}
	}
}

func TestChatResetAtEveryByte(t *testing.T) {
	d, body := dialects.MustByName("openai"), strings.Join(chatFrames, "")
	for i := range len(body) + 1 {
		got, _ := verdict(t, d, io.MultiReader(strings.NewReader(body[:i]), broken{}))
		if i >= terminal() {
			require.Equal(t, "whole", got, "reset at %d", i)
		} else {
			require.Equal(t, "broken", got, "reset at %d", i)
		}
	}
}

// broken is a body whose connection is reset.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestChatMutations(t *testing.T) {
	d := dialects.MustByName("openai")
	rng := rand.New(rand.NewPCG(1, 2))
	keepAlives := []string{": ping\n\n", "\n", "\r\n", "id: 3\n\n", "event: ping\ndata:\n\n", "data:\n\n"}
	for round := range 3000 {
		fs := append([]string(nil), chatFrames...)
		var what []string
		harmless := true
		for range 1 + rng.IntN(3) {
			i := rng.IntN(len(fs))
			switch rng.IntN(5) {
			case 0, 1:
				what = append(what, fmt.Sprintf("keep-alive before %d", i))
				fs = append(fs[:i], append([]string{keepAlives[rng.IntN(len(keepAlives))]}, fs[i:]...)...)
			case 2:
				what, harmless = append(what, fmt.Sprintf("drop %d", i)), false
				fs = append(fs[:i:i], fs[i+1:]...)
			case 3:
				what, harmless = append(what, fmt.Sprintf("repeat %d", i)), false
				fs = append(fs[:i:i], append([]string{fs[i]}, fs[i:]...)...)
			case 4:
				j := rng.IntN(len(fs))
				what, harmless = append(what, fmt.Sprintf("swap %d %d", i, j)), false
				fs[i], fs[j] = fs[j], fs[i]
			}
		}
		body := strings.Join(fs, "")
		got, tr := verdict(t, d, strings.NewReader(body))
		if harmless {
			require.Equal(t, "whole", got, "round %d: %v", round, what)
			require.Equal(t, "one é🙂", tr.Text)
		}
		if !strings.Contains(body, `"finish_reason":"stop"`) && !strings.Contains(body, "[DONE]") {
			require.NotEqual(t, "whole", got, "round %d: %v", round, what)
		}
	}
}

func TestChatFlippedBytes(t *testing.T) {
	d, body := dialects.MustByName("openai"), strings.Join(chatFrames[:5], "")
	for i := range len(body) {
		for _, bit := range []byte{1, 2, 4, 8, 16, 32, 64, 128} {
			b := []byte(body)
			b[i] ^= bit
			got, _ := verdict(t, d, strings.NewReader(string(b)))
			require.NotEqual(t, "whole", got, "byte %d bit %d", i, bit)
		}
	}
}

func FuzzChat(f *testing.F) {
	f.Add(strings.Join(chatFrames, ""), 7)
	f.Add("error: {\"code\":400}\n\ndata: [DONE]\n\n", 3)
	f.Add("{\"error\":\"x\"}\r\ndata: {\"choices\":null}\r\r", 5)
	f.Add("\xef\xbb\xbfdata:{\"choices\":[{\"index\":1,\"message\":{\"content\":[\"a\"]}}]}", 9)
	f.Add("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"\\ud83d\",\"function\":{\"arguments\":{}}}]}}]}\n\n", 30)
	f.Add("<html>", 1)
	f.Fuzz(func(t *testing.T, body string, at int) {
		d := dialects.MustByName("openai")
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

// drain renders what a stream said, apart from what depends on how it is split.
func drain(st endwell.Stream) (said, raw string) {
	var b, r strings.Builder
	for {
		c, err := st.Recv()
		if err != nil {
			fmt.Fprintf(&b, "%v", err)
			return b.String(), r.String()
		}
		r.Write(c.Raw)
		if c.Kind != endwell.KindKeepAlive {
			fmt.Fprintf(&b, "%d %d %s %q %q %v %v\n", c.Kind, c.Index, c.End, c.Text, c.Detail, c.ToolCall, c.Usage != nil)
		}
	}
}
