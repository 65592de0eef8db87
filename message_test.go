package endwell_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// everyError is an error for every pair of fault and category, transient or not,
// with every bound, with everything known or nothing.
func everyError(yield func(*endwell.Error) bool) {
	for _, f := range append(endwell.Faults(), 0, 200) {
		for _, c := range append(endwell.Categories(), 0, 200) {
			for _, b := range append(endwell.Bounds(), 0, 200) {
				for _, transient := range []bool{true, false} {
					bare := endwell.Error{Fault: f, Category: c, Transient: transient, Bound: b}
					full := bare
					full.Model, full.Provider, full.RequestID, full.Code = "small", "openai", "req_1", "slow"
					full.Status, full.Waited, full.RetryAfter = 503, 90*time.Second, 1600*time.Millisecond
					if !yield(&bare) || !yield(&full) {
						return
					}
				}
			}
		}
	}
}

func TestMessageIsCompleteForEveryError(t *testing.T) {
	for e := range everyError {
		m := e.Message()
		at := fmt.Sprintf("%s: %q", e, m)
		require.NotContains(t, m, "{", at)
		require.NotContains(t, m, "}", at)
		require.NotContains(t, m, "  ", at)
		require.NotContains(t, m, "..", at)
		require.NotContains(t, m, "()", at)
		require.Regexp(t, `^(small|[A-Z]).*[a-z)0-9]\. [A-Z].*[a-z0-9]\.$`, m, at)
		if e.Model == "" {
			require.Regexp(t, `(?i)the model`, m, at)
		} else {
			require.Contains(t, m, "small", at)
		}
	}
}

var sentence = regexp.MustCompile(`\. ([A-Z].*)$`)

// What to do is what a category stands for, so no two say the same.
func TestMessageHasAnActionForEachCategory(t *testing.T) {
	for _, f := range endwell.Faults() {
		for _, transient := range []bool{true, false} {
			seen := map[string]endwell.Category{}
			for _, c := range endwell.Categories() {
				m := sentence.FindStringSubmatch((&endwell.Error{Fault: f, Category: c, Transient: transient}).Message())
				require.Len(t, m, 2)
				require.NotContains(t, seen, m[1], "%s and %s", seen[m[1]], c)
				seen[m[1]] = c
			}
		}
	}
}

func TestMessageSaysWhatHappened(t *testing.T) {
	seen := map[string]endwell.Fault{}
	for _, f := range endwell.Faults() {
		m := sentence.ReplaceAllString((&endwell.Error{Fault: f, Category: endwell.Network, Model: "small"}).Message(), "")
		require.NotContains(t, seen, m, "%s and %s", seen[m], f)
		seen[m] = f
	}
}

func TestMessage(t *testing.T) {
	wait := func(d time.Duration) *endwell.Error {
		return &endwell.Error{Fault: endwell.Refused, Category: endwell.RateLimited, RetryAfter: d, Status: 429, Provider: "p", Model: "m"}
	}
	stall := func(b endwell.Bound, d time.Duration) *endwell.Error {
		return &endwell.Error{Fault: endwell.Stalled, Category: endwell.Timeout, Bound: b, Waited: d, Model: "m"}
	}
	serve := func(transient bool, id string) *endwell.Error {
		return &endwell.Error{Fault: endwell.Faulted, Category: endwell.ServerError, Transient: transient, RequestID: id}
	}
	for _, row := range []struct {
		name string
		e    *endwell.Error
		want string
	}{
		{"a wait of seconds", wait(1400 * time.Millisecond), "m did not answer: p refused the request (HTTP 429). Too many requests: wait 1s, then try again."},
		{"a wait below a second", wait(999 * time.Millisecond), "wait a little, then"},
		{"no wait", wait(0), "wait a little, then"},
		{"a negative wait", wait(-time.Hour), "wait a little, then"},
		{"the longest wait", wait(1<<63 - 1), "wait 2562047h47m16"},
		{"first", stall(endwell.BoundFirst, time.Minute), "m stalled: no output began within 1m0s. "},
		{"idle", stall(endwell.BoundIdle, time.Minute), "m stalled: nothing arrived for 1m0s. "},
		{"progress", stall(endwell.BoundProgress, time.Minute), "no output came for 1m0s. "},
		{"a bound without a length", stall(endwell.BoundIdle, 0), "m stalled. The provider"},
		{"no bound", stall(0, time.Minute), "m stalled. The provider"},
		{"transient, with an id", serve(true, "req_1"), "The model did not finish its answer: the provider reported a fault. The provider is at fault and not the request: try later, and quote request id req_1."},
		{"for good, without an id", serve(false, ""), "pick another model."},
		{"an id that must not be shown", serve(true, secret), "try later."},
		{"empty at the limit", &endwell.Error{Fault: endwell.Empty, Category: endwell.RequestInvalid}, "raise the limit"},
		{"a bad request", &endwell.Error{Fault: endwell.Refused, Category: endwell.RequestInvalid}, "change it before sending"},
		{"malformed for good", &endwell.Error{Fault: endwell.Malformed, Category: endwell.MalformedResponse}, "report it."},
		{"malformed by chance", &endwell.Error{Fault: endwell.Truncated, Category: endwell.MalformedResponse, Transient: true}, "submit it again"},
		{"a name with a placeholder", &endwell.Error{Fault: endwell.Empty, Model: "{status}", Status: 500}, "{status} ended its turn"},
	} {
		t.Run(row.name, func(t *testing.T) { require.Contains(t, row.e.Message(), row.want) })
	}
}

func TestKeyIsStable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range endwell.Faults() {
		for _, c := range endwell.Categories() {
			k := (&endwell.Error{Fault: f, Category: c}).Key()
			require.Equal(t, f.String()+"."+c.String(), k)
			require.False(t, seen[k], k)
			seen[k] = true
		}
	}
	require.Equal(t, "refused.unclassified", (&endwell.Error{Fault: endwell.Refused}).Key())
}

func TestParams(t *testing.T) {
	require.Equal(t, map[string]string{
		"model": "small", "provider": "openai", "status": "504", "code": "slow", "request_id": "req_0f8e",
		"retry_after": "3s", "bound": "idle", "waited": "5m0s", "waited_seconds": "300",
	}, stalled().Params())
	require.Equal(t, map[string]string{"model": "the model", "provider": "the provider"}, new(endwell.Error).Params())
	p := stalled().Params()
	delete(p, "model")
	require.Contains(t, stalled().Params(), "model", "the map is the caller's")
}

func TestLocalize(t *testing.T) {
	german := map[string]string{
		"stalled.timeout": "{model} schweigt seit {waited_seconds} s ({nope}, {status}, {code}{code}, { model }).",
		"empty.timeout":   "",
	}
	asked := ""
	lookup := func(key string) (string, bool) {
		asked = key
		s, ok := german[key]
		return s, ok
	}
	e := stalled()
	require.Equal(t, "small schweigt seit 300 s ({nope}, 504, slowslow, { model }).", e.Localize(lookup))
	require.Equal(t, "stalled.timeout", asked)

	e.Fault = endwell.Broken
	require.Equal(t, e.Message(), e.Localize(lookup), "not in the catalogue")
	require.Equal(t, e.Message(), e.Localize(nil))

	e.Fault = endwell.Empty
	require.Equal(t, "", e.Localize(lookup), "what the catalogue has is taken, also if it is empty")

	e.Fault, e.Model, e.Code = endwell.Stalled, "{code}", ""
	require.True(t, strings.HasPrefix(e.Localize(lookup), "{code} schweigt"), "values are not templates")
	require.Contains(t, e.Localize(lookup), "{code}{code}, {", "an absent value stays visible")
}
