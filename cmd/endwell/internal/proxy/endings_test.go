package proxy

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// saidNothing are the endings before which nothing is said, so that they become a
// status.
var saidNothing = []string{
	"silent", "unread", "slow-header", "error-first", "html", "empty", "no-text", "dropped", "endless-header", "not-http",
}

// all reports whether a wire is tried with all endings; the others with a few.
func all(w endwelltest.Wire) bool { return w == endwelltest.OpenAI || w == endwelltest.Anthropic }

var few = []string{"whole", "cut", "reset", "error-frame", "error-first", "empty"}

// TestEndings asks for every ending, over HTTP/1.1 and HTTP/2 to the upstream, as a
// client that sees nothing but bytes: a whole answer ends, and everything else is an
// error document, or an error frame and a body without an end.
func TestEndings(t *testing.T) {
	leaktest.Check(t)
	for proto, gateway := range map[string]func(...endwelltest.Step) *endwelltest.Gateway{
		"HTTP/1.1": endwelltest.NewGateway, "HTTP/2": endwelltest.NewHTTP2Gateway,
	} {
		for _, w := range endwelltest.Wires() {
			for _, e := range endwelltest.Endings() {
				if !all(w) && !slices.Contains(few, e.Name) || e.Name == "byte-by-byte" || e.Name == "not-http" && proto == "HTTP/2" {
					continue
				}
				t.Run(proto+"/"+w.String()+"/"+e.Name, func(t *testing.T) {
					t.Parallel()
					ending(t, gateway(e.Step(w)), w, e)
				})
			}
		}
	}
}

func ending(t *testing.T, g *endwelltest.Gateway, w endwelltest.Wire, e endwelltest.Ending) {
	ctx, cancel := context.WithCancel(t.Context())
	clk, begin := new(clock.Fake), make(chan struct{})
	var driving sync.WaitGroup
	upfront := e.Fault == endwell.Refused || slices.Contains(saidNothing, e.Name)
	if e.Fault == endwell.Stalled {
		driving.Go(func() { drive(ctx, clk, begin) })
		if upfront {
			close(begin)
		}
	}
	defer driving.Wait()
	defer cancel()
	b := start(t, g, Config{Clock: clk})
	seen := func() {
		if !upfront {
			close(begin)
		}
	}
	got := b.raw(t, w.Path(), streaming(w), "well", seen, "Authorization", "Bearer "+testKey)
	require.False(t, got.head.Close)
	say := verdict(t, w.Dialect(), got)
	switch {
	case e.Whole():
		require.Nil(t, say)
		require.False(t, got.aborted)
		require.Equal(t, 200, got.head.StatusCode)
		return
	case upfront:
		require.GreaterOrEqual(t, got.head.StatusCode, 400, got.body)
		require.False(t, got.aborted)
		require.Equal(t, endwell.Refused, say.Fault)
	default:
		require.Equal(t, 200, got.head.StatusCode)
		require.True(t, got.aborted, "it looks like an end: %s", got.body)
		// Who reads no further than the sentinel still finds half a tool call.
		require.True(t, say.Fault == endwell.Faulted || e.Name == "tool-call-cut" && strings.Contains(got.body, `"error"`), got.body)
	}
	// Not every wire has a word for a connection that broke.
	if all(w) && say.Category != endwell.ServerError {
		require.Equal(t, e.Category, say.Category, got.body)
	}
	require.Contains(t, b.log.String(), "ending=failed")
	require.Contains(t, b.log.String(), "fault="+e.Fault.String())
	require.NotContains(t, b.log.String(), testKey)
}

// streaming is a request that asks for a stream; most wires ask by their path.
func streaming(endwelltest.Wire) string {
	return strings.Replace(asking, `"messages"`, `"input":"hi","messages"`, 1)
}
