package soak_test

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest/soak"
)

var (
	soakFor     = flag.Duration("soak.for", 2*time.Second, "for how long streams are opened")
	soakStreams = flag.Int("soak.streams", 200, "how many streams are open at once")
	soakSeed    = flag.Uint64("soak.seed", 0, "the seed; 0 takes one from the clock")
	soakOnly    = flag.Uint64("soak.only", 0, "the seed of the one stream to run again and again")
	soakSockets = flag.Float64("soak.sockets", 0.05, "the share of streams over loopback")
	soakThink   = flag.Duration("soak.think", 0, "how long a consumer pauses on average; 0 for a rate of 4000 a second")
	soakSlack   = flag.Duration("soak.slack", 2*time.Second, "how late a stall may be reported")
)

// The chain and the transport hold against everything at once.
func TestSoak(t *testing.T) {
	seed := *soakSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-soak.seed=%d", seed)
	r := soak.Run(soak.Config{
		Seed: seed, Streams: *soakStreams, For: *soakFor, Only: *soakOnly,
		Sockets: *soakSockets, Think: *soakThink, Slack: *soakSlack, Log: os.Stderr,
	})
	t.Logf("\n%v", r)
	require.Zero(t, r.Wrong, r.Wrongs)
	require.Zero(t, r.Repeated)
	require.Zero(t, r.Hung)
	require.LessOrEqual(t, r.After.Goroutines, r.Before.Goroutines)
	if r.Before.Descriptors >= 0 {
		require.LessOrEqual(t, r.After.Descriptors, r.Before.Descriptors)
	}
	requireFlat(t, r)
}

// Streams whose oracle once took for wrong what is right.
func TestSeeds(t *testing.T) {
	seeds := []uint64{
		444201972558485436, 10622032608453609479, 2121223671413842705, 3652783873701887557, 14344137457868279794,
	}
	reports := make([]soak.Report, len(seeds)) // all at once, since most of the time is waiting
	var work sync.WaitGroup
	for i, seed := range seeds {
		work.Go(func() { reports[i] = soak.Run(soak.Config{Only: seed, Streams: 20, For: 100 * time.Millisecond}) })
	}
	work.Wait()
	for i, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			require.Zero(t, reports[i].Wrong, reports[i].Wrongs)
			require.Zero(t, reports[i].Hung)
		})
	}
}

// requireFlat holds the heap against a leak: what is left is what the runtime keeps for
// each goroutine that there was, and the least of the last quarter is no more than the
// most of the second one.
func requireFlat(t *testing.T, r soak.Report) {
	t.Helper()
	const spare, each = 8 << 20, 1 << 10
	heap := func(h soak.Held) uint64 { return h.Heap }
	most, n := 0, len(r.Steady)
	for _, h := range r.Steady {
		most = max(most, h.Goroutines)
	}
	require.LessOrEqual(t, r.After.Heap, r.Before.Heap+spare+each*uint64(most))
	if n < 4 {
		return
	}
	second, last := r.Steady[n/4:n/2], r.Steady[n-n/4:]
	require.LessOrEqual(t, slices.Min(mapped(last, heap)), slices.Max(mapped(second, heap))*5/4+spare)
}

func mapped[A, B any](from []A, to func(A) B) []B {
	out := make([]B, len(from))
	for i, a := range from {
		out[i] = to(a)
	}
	return out
}
