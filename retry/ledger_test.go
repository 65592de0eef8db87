package retry_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/retry"
)

func entry(attempt int) retry.Entry {
	return retry.Entry{Time: clock.Epoch, Agent: "writer", Attempt: attempt, Ending: retry.EndingWhole}
}

func failedEntry() retry.Entry {
	return retry.Entry{
		Time: clock.Epoch, Agent: "writer", Provider: "acme", Model: "small", Attempt: 2, Ending: retry.EndingFailed,
		Took: 1500 * time.Millisecond, Elapsed: 4 * time.Second, Wait: 0, Stop: retry.StopWait, Emitted: false,
		Usage: endwell.Usage{Input: 12, Output: 3},
		Err:   &endwell.Error{Fault: endwell.Refused, Category: endwell.RateLimited, Status: 429, RetryAfter: time.Minute},
	}
}

func numbers(all []retry.Entry) (n []int) {
	for _, e := range all {
		n = append(n, e.Attempt)
	}
	return n
}

func TestRing(t *testing.T) {
	r := retry.NewRing(3)
	require.Empty(t, r.Snapshot())
	want := [][]int{{1}, {1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}}
	for i, w := range want {
		r.Record(entry(i + 1))
		require.Equal(t, w, numbers(r.Snapshot()))
		require.Equal(t, i+1, r.Total())
	}
	mine := r.Snapshot()
	mine[0].Attempt = 99
	require.Equal(t, []int{5, 6, 7}, numbers(r.Snapshot()), "the snapshot is the caller's")
	require.Panics(t, func() { retry.NewRing(0) })
}

func TestSlog(t *testing.T) {
	var buf bytes.Buffer
	l := retry.NewSlog(slog.New(slog.NewTextHandler(&buf, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})))
	l.Record(failedEntry())
	l.Record(entry(1))
	e := entry(3)
	e.Wait = time.Second
	l.Record(e)
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	require.Equal(t, `level=WARN msg=attempt agent=writer provider=acme model=small attempt=2 ending=failed took=1.5s elapsed=4s `+
		`emitted=false stop=wait usage.input=12 usage.output=3 error.fault=refused error.category=rate_limited `+
		`error.transient=false error.retryable=false error.status=429 error.retry_after=1m0s`, lines[0])
	require.Equal(t, `level=INFO msg=attempt agent=writer provider="" model="" attempt=1 ending=whole took=0s elapsed=0s emitted=false`, lines[1])
	require.Contains(t, lines[2], "wait=1s")
}

func TestSlogDefault(t *testing.T) {
	var buf bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	l := retry.NewSlog(nil)
	slog.SetDefault(slog.New(slog.NewTextHandler(&buf, nil)))
	l.Record(entry(1))
	require.Contains(t, buf.String(), "ending=whole")
}

func TestJSONLines(t *testing.T) {
	var buf bytes.Buffer
	j := retry.NewJSONLines(&buf)
	j.Record(entry(1))
	j.Record(failedEntry())
	require.NoError(t, j.Err())
	require.Zero(t, j.Lost())

	lines := strings.SplitAfter(buf.String(), "\n")
	require.Len(t, lines, 3)
	require.JSONEq(t, `{"time":"2000-01-01T00:00:00Z","agent":"writer","attempt":1,"ending":"whole",
		"took_ms":0,"elapsed_ms":0,"emitted":false}`, lines[0])
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &got))
	require.Equal(t, "wait", got["stop"])
	require.Equal(t, 1500.0, got["took_ms"])
	require.Equal(t, map[string]any{"input": 12.0, "output": 3.0}, got["usage"])
	require.Equal(t, "rate_limited", got["error"].(map[string]any)["category"])
	require.Empty(t, lines[2])
}

// cutter is a disk that is full for a while: it writes as many bytes as cut says,
// and all of them when it says nothing.
type cutter struct {
	bytes.Buffer
	cut  []int
	fail error
}

func (c *cutter) Write(p []byte) (int, error) {
	if len(c.cut) == 0 {
		return c.Buffer.Write(p)
	}
	n := min(c.cut[0], len(p))
	c.cut = c.cut[1:]
	c.Buffer.Write(p[:n])
	return n, c.fail
}

func TestJSONLinesWriteFails(t *testing.T) {
	full := errors.New("disk full")
	for _, row := range []struct {
		name  string
		w     *cutter
		err   error
		lost  int
		whole int // lines that parse
	}{
		{"nothing written", &cutter{cut: []int{0}, fail: full}, full, 1, 2},
		{"line torn", &cutter{cut: []int{9}, fail: full}, full, 1, 2},
		{"line torn, then nothing", &cutter{cut: []int{9, 0}, fail: full}, full, 2, 1},
		{"line torn, then its end only", &cutter{cut: []int{9, 1}, fail: full}, full, 2, 1},
		{"short without an error", &cutter{cut: []int{9}}, io.ErrShortWrite, 1, 2},
		{"never full", &cutter{}, nil, 0, 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			j := retry.NewJSONLines(row.w)
			for i := range 3 {
				j.Record(entry(i))
			}
			require.Equal(t, row.err, j.Err())
			require.Equal(t, row.lost, j.Lost())
			whole := 0
			for sc := bufio.NewScanner(&row.w.Buffer); sc.Scan(); {
				if json.Valid(sc.Bytes()) {
					whole++
				}
			}
			require.Equal(t, row.whole, whole)
		})
	}
}

func TestJSONLinesBadEntry(t *testing.T) {
	var buf bytes.Buffer
	j := retry.NewJSONLines(&buf)
	j.Record(retry.Entry{Time: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}) // a year that JSON cannot say
	require.Error(t, j.Err())
	require.Equal(t, 1, j.Lost())
	require.Empty(t, buf.String())
}

func TestTee(t *testing.T) {
	a, b := retry.NewRing(1), retry.NewRing(1)
	retry.Tee(a, nil, b).Record(entry(5))
	require.Equal(t, []int{5}, numbers(a.Snapshot()))
	require.Equal(t, []int{5}, numbers(b.Snapshot()))
	retry.Tee().Record(entry(1))
}

func TestLedgersConcurrently(t *testing.T) {
	var buf bytes.Buffer
	ring, lines := retry.NewRing(64), retry.NewJSONLines(&buf)
	both := retry.Tee(ring, lines, retry.NewSlog(slog.New(slog.DiscardHandler)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 100 {
				both.Record(entry(i))
				ring.Snapshot()
				lines.Lost()
			}
		})
	}
	wg.Wait()
	require.Equal(t, 800, ring.Total())
	require.Len(t, ring.Snapshot(), 64)
	require.NoError(t, lines.Err())
	n := 0
	for sc := bufio.NewScanner(&buf); sc.Scan(); n++ {
		require.True(t, json.Valid(sc.Bytes()))
	}
	require.Equal(t, 800, n)
}

func TestEntryHoldsNoProviderWords(t *testing.T) {
	const secret = "sk-test-not-a-real-key"
	ring, buf := retry.NewRing(1), new(bytes.Buffer)
	p := retry.Policy{MaxAttempts: 1, Ledger: retry.Tee(ring, retry.NewJSONLines(buf), retry.NewSlog(slog.New(slog.NewJSONHandler(buf, nil))))}
	run := p.Start(&clock.Fake{}, &endwell.Request{Agent: "writer", Secret: []string{secret}, Private: []string{"the prompt"}, Payload: "the prompt"})
	run.Begin()
	run.Failed(overloaded().WithOriginal(&endwell.Evidence{Message: "the prompt " + secret, Body: []byte(secret)}), endwell.Usage{})
	require.NotEmpty(t, buf.String())
	for _, rendering := range []string{buf.String(), sprint(ring.Snapshot()[0])} {
		require.NotContains(t, rendering, secret)
		require.NotContains(t, rendering, "the prompt")
	}
}
