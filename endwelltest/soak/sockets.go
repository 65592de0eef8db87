package soak

import (
	"crypto/tls"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// sockets is a provider over loopback: gateways of the test kit, on all of its wires
// with all of its named endings.
type sockets struct {
	wires  []endwelltest.Wire
	ends   [http2 + 1][]ending
	bodies map[bodyKey]string // of the answers that are whole
	gates  [http2 + 1]*endwelltest.Gateway
	client [http2 + 1]*http.Transport
}

// ending is a named ending and how often it is chosen, in thousandths of the others.
type ending struct {
	endwelltest.Ending
	weight int
}

type bodyKey struct {
	wire endwelltest.Wire
	name string
}

// wellKnown is what is said over sockets.
var wellKnown = []string{"All's", " well", " that", " ends", " well."}

// Rare endings hold a connection until the gateway closes, or send a header that is
// very long.
var rare = []string{"half-open", "unread", "endless-header"}

// unspoken are endings that say something else over HTTP/2, or that cost too much.
var unspoken = []string{"not-http", "endless-header", "slow-header", "unread", "reset-stream"}

// alone are the endings of a whole connection of HTTP/2, or with frames that are written
// past the server: they need one of their own.
var alone = []string{"going-away", "hangup", "reset", "goaway", "half-open", "dropped"}

// mute are the endings before which nothing is said.
var mute = []string{
	"silent", "unread", "slow-header", "error-first", "html", "empty", "no-text", "dropped", "endless-header", "not-http",
}

// newSockets starts the gateways, unless no stream needs them.
func newSockets(share float64, find func(string) *attempt) *sockets {
	k := &sockets{wires: endwelltest.Wires()}
	for _, e := range endwelltest.Endings() {
		weight := 1000
		if slices.Contains(rare, e.Name) {
			weight = 2
		}
		k.ends[http1] = append(k.ends[http1], ending{e, weight})
		if !slices.Contains(unspoken, e.Name) {
			k.ends[http2] = append(k.ends[http2], ending{e, weight})
		}
	}
	if share <= 0 {
		return k
	}
	script := endwelltest.Choose(func(r *http.Request) endwelltest.Step {
		if at := find(r.Header.Get(header)); at != nil {
			return at.act.named.Step(at.act.wire, wellKnown...)
		}
		return endwelltest.Abort()
	})
	for l, start := range map[lane]func(...endwelltest.Step) *endwelltest.Gateway{
		http1: endwelltest.NewGateway, http2: endwelltest.NewHTTP2Gateway,
	} {
		k.gates[l] = start(script)
		k.client[l] = k.gates[l].Client().Transport.(*http.Transport)
		k.client[l].MaxIdleConnsPerHost = 256
		k.client[l].MaxResponseHeaderBytes = 64 << 10
	}
	k.bodies = learned()
	return k
}

// learned asks once for each whole answer, past everything that is under test.
var learned = sync.OnceValue(func() map[bodyKey]string {
	var mu sync.Mutex
	var work sync.WaitGroup
	bodies := map[bodyKey]string{}
	for _, w := range endwelltest.Wires() {
		for _, e := range endwelltest.Endings() {
			if !e.Whole() || e.Name == "gzip" {
				continue
			}
			work.Go(func() {
				body := askFor(w, e)
				mu.Lock()
				defer mu.Unlock()
				bodies[bodyKey{w, e.Name}] = body
			})
		}
	}
	work.Wait()
	for _, w := range endwelltest.Wires() {
		bodies[bodyKey{w, "gzip"}] = bodies[bodyKey{w, "whole"}]
	}
	return bodies
})

// askFor returns the body of an answer.
func askFor(w endwelltest.Wire, e endwelltest.Ending) string {
	g := endwelltest.NewGateway(e.Step(w, wellKnown...))
	defer g.Close()
	resp, err := g.Client().Post(g.URL+w.Path(), "application/json", strings.NewReader(asking))
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}

func (k *sockets) close() {
	for _, l := range [...]lane{http1, http2} {
		if k.gates[l] != nil {
			k.client[l].CloseIdleConnections()
			k.gates[l].Close()
		}
	}
}

// transport is the transport for an attempt, and whether it is one of its own.
func (k *sockets) transport(l lane, a *act) (t *http.Transport, own bool) {
	if l != http2 || !slices.Contains(alone, a.named.Name) {
		return k.client[l], false
	}
	return &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: k.client[http2].TLSClientConfig.RootCAs},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}, true
}

func (k *sockets) wire(r *chance) endwelltest.Wire { return k.wires[r.IntN(len(k.wires))] }

// act chooses an ending.
func (k *sockets) act(r *chance, w endwelltest.Wire, l lane, early bool) *act {
	for {
		e := &k.ends[l][r.IntN(len(k.ends[l]))]
		if r.IntN(1000) >= e.weight || early && e.Whole() {
			continue
		}
		return &act{named: &e.Ending, wire: w}
	}
}

// namedVerdict is the oracle for a named ending.
func (a *act) namedVerdict() verdict {
	e := a.named
	v := verdict{fault: e.Fault, category: e.Category, text: strings.Join(wellKnown, "")}
	v.transient = transient(e.Category) || e.Fault == endwell.Truncated || e.Fault == endwell.Empty
	v.emitted = !slices.Contains(mute, e.Name) && e.Fault != endwell.Refused
	if !v.emitted {
		v.text = ""
	}
	if e.Whole() {
		v.settled = 1 // nobody knows where
	}
	v.vague = e.Fault == endwell.Broken || e.Name == "half-open"
	return v
}
