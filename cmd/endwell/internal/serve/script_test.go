package serve

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

// played is the body that a script writes on a wire, as far as it comes.
func played(t *testing.T, w endwelltest.Wire, text string) (*http.Response, string) {
	t.Helper()
	s, err := parse(text)
	require.NoError(t, err)
	g := endwelltest.NewGateway(s.next(nil, w))
	defer g.Close()
	resp, err := g.Client().Post(g.URL, "application/json", nil)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, _ := io.ReadAll(resp.Body)
	return resp, string(b)
}

func TestSteps(t *testing.T) {
	leaktest.Check(t)
	for _, tc := range []struct{ name, script, says string }{
		{"words", "text All's well", `"content":"well "`},
		{"quoted words", `text "All's" " \u0077ell"`, `"content":" well"`},
		{"a comment", "text All's # well", `"content":"All's "`},
		{"a # in quotes", `text "#1"`, `"content":"#1"`},
		{"carriage returns", "begin\r\ntext All's\r\n", `"content":"All's "`},
		{"a tool call", `tool call_1 weather "{\"city\":" "\"Oslo\"}"`, `"arguments":"\"Oslo\"}"`},
		{"the usual finish", "finish", `"finish_reason":"stop"`},
		{"another finish", "finish length", `"finish_reason":"length"`},
		{"an answer", "answer All's well.", "[DONE]"},
		{"a keep-alive", "keepalive", ": keep-alive\n\n"},
		{"keep-alives", "keepalive 2 1ms", ": keep-alive\n\n: keep-alive\n\n"},
		{"the usual fault", "fault", `"code":"server_error"`},
		{"another fault", `fault slow_down "Wait."`, `"message":"Wait."`},
		{"a refusal", "refuse 401", `"code":"invalid_api_key"`},
		{"a named ending", "ending error-frame", `"code":"server_error"`},
		{"bytes", `write "data: x\n\n"`, "data: x\n\n"},
		{"a cut", "cut 3\nwrite abcdef", "abc"},
		{"a cut and more", "cut 3 write !\nwrite abcdef", "abc!"},
		{"pauses", "slowly 0s\nevery 1ms\ndelay 1ms\nflush\nwrite abc\nend\nwrite d", "abc"},
		{"a page", "page", "Sign in"},
		{"a sentinel", "done", "[DONE]"},
		{"no HTTP", `raw "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"`, "ok"},
		{"an abort", "write abc\nflush\nabort", "abc"},
		{"a hangup", "write abc\nflush\nhangup", "abc"},
		{"a reset", "write abc\ndelay 50ms\nreset", "abc"},
		{"HTTP/2's words over HTTP/1.1", "going-away\nwrite abc\nflush\ngoaway 0x2", "abc"},
		{"a stream's reset over HTTP/1.1", "write abc\nflush\nreset-stream", "abc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, said := played(t, endwelltest.OpenAI, tc.script)
			require.Contains(t, said, tc.says)
		})
	}
}

func TestStepsOfTheHeader(t *testing.T) {
	leaktest.Check(t)
	resp, said := played(t, endwelltest.Anthropic, "early-hints\nstatus 202\nheader X-One 1\ntrailer X-Two 2\ngzip\ngarbage 10\n")
	require.Equal(t, http.StatusAccepted, resp.StatusCode)
	require.Equal(t, "1", resp.Header.Get("X-One"))
	require.Equal(t, "2", resp.Trailer.Get("X-Two"))
	require.Equal(t, "gzip", resp.Header.Get("Content-Encoding"))
	require.NotEmpty(t, said)
}

func TestBadScripts(t *testing.T) {
	for _, tc := range []struct{ name, script, says string }{
		{"no such step", "begn", `line 1: there is no step "begn"`},
		{"words missing", "begin\ntext", "line 2: text needs more"},
		{"words too many", "begin now", "begin takes at most 0"},
		{"a quote left open", `text "All's`, "double quotes"},
		{"no number", "cut some", `"some" is no number`},
		{"less than nothing", "cut -1", "-1"},
		{"less than no garbage", "garbage -1", "-1"},
		{"no such step after a cut", "cut 3 begn", `"begn"`},
		{"no duration", "delay 3", `"3" is no duration`},
		{"time that runs backwards", "delay -1s", "no duration"},
		{"no duration of a pulse", "keepalive 3 fast", "no duration"},
		{"no number of pulses", "keepalive few 1s", "no number"},
		{"no status", "status 20", "no status"},
		{"no status of a refusal", "refuse never", "no number"},
		{"a status that nobody can send", "refuse 99999", "no status"},
		{"no code", "goaway -1", "32 bits"},
		{"no such ending", "ending staled", "stalled"},
		{"a number of many digits", "cut 99999999999999999999999", "no number"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parse(tc.script)
			require.ErrorContains(t, err, tc.says)
		})
	}
}

// FuzzScript reads anything, and makes steps of what it could read.
func FuzzScript(f *testing.F) {
	_, example, _ := strings.Cut(scriptUsage, "cut:\n")
	for _, seed := range []string{example, "", "---", "\"", "cut 1 cut 2 cut 3 abort", "tool a b \"\\xff\"", "goaway 0xffffffff\n---\n---"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse(text)
		if err != nil {
			require.Nil(t, s)
			return
		}
		for range len(s.attempts) + 1 {
			_ = s.next(nil, endwelltest.Responses)
		}
	})
}

// TestUsageIsTrue parses the example of the help, and finds each step in it.
func TestUsageIsTrue(t *testing.T) {
	_, example, ok := strings.Cut(scriptUsage, "then cut:\n")
	require.True(t, ok)
	s, err := parse(example)
	require.NoError(t, err)
	require.Len(t, s.attempts, 2)
	for name := range verbs {
		require.Contains(t, scriptUsage, name)
	}
}
