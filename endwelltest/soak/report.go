package soak

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Report is what a run came to. Its counts are complete when Run returns.
type Report struct {
	// Streams is how many streams have ended, Attempts how many requests were made for
	// them, and Peak how many streams were open at once.
	Streams, Attempts, Peak int
	// Took is how long it took, to the end of the last stream.
	Took time.Duration
	// Endings counts the endings by their names: whole, canceled, deadline, closed, and
	// the faults.
	Endings map[string]int
	// Over counts the streams by what they went over: pipe, http1, http2.
	Over map[string]int
	// Wrapped is how many streams went through a transport.RoundTripper; the others
	// went through transport.New and the chain.
	Wrapped int
	// Wrong is how many streams were not what they should have been: a wrong verdict,
	// lost or repeated bytes, an attempt too many or one too few, a stall that was early
	// or late, an ending that changed. Wrongs describes the first 20 of them.
	Wrong  int
	Wrongs []string
	// Repeated is how many bytes came twice or were never sent.
	Repeated int
	// Slow is how many streams stalled although their script has no stall, since the
	// machine was slow: the consumer's own clock says that they waited for the bound.
	Slow int
	// Stalls is how many stalls were timed, Late how late the latest one was, and Lag how
	// late a plain timer was in this process. A stall may be later than Slack by the Lag
	// of its time.
	Stalls    int
	Late, Lag time.Duration
	// Before, After and Steady are what the process holds: before and after the run,
	// and while it went on, after a garbage collection each.
	Before, After Held
	Steady        []Held
	// Hung is how many streams never ended.
	Hung int
}

// tally collects what the judgements say.
type tally struct {
	mu  sync.Mutex // guards what follows
	r   Report
	off []suspect
}

func (t *tally) add(j *judgement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &t.r
	r.Streams++
	r.Attempts += j.tries
	r.Endings[j.name()]++
	r.Over[laneNames[j.plan.lane]]++
	r.Repeated += j.repeat
	if j.plan.wrapped {
		r.Wrapped++
	}
	if j.slow {
		r.Slow++
	}
	if j.err != nil && j.err.Fault == stalled {
		r.Stalls++
	}
	r.Late = max(r.Late, j.delay)
	if j.off != nil && len(t.off) < 1000 {
		t.off = append(t.off, *j.off)
	}
	if len(j.wrong) > 0 {
		t.wrong(j.s.cfg.Log, j.plan, j.call.wrong)
	}
}

// wrong notes a stream that was not what it should have been. The lock is held.
func (t *tally) wrong(log io.Writer, p *plan, what []string) {
	t.r.Wrong++
	if len(t.r.Wrongs) >= 20 {
		return
	}
	s := fmt.Sprintf("WRONG: %s\n  repeat with -soak.only=%d\n  %v", strings.Join(what, "\n  "), p.seed, p)
	t.r.Wrongs = append(t.r.Wrongs, s)
	_, _ = fmt.Fprintln(log, s)
}

// name is the name of an ending.
func (j *judgement) name() string {
	switch {
	case j.byCaller() && j.plan.stop == expires:
		return "deadline"
	case j.byCaller() && (j.plan.stop == cancels || j.plan.stop == cancelsBeside):
		return "canceled"
	case j.byCaller():
		return "closed"
	case j.err != nil:
		return j.err.Fault.String()
	case j.resp != nil && j.resp.StatusCode/100 != 2:
		return "refused"
	default:
		return "whole"
	}
}

// line is a line of progress.
func (t *tally) line(open int, now Held) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%d streams ended, %d open, %d wrong, %d repeated bytes; %v", t.r.Streams, open, t.r.Wrong, t.r.Repeated, now)
}

// String is a report of a few lines.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "streams    %d in %v (%.0f/s), at most %d open at once, %d attempts\n",
		r.Streams, r.Took.Round(time.Millisecond), float64(r.Streams)/r.Took.Seconds(), r.Peak, r.Attempts)
	fmt.Fprintf(&b, "through    the chain %d, an http.Client %d; over %s\n", r.Streams-r.Wrapped, r.Wrapped, counts(r.Over))
	fmt.Fprintf(&b, "endings    %s\n", counts(r.Endings))
	fmt.Fprintf(&b, "stalls     %d, the latest %v late, where a plain timer was %v late; %d of them by a slow machine\n",
		r.Stalls, r.Late.Round(time.Millisecond), r.Lag.Round(time.Millisecond), r.Slow)
	fmt.Fprintf(&b, "wrong      %d verdicts, %d repeated bytes, %d never ended\n", r.Wrong, r.Repeated, r.Hung)
	fmt.Fprintf(&b, "before     %v\n", r.Before)
	if n := len(r.Steady); n > 0 {
		fmt.Fprintf(&b, "meanwhile  %v, then %v\n", r.Steady[0], r.Steady[n-1])
	}
	fmt.Fprintf(&b, "after      %v", r.After)
	return b.String()
}

func counts(m map[string]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int { return m[b] - m[a] })
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, m[n])
	}
	return strings.Join(names, ", ")
}
