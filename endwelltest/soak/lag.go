package soak

import (
	"fmt"
	"sync"
	"time"
)

// lag is how late this machine runs a plain timer, second by second: what no guard can be
// better than.
type lag struct {
	mu   sync.Mutex // guards late
	late map[int64]time.Duration
}

// probe is the time between two looks.
const probe = 20 * time.Millisecond

// hops is how often, at most, a stall that is reported has to wait for a turn of the
// scheduler: the timer's callback, the provider, the transport's goroutines, a goroutine
// that holds an answer back, and the consumer.
const hops = 8

// follow measures until stop is closed.
func (l *lag) follow(stop <-chan struct{}) {
	t := time.NewTimer(probe)
	defer t.Stop()
	for {
		due := time.Now().Add(probe)
		t.Reset(probe)
		select {
		case <-t.C:
			l.note(due, time.Since(due))
		case <-stop:
			return
		}
	}
}

// note notes a timer that was due at an instant, for all the seconds that it was late in.
func (l *lag) note(due time.Time, late time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late == nil {
		l.late = map[int64]time.Duration{}
	}
	for at := due.Unix(); at <= due.Add(late).Unix(); at++ {
		l.late[at] = max(l.late[at], late)
	}
}

// worst is the worst in the seconds around a span.
func (l *lag) worst(from, to time.Time) (d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := from.Unix() - 1; at <= to.Unix()+1; at++ {
		d = max(d, l.late[at])
	}
	return d
}

// most is the worst of all.
func (l *lag) most() (d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, late := range l.late {
		d = max(d, late)
	}
	return d
}

// suspect is a stall that was late, or early, which the machine may have been to blame for.
type suspect struct {
	plan     *plan
	from, to time.Time // what it was off by
	slack    time.Duration
	what     string
}

// suspects judges such stalls, now that it is known how busy the machine was.
func (s *soak) suspects() {
	t := &s.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, off := range t.off {
		lag := s.lag.worst(off.from, off.to)
		if off.to.Sub(off.from) > off.slack+hops*lag {
			t.wrong(s.cfg.Log, off.plan, []string{fmt.Sprintf("%s, where a plain timer was %v late", off.what, lag)})
		}
	}
}
