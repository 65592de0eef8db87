package classify

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// bounded turns an amount of a unit into a duration from 0 to MaxRetryAfter. What
// is no number, negative or infinite is 0: infinity is not a wait but a mistake.
func bounded(n float64, unit time.Duration) time.Duration {
	if math.IsNaN(n) || math.IsInf(n, 0) || n <= 0 {
		return 0
	}
	if n >= float64(MaxRetryAfter)/float64(unit) {
		return MaxRetryAfter
	}
	return time.Duration(math.Round(n * float64(unit)))
}

// decimal reads a plain decimal number, with fraction and exponent.
func decimal(s string) (float64, bool) {
	if s == "" || len(s) > 64 || strings.Trim(s, "0123456789.+-eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && math.IsInf(n, 1) {
		return math.MaxFloat64, true
	}
	return n, err == nil
}

func millis(s string) time.Duration {
	n, _ := decimal(strings.TrimSpace(s))
	return bounded(n, time.Millisecond)
}

// wait reads a wait in one of the forms in which providers write it: seconds, a Go
// duration, an HTTP date or RFC 3339. at is the time from which a date counts.
func wait(s string, at time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, ok := decimal(s); ok {
		return bounded(n, time.Second)
	}
	if d, rest := span(strings.ToLower(s)); d > 0 && rest == "" {
		return d
	}
	return until(s, at)
}

// until reads a date. A zero at means that nobody knows what time it is.
func until(s string, at time.Time) time.Duration {
	if at.IsZero() {
		return 0
	}
	if t, ok := date(s); ok {
		return clamp(t.Sub(at))
	}
	return 0
}

func clamp(d time.Duration) time.Duration { return min(max(d, 0), MaxRetryAfter) }

// units are the spellings of units, longest first where one begins another.
var units = []struct {
	name string
	unit time.Duration
}{
	{"milliseconds", time.Millisecond},
	{"millisecond", time.Millisecond},
	{"ms", time.Millisecond},
	{"minutes", time.Minute},
	{"minute", time.Minute},
	{"mins", time.Minute},
	{"min", time.Minute},
	{"m", time.Minute},
	{"seconds", time.Second},
	{"second", time.Second},
	{"secs", time.Second},
	{"sec", time.Second},
	{"s", time.Second},
	{"hours", time.Hour},
	{"hour", time.Hour},
	{"hrs", time.Hour},
	{"hr", time.Hour},
	{"h", time.Hour},
	{"days", 24 * time.Hour},
	{"day", 24 * time.Hour},
	{"d", 24 * time.Hour},
	{"microseconds", time.Microsecond},
	{"us", time.Microsecond},
	{"\u00b5s", time.Microsecond},
	{"ns", time.Nanosecond},
}

// span reads the duration at the beginning of s, in lower case, such as
// "9m38.016s" or "1 minute 30 seconds", and returns what follows it.
func span(s string) (time.Duration, string) {
	var sum time.Duration
	for {
		n, unit, rest := amount(s)
		if unit == 0 {
			return sum, s
		}
		sum = clamp(sum + bounded(n, unit))
		s = rest
		if next := strings.TrimLeft(s, " "); next != "" && next[0] >= '0' && next[0] <= '9' {
			s = next
		}
	}
}

// amount reads one number and its unit; the unit is 0 when there is none.
func amount(s string) (n float64, unit time.Duration, rest string) {
	digits := 0
	for digits < len(s) && (s[digits] >= '0' && s[digits] <= '9' || s[digits] == '.') {
		digits++
	}
	n, ok := decimal(strings.TrimSuffix(s[:digits], "."))
	if !ok {
		return 0, 0, s
	}
	word := strings.TrimLeft(s[digits:], " ")
	for _, u := range units {
		if rest, ok := strings.CutPrefix(word, u.name); ok && (rest == "" || rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z') {
			return n, u.unit, rest
		}
	}
	return 0, 0, s
}
