package demo

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/leaktest"
)

// What the table says of a wire is so, also where both clients would conclude the same
// of something else.
func TestAnswers(t *testing.T) {
	const sentinel, alive = "data: [DONE]\n\n", ": keep-alive\n\n"
	for _, tc := range []struct {
		wire   string
		status int
		counts map[string]int // how often the body has a text
		broken bool           // by more than a close
	}{
		{"whole answer", 200, map[string]int{sentinel: 1, alive: 0}, false},
		{"whole, but without [DONE]", 200, map[string]int{sentinel: 0, `"finish_reason":"stop"`: 1}, false},
		{"a tool call, no text", 200, map[string]int{sentinel: 1, "well": 0}, false},
		{"keep-alives for 2.5s, then whole", 200, map[string]int{sentinel: 1, alive: 25}, false},
		{"401, the key is wrong", 401, map[string]int{"invalid_api_key": 2, "data:": 0}, false},
		{"429, Retry-After: 1, then whole", 429, map[string]int{"rate_limit_exceeded": 2, "data:": 0}, false},
		{"3 words, then a TCP reset", 200, map[string]int{` that"`: 1, "ends": 0}, true},
		{"3 words, then a clean close", 200, map[string]int{` that"`: 1, "ends": 0, "finish_reason\":\"": 0}, false},
		{"an error as the first frame", 200, map[string]int{"server_is_overloaded": 2, "choices": 0}, false},
		{`3 words, then finish_reason "error"`, 200, map[string]int{sentinel: 1, `"finish_reason":"error"`: 1}, false},
		{"3 words, half a frame, the last word", 200, map[string]int{sentinel: 1, "\"content\":\" en\n\n": 1, ` well."`: 1}, false},
		{"an empty answer", 200, map[string]int{sentinel: 1, "well": 0}, false},
		{"token limit used up before any text", 200, map[string]int{sentinel: 1, `"finish_reason":"length"`: 1, "well": 0}, false},
	} {
		t.Run(tc.wire, func(t *testing.T) {
			leaktest.Check(t)
			resp, said, err := ask(t, answersOf(t, tc.wire))
			require.Equal(t, tc.status, resp.StatusCode)
			require.Equal(t, tc.status == 200, resp.ContentLength == -1, "no provider knows the length of a stream")
			require.Equal(t, tc.broken, err != nil, "%v", err)
			require.False(t, errors.Is(err, io.ErrUnexpectedEOF), "a reset, and not a mere close")
			for text, n := range tc.counts {
				require.Equal(t, n, strings.Count(said, text), "%s in %s", text, said)
			}
		})
	}
}

func TestNothingListens(t *testing.T) {
	leaktest.Check(t)
	resp, _, err := ask(t, answersOf(t, "nothing listens on the port"))
	require.Nil(t, resp)
	var op *net.OpError
	require.ErrorAs(t, err, &op)
	require.Equal(t, "dial", op.Op, "not even a connection")
}

func answersOf(t *testing.T, wire string) answers {
	t.Helper()
	for _, r := range rows() {
		if r.wire == wire {
			return r.answers
		}
	}
	require.Fail(t, "no such row", wire)
	return nothing
}

// ask asks once, and reads all that comes.
func ask(t *testing.T, a answers) (resp *http.Response, said string, err error) {
	t.Helper()
	g, err := start()
	require.NoError(t, err)
	t.Cleanup(g.Close)
	client := newClient()
	t.Cleanup(client.CloseIdleConnections)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url("test", a), strings.NewReader(body))
	require.NoError(t, err)
	resp, err = client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	all, err := io.ReadAll(resp.Body)
	return resp, string(all), err
}
