package retry_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

// take counts how many of n retries a budget allows.
func take(b retry.Budget, agent string, now time.Time, n int) (allowed int) {
	for range n {
		if b.Take(agent, now) {
			allowed++
		}
	}
	return allowed
}

func TestBucketRefills(t *testing.T) {
	for _, row := range []struct {
		name    string
		bucket  retry.Bucket
		after   time.Duration
		allowed int
	}{
		{"d-1ns", retry.Bucket{Every: time.Second, Burst: 3}, time.Second - 1, 0},
		{"d", retry.Bucket{Every: time.Second, Burst: 3}, time.Second, 1},
		{"d+1ns", retry.Bucket{Every: time.Second, Burst: 3}, time.Second + 1, 1},
		{"2d-1ns", retry.Bucket{Every: time.Second, Burst: 3}, 2*time.Second - 1, 1},
		{"an hour for each, d-1ns", retry.Bucket{Every: time.Hour, Burst: 2}, time.Hour - 1, 0},
		{"49 ms for each, d-1ns", retry.Bucket{Every: 49 * time.Millisecond, Burst: 2}, 49*time.Millisecond - 1, 0},
		{"49 ms for each, d", retry.Bucket{Every: 49 * time.Millisecond, Burst: 2}, 49 * time.Millisecond, 1},
		{"up to the burst", retry.Bucket{Every: time.Second, Burst: 3}, time.Hour, 3},
		{"clock goes back", retry.Bucket{Every: time.Second, Burst: 3}, -time.Hour, 0},
		{"default, d-1ns", retry.Bucket{}, 6*time.Second - 1, 0},
		{"default, d", retry.Bucket{}, 6 * time.Second, 1},
		{"default, up to the burst", retry.Bucket{}, time.Hour, 10},
	} {
		for name, b := range map[string]retry.Budget{
			"shared": retry.NewShared(row.bucket), "per agent": retry.NewPerAgent(row.bucket),
		} {
			t.Run(name+", "+row.name, func(t *testing.T) {
				burst := row.bucket.Burst
				if burst == 0 {
					burst = 10
				}
				require.Equal(t, burst, take(b, "a", clock.Epoch, 50))
				require.Equal(t, row.allowed, take(b, "a", clock.Epoch.Add(row.after), 50))
			})
		}
	}
}

func TestBackAndForthGainsNothing(t *testing.T) {
	for name, b := range map[string]retry.Budget{
		"shared":    retry.NewShared(retry.Bucket{Every: time.Second, Burst: 1}),
		"per agent": retry.NewPerAgent(retry.Bucket{Every: time.Second, Burst: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			require.True(t, b.Take("a", clock.Epoch))
			for range 10 {
				require.False(t, b.Take("a", clock.Epoch.Add(-time.Hour)))
				require.False(t, b.Take("a", clock.Epoch.Add(time.Second-1)))
			}
		})
	}
}

func TestAgentsDoNotTouchEachOther(t *testing.T) {
	per, shared := retry.NewPerAgent(retry.Bucket{Burst: 2}), retry.NewShared(retry.Bucket{Burst: 2})
	require.Equal(t, 2, take(per, "a", clock.Epoch, 5))
	require.Equal(t, 2, take(per, "b", clock.Epoch, 5))
	require.Equal(t, 2, take(per, "", clock.Epoch, 5), "an agent like any other")
	require.Equal(t, 2, take(shared, "a", clock.Epoch, 5))
	require.Equal(t, 0, take(shared, "b", clock.Epoch, 5))
}

func TestPerAgentMemory(t *testing.T) {
	b := retry.NewPerAgent(retry.Bucket{Every: time.Second, Burst: 2, Agents: 10})
	allowed := 0
	for i := range 1000 {
		allowed += take(b, fmt.Sprint(i), clock.Epoch, 2)
		require.LessOrEqual(t, b.Agents(), 10)
	}
	require.Equal(t, 10*2+2, allowed, "the agents on top share one bucket")
	require.Equal(t, 0, take(b, "3", clock.Epoch, 2), "a bucket that is in use is kept")

	later := clock.Epoch.Add(2 * time.Second)
	require.Equal(t, 2, take(b, "500", later, 3), "full buckets make room")
	for i := range 9 {
		b.Take(fmt.Sprint(i), later.Add(time.Hour))
	}
	require.LessOrEqual(t, b.Agents(), 10)
}

func TestPerAgentForgetsTheQuiet(t *testing.T) {
	b := retry.NewPerAgent(retry.Bucket{Every: time.Second, Burst: 1})
	for i := range 100 {
		b.Take(fmt.Sprint(i), clock.Epoch)
	}
	require.Equal(t, 100, b.Agents())
	for i := range 100 {
		b.Take("busy", clock.Epoch.Add(time.Duration(i+1)*time.Second))
	}
	require.Equal(t, 1, b.Agents())
}

func TestPerAgentKeepsWhatIsUsed(t *testing.T) {
	b := retry.NewPerAgent(retry.Bucket{Every: time.Hour, Burst: 2})
	b.Take("a", clock.Epoch)
	for i := range 100 {
		b.Take(fmt.Sprint(i), clock.Epoch.Add(time.Hour-1))
	}
	require.Equal(t, 1, take(b, "a", clock.Epoch.Add(time.Hour-1), 5), "not forgotten, so not full")
}

func TestBudgetsConcurrently(t *testing.T) {
	for name, b := range map[string]retry.Budget{
		"shared":    retry.NewShared(retry.Bucket{Every: time.Second, Burst: 100}),
		"per agent": retry.NewPerAgent(retry.Bucket{Every: time.Second, Burst: 100}),
	} {
		t.Run(name, func(t *testing.T) {
			var allowed atomic.Int64
			var wg sync.WaitGroup
			for w := range 8 {
				wg.Go(func() {
					for i := range 500 {
						// Out of order, and ten seconds in all.
						at := time.Duration((i*37+w)%10001) * time.Millisecond
						if b.Take("a", clock.Epoch.Add(at)) {
							allowed.Add(1)
						}
					}
				})
			}
			wg.Wait()
			require.LessOrEqual(t, allowed.Load(), int64(110))
			require.GreaterOrEqual(t, allowed.Load(), int64(100))
		})
	}
}

func TestBadBucketPanics(t *testing.T) {
	for name, bad := range map[string]retry.Bucket{
		"every": {Every: -1}, "burst": {Burst: -1}, "agents": {Agents: -1},
	} {
		t.Run(name, func(t *testing.T) {
			require.Panics(t, func() { retry.NewShared(bad) })
			require.Panics(t, func() { retry.NewPerAgent(bad) })
		})
	}
}
