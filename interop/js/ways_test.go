package js_test

import (
	"bufio"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// The stall bounds of the proxies: a machine that is slow is not a stall, and where
// there is one, nobody has to wait long for it.
const (
	bound = "4s"
	wide  = "1m"
)

// through are the ways through the proxy: what stands between it and the gateway.
var through = []string{"proxy", "nginx → proxy", heldBack, "caddy → proxy"}

// heldBack is the way on which text waits until there is more of it, and is gone when
// the answer breaks before.
const heldBack = "nginx, as it comes → proxy"

// way is a way to the gateway. The first one is direct.
type way struct {
	url   string
	hasty string // in place of url, where an answer will stall
	down  string // in place of url, where nobody shall listen at the end
}

func (w way) base(e ending) string {
	switch {
	case e.path == down:
		return w.down
	case e.fault == endwell.Stalled:
		return w.hasty + e.path
	default:
		return w.url + e.path
	}
}

// newWays starts what stands in between.
func newWays(t *testing.T, gateway string) []way {
	nobody, bin := "http://"+unused(t), build(t)
	nginx, plain := newNginx(t, gateway, nobody)
	ways := []way{{gateway, gateway, nobody}}
	for _, upstream := range []string{gateway, nginx, plain, newCaddy(t, gateway, nobody)} {
		w := way{url: newProxy(t, bin, upstream, wide), hasty: newProxy(t, bin, upstream, bound)}
		w.down = w.url + down
		if upstream == gateway {
			w.down = newProxy(t, bin, nobody, wide)
		}
		ways = append(ways, w)
	}
	return ways
}

// build builds the command.
func build(t *testing.T) string {
	bin := filepath.Join(t.TempDir(), "endwell")
	out, err := exec.Command("go", "build", "-C", "../..", "-o", bin, "./cmd/endwell").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

// listening is the address in the line that the proxy logs when it listens.
var listening = regexp.MustCompile(`msg=listening url=(\S+)`)

// newProxy starts a proxy and returns its URL. When the test ends the proxy has to end
// well, too, and to have kept the key to itself.
func newProxy(t *testing.T, bin, upstream, bound string) string {
	cmd := exec.Command(bin, "proxy", "-listen", "127.0.0.1:0", "-upstream", upstream, "-first", bound, "-idle", bound, "-progress", bound)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var log strings.Builder
	var read sync.WaitGroup
	t.Cleanup(func() {
		stop(t, cmd, read.Wait)
		require.True(t, cmd.ProcessState.Success(), "%v\n%s", cmd.ProcessState, log.String())
		for _, word := range []string{"not-a-real-key", "panic", "goroutine"} {
			require.NotContains(t, log.String(), word)
		}
	})
	url := make(chan string, 1)
	read.Go(func() {
		defer close(url)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			log.WriteString(lines.Text() + "\n")
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				url <- m[1]
			}
		}
	})
	u := <-url
	require.NotEmpty(t, u, "the proxy did not start")
	return u
}

// unused is an address of this machine at which nobody listens.
func unused(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}
