package classify

import (
	"time"

	"github.com/endwell-go/endwell"
)

// MaxRetryAfter is the longest wait that is believed; a longer one counts as it.
// A month, since a quota of a month is the longest that providers hand out.
const MaxRetryAfter = 31 * 24 * time.Hour

// hint finds the wait for evidence of a category. What prose and reset headers say
// counts only where there is something to wait for.
func hint(ev *endwell.Evidence, c endwell.Category, now time.Time) time.Duration {
	at := clockOf(ev.Header, now)
	for _, h := range [...]map[string][]string{ev.Header, stated(ev.Body)} {
		if d := headed(h, c, at); d > 0 {
			return d
		}
	}
	if d := wait(ev.RetryAfter, at); d > 0 {
		return d
	}
	if d := wait(delay(ev.Body), at); d > 0 {
		return d
	}
	switch c {
	case endwell.RateLimited, endwell.Overloaded, endwell.QuotaExhausted:
		return inText(ev.Message)
	default:
		return 0
	}
}

// headed finds the wait in headers, 0 when they name none.
func headed(h map[string][]string, c endwell.Category, at time.Time) time.Duration {
	if d := millis(header(h, "Retry-After-Ms")); d > 0 {
		return d
	}
	if d := wait(header(h, "Retry-After"), at); d > 0 {
		return d
	}
	if c == endwell.RateLimited {
		return resets(h, at)
	}
	return 0
}

// clockOf is the time from which the response's dates count: its own Date, so that
// a wrong clock on this side does no harm, else now.
func clockOf(h map[string][]string, now time.Time) time.Time {
	if t, ok := date(header(h, "Date")); ok {
		return t
	}
	return now
}
