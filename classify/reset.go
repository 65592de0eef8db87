package classify

import (
	"strings"
	"time"
)

// resets reads the rate limit reset headers. They come one per limit, beside the
// limit's remaining: a limit of which something remains is not the one that was
// hit. Of those that are used up, the last to reset counts; where no limit says
// what remains, the first does, since the others may be a week away. Sources:
// wire/openai-family.md §0.3, §4, §7, §14; wire/other-families.md §1e.
func resets(h map[string][]string, at time.Time) time.Duration {
	var spent, unknown time.Duration
	for name, v := range h {
		name = strings.ToLower(name)
		if len(v) == 0 || !strings.Contains(name, "ratelimit") || !strings.Contains(name, "reset") {
			continue
		}
		d := reset(v[0], at)
		switch left, known := remaining(h, name); {
		case d <= 0 || known && left > 0:
		case known:
			spent = max(spent, d)
		case unknown == 0 || d < unknown:
			unknown = d
		}
	}
	if spent > 0 {
		return spent
	}
	return unknown
}

// remaining is what is left of the limit to which a reset header belongs.
func remaining(h map[string][]string, reset string) (float64, bool) {
	want := strings.Replace(reset, "reset", "remaining", 1)
	for name, v := range h {
		if len(v) > 0 && strings.ToLower(name) == want {
			return decimal(strings.TrimSpace(v[0]))
		}
	}
	return 0, false
}

// The numbers from which a reset is a date: no wait is that long.
const (
	epochSeconds = 1e9
	epochMillis  = 1e12
)

// reset reads one reset: a Go duration, seconds, epoch seconds or milliseconds, or a
// date.
func reset(s string, at time.Time) time.Duration {
	n, ok := decimal(strings.TrimSpace(s))
	if !ok || n < epochSeconds {
		return wait(s, at)
	}
	if at.IsZero() {
		return 0
	}
	if n >= epochMillis {
		n /= 1000
	}
	return bounded(n-float64(at.UnixNano())/1e9, time.Second)
}
