package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// caller is somebody who asks a peer and reads the answer to its end.
type caller struct {
	name  string
	named bool // the dialect is given
	ask   func(context.Context, question) error
}

// question is what a caller asks with.
type question struct {
	base    http.RoundTripper
	clock   *clock.Fake
	dialect *dialects.Dialect // nil for one that is detected
	payload string
}

// callers are the ways in which an answer is read.
var callers = []caller{
	{"New", true, askNew},
	{"New, detected", false, askNew},
	{"Wrap", true, askWrap},
	{"Wrap, detected", false, askWrap},
}

// askNew reads with New and Standard. An answer that is whole gives nil.
func askNew(ctx context.Context, q question) error {
	next := middleware.Standard(middleware.Config{Clock: q.clock, Retry: onlyOnce})(transport.New(transport.Config{
		URL: peerURL, Dialect: q.dialect, Client: &http.Client{Transport: q.base},
	}))
	st, err := next.Open(ctx, &endwell.Request{Payload: q.payload})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	for err == nil {
		_, err = st.Recv()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// askWrap reads as a client does that has Wrap under it.
func askWrap(ctx context.Context, q question) error {
	client := &http.Client{Transport: transport.Wrap(q.base, transport.WrapConfig{
		Clock: q.clock, Dialect: q.dialect, Retry: onlyOnce,
	})}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, peerURL, strings.NewReader(q.payload))
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// peerURL is where all peers are asked. Its path counts for AWS event streams only.
const peerURL = "https://peer.test/model/m/converse-stream"

// onlyOnce puts a gate there that sends nothing again: what it holds back is measured.
var onlyOnce = middleware.RetryConfig{Policy: retry.Always(&retry.Policy{Ledger: retry.NewRing(1)})}

// figures are what came of a peer.
type figures struct {
	verdict string
	sent    int64 // bytes that were taken from it
	peak    uint64
	took    time.Duration
}

// report is the table of all figures.
type report struct {
	strings.Builder
	tab *tabwriter.Writer
}

func newReport(t *testing.T) *report {
	r := new(report)
	r.tab = tabwriter.NewWriter(&r.Builder, 0, 0, 2, ' ', 0)
	t.Cleanup(func() {
		_ = r.tab.Flush()
		t.Log("\n" + r.String())
	})
	return r
}

func (r *report) row(peer, caller string, f figures, bound int) {
	_, _ = fmt.Fprintf(r.tab, "%s\t%s\t%s\t%.1f MiB taken\t%.1f of %d MiB\t%v\n",
		peer, caller, f.verdict, mib(uint64(max(f.sent, 0))), mib(f.peak), bound, f.took.Round(time.Millisecond))
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

// collectOften has garbage collected early, so that what is measured is in use.
func collectOften(t *testing.T) {
	was := debug.SetGCPercent(20)
	t.Cleanup(func() { debug.SetGCPercent(was) })
}

// peakOf runs f and returns by how much the heap grew meanwhile at most.
func peakOf(f func()) (peak uint64, took time.Duration) {
	runtime.GC()
	base := heap()
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		look := time.NewTicker(500 * time.Microsecond)
		defer look.Stop()
		most := base
		for {
			most = max(most, heap())
			select {
			case <-look.C:
			case <-stop:
				done <- most
				return
			}
		}
	}()
	begun := time.Now()
	f()
	took = time.Since(begun)
	close(stop)
	return max(<-done, heap(), base) - base, took
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// endsIn checks figures against what a peer may do.
func (f figures) endsIn(t *testing.T, verdict string, bound int) {
	t.Helper()
	require.Equal(t, verdict, f.verdict)
	require.LessOrEqual(t, mib(f.peak), float64(bound), "memory beyond its bound")
}
