package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

// A client that goes ends the request to the upstream, before the answer and in it.
func TestClientGoes(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	for name, script := range map[string]endwelltest.Step{
		"before the answer": endwelltest.Hang(),
		"while it is held":  endwelltest.Script(w.Begin(), endwelltest.Hang()),
		"in the answer":     endwelltest.Script(w.Begin(), w.Text("one"), endwelltest.Hang()),
		"no stream":         endwelltest.Script(endwelltest.Header("Content-Type", "application/json"), endwelltest.Write("{"), endwelltest.Hang()),
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, endwelltest.NewGateway(script), Config{})
			ctx, cancel := context.WithCancel(within(t))
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				resp, err := b.post(ctx, chatPath, asking)
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			}()
			require.Eventually(t, func() bool { return b.Active() == 1 }, patience, time.Millisecond)
			cancel()
			<-gone
			require.Eventually(t, func() bool { return b.Active() == 0 }, patience, time.Millisecond)
			require.Eventually(t, func() bool { return strings.Contains(b.log.String(), "ending=canceled") }, patience, time.Millisecond)
			require.NotContains(t, b.metrics(t), `ending="failed"`)
		})
	}
}

// metrics asks for what is counted.
func (b *bench) metrics(t *testing.T) string {
	t.Helper()
	resp, err := http.NewRequestWithContext(within(t), http.MethodGet, b.url+"/metrics", nil)
	require.NoError(t, err)
	got, err := own().RoundTrip(resp)
	require.NoError(t, err)
	body, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	require.NoError(t, got.Body.Close())
	return string(body)
}

// An upstream that is killed with streams open: each client gets the error.
func TestUpstreamKilled(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	b := start(t, endwelltest.NewGateway(endwelltest.Script(w.Begin(), w.Text("one"), endwelltest.Hang())), Config{})
	const clients = 8
	var seen, done sync.WaitGroup
	seen.Add(clients)
	got := make([]answer, clients)
	for i := range got {
		done.Go(func() { got[i] = b.raw(t, chatPath, asking, "one", seen.Done) })
	}
	seen.Wait()
	require.Contains(t, b.metrics(t), "endwell_open_streams 8\n")
	b.Gateway.Close()
	done.Wait()
	for _, a := range got {
		require.True(t, a.aborted)
		require.Equal(t, "faulted", verdict(t, "openai", a).Fault.String())
	}
	require.Eventually(t, func() bool { return strings.Contains(b.metrics(t), "endwell_open_streams 0\n") }, patience, time.Millisecond)
	failed := 0
	for line := range strings.Lines(b.metrics(t)) {
		if strings.Contains(line, `ending="failed"`) {
			n, err := strconv.Atoi(strings.TrimSpace(line[strings.LastIndex(line, " "):]))
			require.NoError(t, err)
			failed += n
		}
	}
	require.Equal(t, clients, failed)
}

// command is the command, with a proxy that listens, in this process.
type command struct {
	bench
	signals chan os.Signal
	code    chan int
}

// listening is the address in the line that the proxy logs when it listens.
var listening = regexp.MustCompile(`msg=listening url=http://(\S+)`)

// serving starts the command before a gateway.
func serving(t *testing.T, g *endwelltest.Gateway, args ...string) *command {
	t.Helper()
	c := &command{signals: make(chan os.Signal, 2), code: make(chan int, 1)}
	c.Gateway, c.log = g, new(sharedBuffer)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.code <- run(c.log, c.log, append([]string{"-listen", "127.0.0.1:0", "-upstream", g.URL}, args...), c.signals)
	}()
	t.Cleanup(func() {
		close(c.signals)
		g.Close()
		<-ended
	})
	require.Eventually(t, func() bool { return listening.MatchString(c.log.String()) }, patience, time.Millisecond, c.log)
	c.addr = listening.FindStringSubmatch(c.log.String())[1]
	c.url = "http://" + c.addr
	return c
}

// A proxy that is stopped lets open streams end, and takes no more.
func TestStopDrains(t *testing.T) {
	leaktest.Check(t)
	goOn := make(chan struct{})
	w := endwelltest.OpenAI
	held := endwelltest.Script(w.Begin(), endwelltest.Wait(goOn), w.Text("one"), w.Finish("stop"), w.Done())
	c := serving(t, endwelltest.NewGateway(held))
	got := make(chan answer, 1)
	go func() { got <- c.raw(t, chatPath, asking, "", nil) }()
	require.Eventually(t, func() bool { return c.Active() == 1 }, patience, time.Millisecond)
	c.signals <- syscall.SIGTERM
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", c.addr)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, patience, time.Millisecond)
	goOn <- struct{}{}
	a := <-got
	require.False(t, a.aborted)
	require.False(t, a.head.Close, "of a stream whose header comes while the proxy stops")
	require.Nil(t, verdict(t, "openai", a))
	require.Equal(t, exitStopped, <-c.code)
	require.NotContains(t, c.log.String(), "aborted")
}

// What does not end in time, or when a second signal comes, is aborted, and its client
// knows: before the first output by a status.
func TestStopAborts(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	for name, row := range map[string]struct {
		args    []string
		signals int
	}{
		"in time":       {[]string{"-drain", "0s"}, 1},
		"second signal": {[]string{"-drain", "1h"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := endwelltest.NewGateway()
			g.On("said", endwelltest.Script(w.Begin(), w.Text("one"), endwelltest.Hang()))
			g.On("held", endwelltest.Script(w.Begin(), endwelltest.Hang()))
			g.On("silent", endwelltest.Hang())
			c := serving(t, g, row.args...)
			got := map[string]*answer{"/said": {}, "/held": {}, "/silent": {}}
			var seen, done sync.WaitGroup
			seen.Add(1)
			for path, a := range got {
				done.Go(func() { *a = c.raw(t, path+chatPath, asking, "one", seen.Done) })
			}
			seen.Wait()
			require.Eventually(t, func() bool { return c.Active() == 3 }, patience, time.Millisecond)
			for range row.signals {
				c.signals <- syscall.SIGTERM
			}
			done.Wait()
			require.Equal(t, exitStopped, <-c.code)
			for path, a := range got {
				require.False(t, a.head.Close)
				say := verdict(t, "openai", *a)
				require.True(t, say.Transient, path)
				if path == "/said" {
					require.True(t, a.aborted)
					require.Equal(t, "faulted", say.Fault.String())
				} else {
					require.Equal(t, 502, a.head.StatusCode)
					require.Equal(t, "1", a.head.Header.Get("Retry-After"))
				}
			}
			require.Contains(t, c.log.String(), "count=3")
			require.Contains(t, c.log.String(), "msg=stopped")
		})
	}
}

// A client that does not read does not keep a proxy from stopping.
func TestStopWithADeafClient(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	c := serving(t, endwelltest.NewGateway(endwelltest.Script(w.Begin(), endwelltest.Repeat(-1, 0, w.Text(strings.Repeat("x", 64<<10))))), "-drain", "0s")
	conn, err := net.Dial("tcp", c.addr)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "POST "+chatPath+" HTTP/1.1\r\nHost: "+c.addr+"\r\nContent-Length: "+itoa(len(asking))+"\r\n\r\n"+asking)
	one := make([]byte, 1)
	_, err = conn.Read(one)
	require.NoError(t, err)
	c.signals <- syscall.SIGTERM
	require.Equal(t, exitStopped, <-c.code)
}

// A request on a connection that was open when the proxy began to stop is refused.
func TestStoppingRefuses(t *testing.T) {
	leaktest.Check(t)
	b := start(t, endwelltest.NewGateway(endwelltest.OpenAI.Answer("hello")), Config{})
	require.True(t, b.proxy.Drain(within(t)))
	got := b.raw(t, "/v1/messages", asking, "", nil)
	require.Equal(t, 502, got.head.StatusCode)
	require.True(t, got.head.Close)
	require.Contains(t, got.body, `"type":"error"`)
	require.Zero(t, b.Count())
}

// Over HTTP/1.0 the close of the connection is the body's end, so a fault is a reset.
func TestFaultOverHTTP10(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	g := endwelltest.NewGateway()
	g.On("cut", endwelltest.Script(w.Begin(), w.Text("one")))
	g.On("whole", w.Answer("one"))
	b := start(t, g, Config{})
	for path, whole := range map[string]bool{"/cut": false, "/whole": true} {
		c, err := net.Dial("tcp", b.addr)
		require.NoError(t, err)
		require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
		_, _ = io.WriteString(c, "POST "+path+chatPath+" HTTP/1.0\r\nHost: "+b.addr+"\r\nContent-Length: "+itoa(len(asking))+"\r\n\r\n"+asking)
		_, err = io.Copy(io.Discard, c)
		require.Equal(t, whole, err == nil, "%s: %v", path, err)
		require.Equal(t, !whole, errors.Is(err, syscall.ECONNRESET))
		require.NoError(t, c.Close())
	}
}
