package classify_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

func TestRetryAfterHeader(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"":                                 0,
		"0":                                0,
		"2":                                2 * time.Second,
		" 2 ":                              2 * time.Second,
		"1.5":                              1500 * time.Millisecond,
		"0.25":                             250 * time.Millisecond,
		"-1":                               0,
		"NaN":                              0,
		"Inf":                              0,
		"+Inf":                             0,
		"-Inf":                             0,
		"1e3":                              1000 * time.Second,
		"1e30":                             classify.MaxRetryAfter,
		"1e400":                            classify.MaxRetryAfter,
		"-1e400":                           0,
		"99999999999999999999999":          classify.MaxRetryAfter,
		"9223372036854775808":              classify.MaxRetryAfter,
		"86400":                            24 * time.Hour,
		"51820.638305887":                  51820638305887,
		"0x10":                             0,
		"1_000":                            0,
		"soon":                             0,
		"1m30s":                            90 * time.Second,
		"900ms":                            900 * time.Millisecond,
		"6m0s":                             6 * time.Minute,
		"2m59.56s":                         179560 * time.Millisecond,
		"-5s":                              0,
		"9999999h":                         classify.MaxRetryAfter,
		"5 parsecs":                        0,
		"Thu, 01 Jan 2026 00:00:10 GMT":    10 * time.Second,
		"Thursday, 01-Jan-26 00:00:10 GMT": 10 * time.Second,
		"Thu Jan  1 00:00:10 2026":         10 * time.Second,
		"Thu, 01 Jan 2026 01:00:10 +0100":  10 * time.Second,
		"Thu, 01 Jan 2026 00:00:10 UTC":    10 * time.Second,
		"Thu, 1 Jan 2026 00:00:10 GMT":     10 * time.Second,
		"Thursday, 01-Jan-26 00:00:10 UTC": 10 * time.Second,
		"Thursday, 1-Jan-2026 00:00:10 UT": 10 * time.Second,
		"Thu, 01-Jan-2026 00:00:10 GMT":    10 * time.Second,
		"Thu Jan  1 00:00:10 UTC 2026":     10 * time.Second,
		"Thu, 01 Jan 2026 00:00:10 PST":    0, // nobody says which offset
		"Thursday, 01-Jan-26 00:00:10 PST": 0,
		"2026-01-01T00:00:10Z":             10 * time.Second,
		"Thu, 01 Jan 2026 00:00:00 GMT":    0,
		"Wed, 31 Dec 2025 23:59:59 GMT":    0,
		"Fri, 01 Jan 9999 00:00:00 GMT":    classify.MaxRetryAfter,
		"Mon, 01 Jan 0001 00:00:00 GMT":    0,
	} {
		ev := &endwell.Evidence{Status: 429, Header: http.Header{"Retry-After": {value}}}
		require.Equal(t, want, classify.RetryAfter(ev, newYear), "%q", value)
	}
}

func TestRetryAfterOrder(t *testing.T) {
	reset := newYear.Add(20 * time.Second)
	for _, row := range []struct {
		fault  string
		header map[string][]string
		body   string
		text   string
		want   time.Duration
	}{
		{"milliseconds first", http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, "", "", 1500 * time.Millisecond},
		{"milliseconds of zero", http.Header{"Retry-After-Ms": {"0"}, "Retry-After": {"1"}}, "", "", time.Second},
		{"unreadable milliseconds", http.Header{"Retry-After-Ms": {"x"}, "Retry-After": {"1"}}, "", "", time.Second},
		{"negative milliseconds", http.Header{"Retry-After-Ms": {"-7"}, "Retry-After": {"1"}}, "", "", time.Second},
		{"huge milliseconds", http.Header{"Retry-After-Ms": {"1e300"}}, "", "", classify.MaxRetryAfter},
		{"names in lower case", map[string][]string{"retry-after": {"4"}}, "", "", 4 * time.Second},
		{"header before reset", http.Header{"Retry-After": {"4"}, "X-Ratelimit-Reset": {"9"}}, "", "", 4 * time.Second},
		{"past date, then reset", http.Header{"Retry-After": {"Wed, 21 Oct 2015 07:28:00 GMT"}, "X-Ratelimit-Reset": {"9"}}, "", "", 9 * time.Second},
		{"reset before body", http.Header{"X-Ratelimit-Reset": {"9"}}, "5s", "", 9 * time.Second},
		{"body before text", nil, "5s", "Please try again in 8s", 5 * time.Second},
		{"text last", nil, "0s", "Please try again in 8s", 8 * time.Second},

		{"reset as epoch seconds", http.Header{"X-Ratelimit-Reset": {strconv.FormatInt(reset.Unix(), 10)}}, "", "", 20 * time.Second},
		{"reset as epoch milliseconds", http.Header{"X-Ratelimit-Reset": {strconv.FormatInt(reset.UnixMilli(), 10)}}, "", "", 20 * time.Second},
		{"reset as RFC 3339", http.Header{"Anthropic-Ratelimit-Requests-Reset": {reset.Format(time.RFC3339)}}, "", "", 20 * time.Second},
		{"reset as a duration", http.Header{"X-Ratelimit-Reset-Tokens": {"2m59.56s"}}, "", "", 179560 * time.Millisecond},
		{"reset in the past", http.Header{"X-Ratelimit-Reset": {"1600000000"}}, "", "", 0},
		{"reset beyond all bounds", http.Header{"X-Ratelimit-Reset": {"9e18"}}, "", "", classify.MaxRetryAfter},
		{"reset unreadable", http.Header{"X-Ratelimit-Reset": {"midnight"}}, "", "", 0},
		{"reset of a limit that is not used up", http.Header{"X-Ratelimit-Reset-Requests": {"1h"}, "X-Ratelimit-Remaining-Requests": {"3"}}, "", "", 0},
		{"resets, one used up", http.Header{
			"X-Ratelimit-Reset-Requests": {"1h"}, "X-Ratelimit-Remaining-Requests": {"3"},
			"X-Ratelimit-Reset-Tokens": {"7s"}, "X-Ratelimit-Remaining-Tokens": {"0"},
		}, "", "", 7 * time.Second},
		{"resets, both used up", http.Header{
			"X-Ratelimit-Reset-Requests": {"1h"}, "X-Ratelimit-Remaining-Requests": {"0"},
			"X-Ratelimit-Reset-Tokens": {"7s"}, "X-Ratelimit-Remaining-Tokens": {"0"},
		}, "", "", time.Hour},
		{"resets, nothing known of what remains", http.Header{
			"Anthropic-Ratelimit-Unified-Reset":    {strconv.FormatInt(reset.Unix(), 10)},
			"Anthropic-Ratelimit-Unified-7d-Reset": {strconv.FormatInt(reset.Unix()+9999, 10)},
		}, "", "", 20 * time.Second},
		{"reset counted from the response's date", http.Header{
			"X-Ratelimit-Reset": {strconv.FormatInt(reset.Unix(), 10)}, "Date": {"Thu, 01 Jan 2026 00:00:15 GMT"},
		}, "", "", 5 * time.Second},
	} {
		t.Run(row.fault, func(t *testing.T) {
			ev := &endwell.Evidence{Status: 429, Header: row.header, RetryAfter: row.body, Message: row.text}
			require.Equal(t, row.want, classify.RetryAfter(ev, newYear))
		})
	}
}

func TestRetryAfterInText(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"Rate limit reached. Please try again in 9m38.016s.": 578016 * time.Millisecond,
		"Please try again in 20ms. Visit our site":           20 * time.Millisecond,
		"Please try again in 1.3s":                           1300 * time.Millisecond,
		"try again in 2 seconds":                             2 * time.Second,
		"Please retry after 26 seconds.":                     26 * time.Second,
		"Please retry after 86400 seconds.":                  24 * time.Hour,
		"Please retry in 25.465784708s.":                     25465784708,
		"try again in 1 minute 30 seconds":                   90 * time.Second,
		"Try again in 1h2m":                                  62 * time.Minute,
		"try again in 3 days":                                72 * time.Hour,
		"try again in 999999999999999999999999 hours":        classify.MaxRetryAfter,
		"try again in a moment, or retry in 5s":              5 * time.Second,
		"try again in 5 apples":                              0,
		"retry after 5":                                      0, // of what?
		"retry after 5, please":                              0,
		"try again in -5s":                                   0,
		"try again in":                                       0,
		"try again later":                                    0,
		"in 5s":                                              0,
		"":                                                   0,
	} {
		ev := &endwell.Evidence{Status: 429, Message: text}
		require.Equal(t, want, classify.RetryAfter(ev, newYear), text)
	}
}

func TestResetsAndTextCountForLimitsOnly(t *testing.T) {
	ev := &endwell.Evidence{Status: 500, Message: "try again in 5s", Header: http.Header{"X-Ratelimit-Reset": {"9"}}}
	require.Zero(t, classify.RetryAfter(ev, newYear))
	ev.Header["Retry-After"] = []string{"3"}
	require.Equal(t, 3*time.Second, classify.RetryAfter(ev, newYear), "the header counts always")
}

func TestDatesNeedAClock(t *testing.T) {
	ev := &endwell.Evidence{Status: 429, Header: http.Header{
		"Retry-After": {"Thu, 01 Jan 2026 00:00:10 GMT"}, "X-Ratelimit-Reset": {"1767225620"},
	}}
	require.Zero(t, classify.RetryAfter(ev, time.Time{}))
}
