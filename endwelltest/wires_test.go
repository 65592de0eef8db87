package endwelltest_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	. "github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// verdict asks a gateway through the standard stack. Time passes quickly from the
// first emission on, or from the beginning if there shall be none.
func verdict(t *testing.T, g *Gateway, d *dialects.Dialect, e Ending) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	clk := new(clock.Fake)
	next := middleware.Standard(middleware.Config{Clock: clk})(transport.New(transport.Config{
		URL: g.URL + "/v1", Client: g.Client(), Dialect: d,
	}))
	done, hurry := make(chan struct{}), make(chan struct{})
	var said string
	var end error
	go func() {
		defer close(done)
		s, err := next.Open(ctx, &endwell.Request{Payload: `{"stream":true}`})
		if err != nil {
			end = err
			return
		}
		defer func() { _ = s.Close() }()
		for end == nil {
			var c endwell.Chunk
			c, end = s.Recv()
			said += c.Text
			if c.Text != "" && said == "hello" && e.Fault == endwell.Stalled {
				close(hurry)
			}
		}
	}()
	if slices.Contains(speechless, e.Name) && e.Fault == endwell.Stalled {
		require.Eventually(t, func() bool { return g.Active() > 0 }, 2*time.Minute, time.Millisecond)
	} else {
		select {
		case <-done:
		case <-hurry:
		}
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			require.NoError(t, ctx.Err(), "it hangs")
			return said, end
		case <-tick.C:
			clk.Advance(time.Minute)
		}
	}
}

// TestNamedEndings asks for each ending on each wire, with the dialect named and with
// it detected.
func TestNamedEndings(t *testing.T) {
	for _, e := range Endings() {
		for version, start := range versions {
			t.Run(e.Name+"/"+version, func(t *testing.T) {
				quiet(t)
				var all sync.WaitGroup
				defer all.Wait()
				for _, w := range Wires() {
					if e.Name == "endless-header" && w != OpenAI {
						continue // 10 MiB each, and the same on every wire
					}
					for how, d := range map[string]*dialects.Dialect{"named": dialects.MustByName(w.Dialect()), "detected": nil} {
						all.Go(func() {
							t.Run(w.String()+"/"+how, func(t *testing.T) {
								g := start(e.Step(w, "hel", "lo"))
								defer g.Close()
								said, err := verdict(t, g, d, e)
								requireEnding(t, e, said, err)
							})
						})
					}
				}
			})
		}
	}
}

// speechless are the endings before which nothing is said.
var speechless = []string{"silent", "unread", "slow-header", "error-first", "html"}

func requireEnding(t *testing.T, e Ending, said string, err error) {
	t.Helper()
	if e.Whole() {
		require.Equal(t, io.EOF, err)
		require.Equal(t, "hello", said)
		return
	}
	var failed *endwell.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, e.Fault, failed.Fault, "%v, in its own words: %v", err, failed.Unredacted())
	require.Equal(t, e.Category, failed.Category, "%v", err)
	want := "hello"
	switch e.Fault {
	case endwell.Unreachable, endwell.Refused, endwell.Empty:
		want = ""
	}
	if slices.Contains(speechless, e.Name) {
		want = ""
	}
	if e.Fault == endwell.Broken {
		require.True(t, strings.HasPrefix(want, said), "%q", said) // a client may drop what it has not handed out
		return
	}
	require.Equal(t, want, said)
}

// No provider knows how long a stream is, and a client that is told so takes a cut answer
// for all of it. Whoever wants a length says so.
func TestStreamsHaveNoLength(t *testing.T) {
	for _, w := range Wires() {
		for _, length := range []string{"", "4096"} {
			steps := []Step{w.Begin(), w.Text("hi")}
			if length != "" {
				steps = append([]Step{Header("Content-Length", length)}, steps...)
			}
			g := NewGateway(Script(steps...))
			resp, err := g.Client().Post(g.URL, "application/json", strings.NewReader("{}"))
			require.NoError(t, err)
			require.Equal(t, length, resp.Header.Get("Content-Length"), "%v", w)
			_ = resp.Body.Close()
			g.Close()
		}
	}
}
