package serve

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

// output is a writer that a test reads while the command writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start runs the command until the test ends, and returns its URL and what it says
// on standard error.
func start(t *testing.T, args ...string) (string, *output) {
	t.Helper()
	leaktest.Check(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	var stdout, stderr output
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- Run(ctx, &stdout, &stderr, append([]string{"-listen", "127.0.0.1:0"}, args...)) }()
	t.Cleanup(func() {
		cancel()
		require.Zero(t, <-done)
	})
	require.Eventually(t, func() bool { return address.MatchString(stdout.String()) }, 2*time.Minute, time.Millisecond, stderr.String())
	return address.FindString(stdout.String()), &stderr
}

// post posts and returns the status, the body as far as it came, and how it ended.
func post(t *testing.T, url, body string) (int, string, error) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

const streamed = `{"stream":true}`

func TestEndingsByPath(t *testing.T) {
	url, stderr := start(t)
	status, said, err := post(t, url+"/whole/v1/messages?key=sk-test-not-a-real-key", streamed)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, said, "message_stop")
	_, said, err = post(t, url+"/after=2/abort/v1/chat/completions", streamed)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Contains(t, said, `" well"`)
	require.NotContains(t, said, `" that"`)
	status, said, _ = post(t, url+"/staled/v1/messages", streamed)
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, said, "stalled")
	require.Contains(t, stderr.String(), `POST "/whole/v1/messages" 200 whole`)
	require.Contains(t, stderr.String(), `POST "/after=2/abort/v1/chat/completions" 200 abort`)
	require.Eventually(t, func() bool {
		return strings.Contains(stderr.String(), `POST "/staled/v1/messages" 404 no such ending or setting`)
	}, 2*time.Minute, time.Millisecond)
	require.NotContains(t, stderr.String(), "not-a-real-key")
}

func TestMenuNamesEverything(t *testing.T) {
	url, _ := start(t)
	resp, err := http.Get(url + "/")
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	for _, e := range endwelltest.Endings() {
		require.Contains(t, string(b), url+"/"+e.Name+" ")
		require.Contains(t, string(b), e.What)
	}
	for _, w := range endwelltest.Wires() {
		require.Contains(t, string(b), w.Path())
	}
}

func TestFlagsForPathsThatNameNothing(t *testing.T) {
	url, _ := start(t, "-ending", "refused-401", "-wire", "ollama")
	status, said, err := post(t, url+"/v1/generate", "{}")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, said, `{"error":"`)
	status, said, err = post(t, url+"/whole/v1/generate", "{}")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, said, `"done":true`)
}

func TestScriptByAttempt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(file, []byte("retry-after 1s\nrefuse 429 # too many\n---\nbegin\ntext All's well\nabort\n---\nanswer All's \"well.\"\n"), 0o600))
	url, _ := start(t, "-script", file)
	status, said, err := post(t, url+"/v1/messages", streamed)
	require.NoError(t, err)
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Contains(t, said, "rate_limit_error")
	_, said, err = post(t, url+"/v1/messages", streamed)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Contains(t, said, `"well "`)
	for range 2 {
		_, said, err = post(t, url+"/v1/chat/completions", streamed)
		require.NoError(t, err)
		require.Contains(t, said, `"well."`)
	}
}

// TestInterruptEndsOpenAnswers stops the command while a client waits.
func TestInterruptEndsOpenAnswers(t *testing.T) {
	leaktest.Check(t)
	var stdout output
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- Run(ctx, &stdout, io.Discard, []string{"-listen", "127.0.0.1:0"}) }()
	require.Eventually(t, func() bool { return address.MatchString(stdout.String()) }, 2*time.Minute, time.Millisecond)
	var clients sync.WaitGroup
	for _, name := range []string{"stalled", "keepalive-only", "half-open", "slow"} {
		resp, err := http.Post(address.FindString(stdout.String())+"/"+name+"/v1/messages", "", strings.NewReader(streamed))
		require.NoError(t, err)
		clients.Go(func() {
			_, err := io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			require.True(t, err != nil || name == "slow")
		})
	}
	cancel()
	require.Zero(t, <-done)
	clients.Wait()
	http.DefaultClient.CloseIdleConnections()
}

func TestWrongUsage(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.WriteFile(bad, []byte("begin\n\ntxet hi\n"), 0o600))
	blank := filepath.Join(t.TempDir(), "blank")
	require.NoError(t, os.WriteFile(blank, []byte("# nothing yet\n---\n"), 0o600))
	for _, tc := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"a flag that does not exist", []string{"-port", "1"}, exitUsage, "not defined: -port; endwell gateway -h explains"},
		{"a word", []string{"stalled"}, exitUsage, `unexpected argument "stalled"; endwell gateway -h explains`},
		{"no such ending", []string{"-ending", "staled"}, exitUsage, "stalled"},
		{"no such wire", []string{"-wire", "telex"}, exitUsage, "bedrock-invoke"},
		{"no such script", []string{"-script", bad + "2"}, exitUsage, "no such file"},
		{"a bad script", []string{"-script", bad}, exitUsage, `line 3: there is no step "txet"`},
		{"a script of nothing", []string{"-script", blank}, exitUsage, "there is no step in it"},
		{"within reach of others", []string{"-listen", ":0"}, exitUsage, "-public"},
		{"no port", []string{"-listen", "127.0.0.1"}, exitUsage, "host:port"},
		{"no such port", []string{"-listen", "127.0.0.1:99999"}, exitUsage, "port"},
		{"a port in use", []string{"-listen", inUse(t)}, exitFault, "choose another with -listen"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			leaktest.Check(t)
			var stderr bytes.Buffer
			require.Equal(t, tc.code, Run(context.Background(), io.Discard, &stderr, tc.args))
			require.Contains(t, stderr.String(), tc.says)
		})
	}
}

// inUse is an address at which somebody listens until the test ends.
func inUse(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

func TestHelp(t *testing.T) {
	var stdout bytes.Buffer
	require.Equal(t, exitDone, Run(context.Background(), &stdout, io.Discard, []string{"-h"}))
	require.True(t, strings.HasPrefix(stdout.String(), usage))
	require.True(t, strings.HasSuffix(stdout.String(), scriptUsage))
}
