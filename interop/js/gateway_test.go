package js_test

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// said is what every answer says, as far as it comes.
const said = "All's well that ends well."

// ending is a way for a call to go.
type ending struct {
	name  string
	what  string
	path  string // below the gateway, or down
	fault endwell.Fault
	early bool // nothing has been put out yet
}

func (e ending) whole() bool { return e.fault == 0 }

// down is the path of nobody.
const down = "/down"

// apart are endings that have nothing to add here: words of HTTP/2, which are others
// over HTTP/1.1, more of the same, and a status 103, which nginx 1.22 takes for the
// answer, so that what comes behind it is the next one's.
var apart = map[string]bool{
	"early-hints": true,
	"goaway":      true, "going-away": true, "reset-stream": true,
	"refused-400": true, "refused-403": true, "refused-404": true, "refused-503": true,
}

// beforeOutput are endings of which the gateway has none: an answer has begun and put
// nothing out yet.
var beforeOutput = []struct {
	ending
	step endwelltest.Step
}{
	{ending{name: "cut-early", what: "The body ends cleanly before the first output.", fault: endwell.Truncated}, endwelltest.End()},
	{ending{name: "abort-early", what: "The answer breaks off before the first output.", fault: endwell.Broken}, endwelltest.Abort()},
	{ending{name: "hangup-early", what: "The connection is closed before the first output, with a FIN.", fault: endwell.Broken}, endwelltest.Hangup()},
	{ending{name: "reset-early", what: "The connection is reset before the first output.", fault: endwell.Broken}, endwelltest.Script(endwelltest.Delay(100*time.Millisecond), endwelltest.Reset())},
	{ending{name: "stalled-early", what: "The answer stops before the first output, and the connection stays open.", fault: endwell.Stalled}, endwelltest.Hang()},
}

// begun is an answer that has begun.
func begun(then endwelltest.Step) endwelltest.Step {
	return endwelltest.Choose(func(r *http.Request) endwelltest.Step {
		w, _, _ := endwelltest.WireOf(r)
		return endwelltest.Script(w.Begin(), w.KeepAlive(), endwelltest.Flush(), then)
	})
}

// endings are the ways, in the order of the tables.
func endings() (all []ending) {
	for _, e := range endwelltest.Endings() {
		if !apart[e.Name] {
			all = append(all, ending{
				name: e.Name, what: e.What, path: "/" + e.Name, fault: e.Fault, early: early[e.Name] || e.Fault == endwell.Refused || e.Fault == endwell.Unreachable || e.Fault == endwell.Empty,
			})
		}
	}
	for _, e := range beforeOutput {
		e.path, e.early = "/"+e.name, true
		all = append(all, e.ending)
	}
	return append(all, ending{name: "down", what: "Nobody listens.", path: down, fault: endwell.Unreachable, early: true})
}

// early are those of the gateway's endings that come before any output although their
// fault does not say so.
var early = map[string]bool{"silent": true, "unread": true, "slow-header": true, "error-first": true, "html": true}

// gateway ends an answer as the path says, and counts who asks for what.
type gateway struct {
	*endwelltest.Gateway
	mu    sync.Mutex
	asked map[string]int // by the name of the ending
}

func newGateway(t *testing.T) *gateway {
	g := &gateway{asked: map[string]int{}}
	named := g.counting(endwelltest.Named(endwelltest.NamedConfig{}))
	g.Gateway = endwelltest.NewGateway(named)
	t.Cleanup(g.Close)
	for _, e := range beforeOutput {
		g.On(e.name, g.counting(begun(e.step)))
	}
	return g
}

// counts is how often each ending was asked for.
func (g *gateway) counts() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.asked)
}

// thinking is how long the gateway takes to answer. Caddy 2.6, as other servers do that
// are not full-duplex, cuts an answer that begins before it is done with the request,
// as an answer may that comes from the same machine.
const thinking = 50 * time.Millisecond

// counting is a step that counts.
func (g *gateway) counting(s endwelltest.Step) endwelltest.Step {
	return endwelltest.Choose(func(r *http.Request) endwelltest.Step {
		name, _, _ := strings.Cut(r.URL.Path[1:], "/")
		g.mu.Lock()
		defer g.mu.Unlock()
		g.asked[name]++
		if name == "unread" {
			return s
		}
		return endwelltest.Script(endwelltest.Delay(thinking), s)
	})
}
