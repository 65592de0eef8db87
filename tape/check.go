package tape

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// check refuses what the format cannot say. [Read] and [Tape.WriteTo] share
// it, so that what is written can be read.
func (h Head) check() error {
	if h.Status < 100 || h.Status > 999 {
		return fmt.Errorf("status %d is not an HTTP status", h.Status)
	}
	return nil
}

// check refuses an arrival that cannot follow one at last.
func (a Arrival) check(last time.Duration) error {
	if a.Count < 0 || a.Times < 0 || a.Every < 0 {
		return errors.New("a negative count, times or every_ms")
	}
	if n := int64(len(a.Data)); n > 0 && a.Count > math.MaxInt64/n {
		return errors.New("count is absurdly large")
	}
	return checkAt(a.At, last)
}

func checkAt(at, last time.Duration) error {
	switch {
	case at < 0:
		return errors.New("at_ms is negative")
	case at < last:
		return fmt.Errorf("at_ms goes back, from %d to %d", last.Milliseconds(), at.Milliseconds())
	}
	return nil
}

// lastAt is when the last arrival begins.
func (t *Tape) lastAt() time.Duration {
	if len(t.Arrivals) == 0 {
		return 0
	}
	return t.Arrivals[len(t.Arrivals)-1].At
}
