//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
)

// asMain makes the test's own binary the command.
const asMain = "ENDWELL_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command is the real program in a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), asMain+"=1")
	return cmd
}

// A proxy that gets SIGTERM lets an open stream end; one that gets it twice aborts it,
// and the client sees the error. Both stop with code 0.
func TestProxyStops(t *testing.T) {
	w := endwelltest.OpenAI
	for name, signals := range map[string]int{"drains": 1, "aborts": 2} {
		t.Run(name, func(t *testing.T) {
			goOn := make(chan struct{})
			g := endwelltest.NewGateway(endwelltest.Script(w.Begin(), w.Text("one"), endwelltest.Wait(goOn), w.Finish("stop"), w.Done()))
			defer g.Close()
			cmd := command(t, "proxy", "-listen", "127.0.0.1:0", "-upstream", g.URL, "-record", filepath.Join(t.TempDir(), "tapes"))
			stderr, err := cmd.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			log := bufio.NewReader(stderr)
			url := field(t, until(t, log, "listening"), "url=")

			resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true}`))
			require.NoError(t, err)
			defer func() { _ = resp.Body.Close() }()
			body := bufio.NewReader(resp.Body)
			until(t, body, "one")
			for i := range signals {
				require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
				until(t, log, []string{"may end", "are aborted"}[i])
			}
			if signals == 1 {
				goOn <- struct{}{}
			}
			rest, err := io.ReadAll(body)
			require.Equal(t, signals == 1, err == nil, "%v", err)
			require.Equal(t, signals == 1, strings.Contains(string(rest), "[DONE]"))
			require.Equal(t, signals == 2, strings.Contains(string(rest), `"error"`))
			until(t, log, "msg=stopped")
			require.NoError(t, cmd.Wait())
		})
	}
}

// until reads lines until one holds a text, and returns that.
func until(t *testing.T, r *bufio.Reader, text string) string {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if strings.Contains(line, text) {
			return line
		}
		require.NoError(t, err, "%q does not come", text)
	}
}

func field(t *testing.T, line, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(line, name)
	require.True(t, ok, line)
	value, _, _ := strings.Cut(rest, " ")
	return strings.TrimSpace(value)
}

func TestUsage(t *testing.T) {
	for _, row := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "endwell record URL"},
		{[]string{"help"}, 0, "endwell proxy"},
		{[]string{"help", "proxy"}, 0, "Usage: endwell proxy"},
		{[]string{"help", "demo"}, 0, "Usage: endwell demo"},
		{[]string{"help", "help"}, 2, "unknown command \"help\""},
		{[]string{"-h"}, 0, "Usage: endwell COMMAND"},
		{[]string{"check"}, 2, "Usage: endwell check"},
		{[]string{"dialects", "-h"}, 0, "Usage: endwell dialects"},
		{[]string{"gateway", "-h"}, 0, "Usage: endwell gateway"},
		{[]string{"proxy", "-h"}, 0, "OPENAI_BASE_URL"},
		{[]string{"record"}, 2, "Usage: endwell record"},
		{[]string{"nonsense"}, 2, "unknown command \"nonsense\"; endwell help lists"},
	} {
		cmd := command(t, row.args...)
		out, _ := cmd.CombinedOutput()
		require.Equal(t, row.code, cmd.ProcessState.ExitCode())
		require.Contains(t, string(out), row.says)
	}
}
