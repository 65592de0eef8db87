package retry

import (
	"time"

	"github.com/endwell-go/endwell"
)

// Ledger is told how each attempt ended. Record is called once for each attempt,
// when it has ended and the decision about the next one is made; it may be called
// from any number of goroutines, on the goroutine of the caller's Recv or Close,
// so it should be quick. What it does with a failure of its own is its affair: a
// call never fails for its ledger.
type Ledger interface {
	Record(e Entry)
}

// Entry is one attempt. It holds nothing secret: the caller's own names, numbers,
// and an error that renders protocol tokens only.
type Entry struct {
	// Time is when the attempt ended.
	Time time.Time
	// Agent, Provider and Model are the request's.
	Agent, Provider, Model string
	// Attempt is the attempt's number within its call, from 1.
	Attempt int
	// Ending says how the attempt ended.
	Ending Ending
	// Took is how long the attempt took; Elapsed is the time since the first
	// attempt of the call began, waits included. Neither is negative.
	Took, Elapsed time.Duration
	// Wait is the wait that was decided to follow this attempt. It is 0 when none
	// follows. A caller who stops the call cuts it short.
	Wait time.Duration
	// Stop is why no attempt follows; 0 when one does, and when the attempt did
	// not fail.
	Stop Stop
	// Emitted reports whether output of the attempt went to the caller.
	Emitted bool
	// Usage is what the provider counted for this attempt, also for one whose
	// output was discarded; zero when it reported nothing.
	Usage endwell.Usage
	// Err is the failure without its unredacted original. It is nil unless the
	// attempt failed, and also for a failure that nothing classified.
	Err *endwell.Error
}

// Ending says how an attempt ended.
type Ending uint8

// The endings. The set is closed; the zero value is none.
const (
	// EndingWhole means that the answer is whole.
	EndingWhole Ending = iota + 1
	// EndingFailed means that the attempt ended badly.
	EndingFailed
	// EndingCanceled means that the caller stopped the attempt. It is no failure.
	EndingCanceled

	endingEnd // one past the last ending
)

var endingNames = [...]string{"none", "whole", "failed", "canceled"}

// Endings returns all endings, in order.
func Endings() []Ending {
	var all []Ending
	for e := EndingWhole; e < endingEnd; e++ {
		all = append(all, e)
	}
	return all
}

// String returns the ending's name.
func (e Ending) String() string { return name(endingNames[:], int(e)) }

// MarshalText returns the ending's name, so that JSON shows words.
func (e Ending) MarshalText() ([]byte, error) { return []byte(e.String()), nil }
