package retry

import "strconv"

// Stop says why a failed attempt was not followed by another one. A Stop is an
// error itself, so errors.Is(err, retry.StopBudget) asks for it on the error
// that the run handed over.
type Stop uint8

// The reasons. The set is closed; the zero value means no stop.
const (
	// StopAttempts means that MaxAttempts were made.
	StopAttempts Stop = iota + 1
	// StopWait means that the next wait does not fit into MaxWait.
	StopWait
	// StopElapsed means that the next attempt would begin after MaxElapsed.
	StopElapsed
	// StopBudget means that the budget had nothing left for this agent.
	StopBudget
	// StopContext means that the caller's deadline comes before the end of the
	// next wait.
	StopContext
	// StopBackOff means that the schedule of waits ended.
	StopBackOff
	// StopPredicate means that the policy's Retry said no.
	StopPredicate
	// StopNotRetryable means that the failure is not Retryable.
	StopNotRetryable
	// StopEmitted means that something had been emitted.
	StopEmitted

	stopEnd // one past the last reason
)

var stopNames = [...]string{
	"none", "attempts", "wait", "elapsed", "budget", "context", "backoff", "predicate",
	"not_retryable", "emitted",
}

// Stops returns all reasons, in order.
func Stops() []Stop {
	var all []Stop
	for s := StopAttempts; s < stopEnd; s++ {
		all = append(all, s)
	}
	return all
}

// String returns the reason's name in snake_case.
func (s Stop) String() string { return name(stopNames[:], int(s)) }

// Error makes a Stop a target for errors.Is.
func (s Stop) Error() string { return s.String() }

// MarshalText returns the reason's name, so that JSON shows words.
func (s Stop) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// bound reports whether the policy stopped the run, and not the failure itself.
func (s Stop) bound() bool { return s != 0 && s < StopNotRetryable }

// name returns the i-th name, or the number when there is none, so that a value
// from a later version still prints.
func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid_" + strconv.Itoa(i)
}
