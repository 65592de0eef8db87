package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ask asks once, and reads at most until the body contains enough.
func ask(t *testing.T, client *http.Client, url, enough string) (status int, body string, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	buf := make([]byte, 512)
	for err == nil && (enough == "" || !strings.Contains(body, enough)) {
		var n int
		n, err = resp.Body.Read(buf)
		body += string(buf[:n])
	}
	if err == io.EOF {
		err = nil
	}
	return resp.StatusCode, body, err
}

func start(t *testing.T) (*Gateway, *http.Client) {
	t.Helper()
	quiet(t)
	g, err := Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return g, &http.Client{Transport: tr}
}

func TestEndings(t *testing.T) {
	const never = "\x00" // read to the end
	for _, tc := range []struct {
		ending     Ending
		enough     string // stop reading here, for what goes on for ever
		status     int
		has, lacks string
		ends       string // the last bytes
	}{
		{Whole, never, 200, ` well."`, "error", "data: [DONE]\n\n"},
		{NoSentinel, never, 200, ` well."`, "[DONE]", `"finish_reason":"stop"}]}` + "\n\n"},
		{ToolCall, never, 200, `"tool_calls":[`, "well", "data: [DONE]\n\n"},
		{LongSilence, never, 200, strings.Repeat(": keep-alive\n\n", 2), "error", "data: [DONE]\n\n"},
		{BadKey, never, 401, "invalid_api_key", "data:", "}}"},
		{TooMany, never, 429, "rate_limit_exceeded", "data:", "}}"},
		{SilentLater, ` that"`, 200, ` that"`, "ends", ""},
		{AliveOnly, "keep-alive", 200, ` that"`, "ends", ""},
		{CleanClose, never, 200, ` that"`, "ends", `"finish_reason":null}]}` + "\n\n"},
		{ErrorFirst, never, 200, "server_is_overloaded", "choices", "}}\n\n"},
		{ErrorFinish, never, 200, `"finish_reason":"error"`, "ends", "data: [DONE]\n\n"},
		{TornFrame, never, 200, `"content":"en` + "\n\n", "ends", "data: [DONE]\n\n"},
		{Page, never, 200, "<!DOCTYPE html>", "data:", "</html>\n"},
		{NoAnswer, never, 200, `"finish_reason":"stop"`, "well", "data: [DONE]\n\n"},
		{LimitUsedUp, never, 200, `"finish_reason":"length"`, "well", "data: [DONE]\n\n"},
	} {
		t.Run(tc.ending.String(), func(t *testing.T) {
			g, client := start(t)
			status, body, err := ask(t, client, g.URL(tc.ending, "test"), tc.enough)
			require.NoError(t, err)
			require.Equal(t, tc.status, status)
			require.Contains(t, body, tc.has)
			require.NotContains(t, body, tc.lacks)
			require.True(t, strings.HasSuffix(body, tc.ends), body)
		})
	}
}

func TestReset(t *testing.T) {
	g, client := start(t)
	_, body, err := ask(t, client, g.URL(Reset, "test"), "\x00")
	require.Error(t, err)
	require.False(t, errors.Is(err, io.ErrUnexpectedEOF), "a reset, and not a mere close")
	require.Contains(t, body, ` that"`)
}

func TestUnreachable(t *testing.T) {
	g, client := start(t)
	_, _, err := ask(t, client, g.URL(Unreachable, "test"), "")
	require.Error(t, err)
}

func TestTooManyIsPerCaller(t *testing.T) {
	g, client := start(t)
	for _, tc := range []struct {
		caller string
		status int
	}{{"one", 429}, {"two", 429}, {"one", 200}, {"two", 200}, {"one", 200}} {
		status, _, err := ask(t, client, g.URL(TooMany, tc.caller), "\x00")
		require.NoError(t, err)
		require.Equal(t, tc.status, status, tc.caller)
	}
}

func TestNoSuchEnding(t *testing.T) {
	g, client := start(t)
	status, _, err := ask(t, client, g.URL(endingEnd, "test"), "\x00")
	require.NoError(t, err)
	require.Equal(t, 404, status)
}

// Close ends answers that would go on for ever, and waits for them.
func TestCloseEndsAll(t *testing.T) {
	quiet(t)
	g, err := Start()
	require.NoError(t, err)
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	var bodies []io.ReadCloser
	for _, e := range []Ending{SilentFirst, SilentLater, AliveOnly} {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, g.URL(e, "test"), strings.NewReader("{}"))
		require.NoError(t, err)
		resp, err := tr.RoundTrip(req)
		require.NoError(t, err)
		bodies = append(bodies, resp.Body)
	}
	require.NoError(t, g.Close())
	for _, b := range bodies {
		_, _ = io.Copy(io.Discard, b) // ends
		_ = b.Close()
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for e := range endingEnd {
		got, ok := ByName(e.String())
		require.True(t, ok)
		require.Equal(t, e, got)
		require.NotNil(t, scripts[e].play, e.String())
		require.False(t, seen[e.String()], e.String())
		seen[e.String()] = true
	}
	_, ok := ByName("none")
	require.False(t, ok)
}
