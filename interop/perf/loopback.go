package perf

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/transport"
)

var loopback = Piece{
	Number: 6, Title: "Over sockets",
	About: "CPU time of the client's process, in the system too, per chunk; the server is another\n" +
		"process on loopback and flushes every frame. A client reads as it is and over\n" +
		"`transport.Wrap` with its zero config, in interleaved pairs; the ratio is the median of\n" +
		"the pairs'. The raw loop is net/http and `Body.Read`. Requests are part of it.",
	run: runLoopback,
}

func runLoopback(sec *Section, s Settings) error {
	url, stop, err := s.server()
	if err != nil {
		return err
	}
	defer stop()
	base := &http.Transport{MaxIdleConnsPerHost: s.connections()}
	defer base.CloseIdleConnections()
	for _, l := range loads(s.connections(), s.chunks()) {
		if err := l.run(sec, s, base, url); err != nil {
			return err
		}
	}
	return heapOfStreams(sec, s, url)
}

// load is how many streams are read at once, and how.
type load struct {
	streams, chunks int
	again           int // how often more, one after the other
	pause           time.Duration
	limits          [3]float64 // of the clients; 0 for no goal
}

// beyondPlain is what guarded clients may cost, of what they cost as they are.
var beyondPlain = [3]float64{1.25, 1.05, 1.05}

func loads(most, chunks int) []load {
	all := []load{
		{streams: 1, chunks: 2000, again: 9, limits: beyondPlain},
		{streams: min(100, most), chunks: 100, limits: beyondPlain},
		{streams: most, chunks: 50, limits: beyondPlain},
	}
	return append(all, load{streams: min(8, most), chunks: min(200, chunks/100), pause: time.Millisecond})
}

func (l load) String() string {
	s := fmt.Sprintf("%d streams of %d chunks", l.streams, l.chunks)
	if l.streams == 1 {
		s = fmt.Sprintf("one stream of %d chunks", l.chunks)
	}
	if l.pause > 0 {
		s += fmt.Sprintf(", a chunk each %v", l.pause)
	}
	return s
}

// caller reads one answer.
type caller struct {
	name string
	call func(ctx context.Context, url string, h *http.Client, b *decode.Body) error
}

func callers() []caller {
	return []caller{{"raw read loop", rawCall}, {"go-openai", sdkCall("go-openai")}, {"openai-go", sdkCall("openai-go, chat")}}
}

func rawCall(ctx context.Context, url string, c *http.Client, b *decode.Body) error {
	resp, err := c.Do(wires()[0].asking(ctx, url))
	if err != nil {
		return err
	}
	var h heard
	if err := drain(resp.Body, make([]byte, room), &h); err != nil {
		return err
	}
	return short(allBytes(b)(h))
}

func sdkCall(name string) func(context.Context, string, *http.Client, *decode.Body) error {
	c := named(name)
	return func(ctx context.Context, url string, h *http.Client, b *decode.Body) error {
		var got heard
		if err := c.Ask(ctx, url, h, func(text string) bool { got.take(len(text)); return true }); err != nil {
			return err
		}
		return short(allText(b)(got))
	}
}

func short(whole bool) error {
	if whole {
		return nil
	}
	return errors.New("perf: a part of the answer is missing")
}

func (l load) run(sec *Section, s Settings, base http.RoundTripper, url string) error {
	var sides []side
	for _, c := range callers() {
		plain, guarded := &http.Client{Transport: base}, &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{})}
		sides = append(sides, l.side(c, plain, url), l.side(c, guarded, url))
	}
	tracks, err := race(s.pairs(), cpuTime, sides)
	if err != nil {
		return err
	}
	t := Table{
		Caption: l.String() + ":",
		Head:    []string{"", "plain: ns of CPU a chunk", "B", "allocs", "guarded: ns of CPU a chunk", "B", "allocs", "guarded / plain"},
	}
	for i, limit := range l.limits {
		plain, guarded := tracks[2*i], tracks[2*i+1]
		ratio := guarded.times(plain)
		t.Rows = append(t.Rows, append(row(plain), append(row(guarded)[1:], times(ratio))...))
		if limit > 0 {
			sec.goal(Goal{
				What: fmt.Sprintf("guarded %s, %v, of it unguarded", plain.name, l), Got: ratio, Limit: limit, Unit: " ×",
				Way: loopbackWay(plain.cost().Nanos, guarded.beyond(plain)),
			})
		}
	}
	sec.table(t)
	return nil
}

func loopbackWay(plain, more float64) string {
	return "a chunk takes " + figure(plain) + " ns without the guard, since many come with one read when the server is ahead, and the guard adds " +
		figure(more) + " ns: its part of opening the stream, two copies, the comparison of the frame, and the decorators."
}

func (l load) side(c caller, h *http.Client, url string) side {
	b := wires()[0].body(l.chunks, 1, false)
	url = fmt.Sprintf("%s/%d/%v", url, l.chunks, l.pause)
	return side{c.name, func(m *meter) error {
		m.start()
		err := together(l.streams, func() error { return l.read(c, url, h, b) })
		m.stop(l.streams * l.chunks * (1 + l.again))
		return err
	}}
}

func (l load) read(c caller, url string, h *http.Client, b *decode.Body) error {
	for range 1 + l.again {
		if err := c.call(context.Background(), url, h, b); err != nil {
			return err
		}
	}
	return nil
}

// together does something n times at once.
func together(n int, do func() error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = do() })
	}
	all.Wait()
	return errors.Join(errs...)
}
