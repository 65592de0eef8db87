package clients

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// Outcome is what came of a call.
type Outcome struct {
	// Text is what the program heard.
	Text string
	// Err is what the SDK returned.
	Err error
	// Ending is what a transport.Ending said; nil without endwell.
	Ending error
	// Hung says that the call was given up.
	Hung bool
	// Held says that the connection was still in use when the SDK was done with an
	// answer that the program closed.
	Held bool
	// Asked is how often the gateway was asked.
	Asked int
}

const (
	// silence is how long a guarded client waits for an answer that has stalled.
	silence = 500 * time.Millisecond
	// patience is how long is waited for what is known not to happen, and long for
	// what should.
	patience = time.Second
	long     = 30 * time.Second
)

// Run has a client ask once, as it is or guarded.
func Run(c Client, e Ending, guarded bool) Outcome {
	g := endwelltest.NewGateway(e.script(c.Wire))
	defer g.Close()
	if e.Nowhere {
		g.Close()
	}
	h, closeIdle := newClient(c, e, guarded)
	defer closeIdle()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx, ending := transport.WithEnding(ctx)
	var hung atomic.Bool
	late := time.AfterFunc(limit(e, guarded), func() { hung.Store(true); cancel() })
	defer late.Stop()
	var text strings.Builder
	err := c.Ask(ctx, g.URL, h, func(piece string) bool {
		text.WriteString(piece)
		if e.Stop == Cancels {
			cancel()
		}
		return e.Stop != Closes
	})
	return Outcome{
		Text: text.String(), Err: err, Ending: ending.Err(), Hung: hung.Load(),
		Held: e.Stop == Closes && !left(g, c.Keeps), Asked: g.Count(),
	}
}

// limit is how long a call is waited for.
func limit(e Ending, guarded bool) time.Duration {
	if !guarded && e.Fault == endwell.Stalled {
		return patience
	}
	return long
}

// newClient is the client that the SDK is given, with a pool of its own.
func newClient(c Client, e Ending, guarded bool) (h *http.Client, closeIdle func()) {
	pool := http.DefaultTransport.(*http.Transport).Clone()
	var base http.RoundTripper = pool
	if c.Below != nil {
		base = c.Below(base)
	}
	if guarded {
		base = transport.Wrap(base, c.config(e))
	}
	if c.Above != nil {
		base = c.Above(base)
	}
	return &http.Client{Transport: base}, pool.CloseIdleConnections
}

// config is the zero config, with short bounds where an answer stalls. That on the first
// output is short only where none comes, or a busy machine would have an answer stall
// before it begins, of which a program may hear otherwise.
func (c Client) config(e Ending) transport.WrapConfig {
	cfg := transport.WrapConfig{}
	if e.Fault == endwell.Stalled {
		bounds := middleware.Bounds{Idle: silence, Progress: silence}
		if silent(e) {
			bounds.First = silence
		}
		cfg.Chain = middleware.Standard(middleware.Config{Stall: middleware.StallConfig{Bounds: bounds}})
	}
	return cfg
}

// left waits until the gateway sees that the client has gone.
func left(g *endwelltest.Gateway, k Keeps) bool {
	wait := long
	if k&Connection != 0 {
		wait = patience
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for g.Active() > 0 {
		select {
		case <-again.C:
		case <-late.C:
			return false
		}
	}
	return true
}
