package endwell_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// word is what every value of a closed enum can do.
type word interface {
	fmt.Stringer
	encoding.TextMarshaler
}

func words[T word](all []T) []word {
	var w []word
	for _, v := range all {
		w = append(w, v)
	}
	return w
}

// enums has every closed enum: all its values, the value 0, and a value that a
// later version might have.
var enums = []struct {
	name          string
	all           []word
	zero, foreign word
	count         int
}{
	{"kinds", words(endwell.Kinds()), endwell.KindMeta, endwell.Kind(200), 9},
	{"ends", words(endwell.Ends()), endwell.Unstated, endwell.End(200), 5},
	{"finishes", words(endwell.Finishes()), endwell.FinishNone, endwell.Finish(200), 8},
	{"faults", words(endwell.Faults()), endwell.Fault(0), endwell.Fault(200), 8},
	{"categories", words(endwell.Categories()), endwell.Category(0), endwell.Category(200), 15},
	{"bounds", words(endwell.Bounds()), endwell.Bound(0), endwell.Bound(200), 3},
	{"evidence kinds", words(endwell.EvidenceKinds()), endwell.Reported, endwell.EvidenceKind(200), 7},
}

func TestEnumsAreClosed(t *testing.T) {
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, e := range enums {
		t.Run(e.name, func(t *testing.T) {
			require.Len(t, e.all, e.count)
			seen := map[string]bool{}
			for _, v := range e.all {
				require.Regexp(t, snake, v.String())
				require.NotRegexp(t, `invalid_\d`, v.String())
				require.False(t, seen[v.String()], "%s twice", v)
				seen[v.String()] = true
				requireText(t, v, v.String())
			}
			require.Regexp(t, snake, e.zero.String())
			require.Equal(t, "invalid_200", e.foreign.String())
			requireText(t, e.foreign, "invalid_200")
		})
	}
}

func requireText(t *testing.T, v word, want string) {
	t.Helper()
	b, err := v.MarshalText()
	require.NoError(t, err)
	require.Equal(t, want, string(b))
	b, err = json.Marshal(map[string]any{"v": v})
	require.NoError(t, err)
	require.JSONEq(t, `{"v":"`+want+`"}`, string(b))
}

// One past the last value has no name: a value without its name would shift all
// those behind it.
func TestEnumsHaveANameForEachValueAndNoMore(t *testing.T) {
	require.Equal(t, "invalid_9", endwell.Kind(len(endwell.Kinds())).String())
	require.Equal(t, "invalid_5", endwell.End(len(endwell.Ends())).String())
	require.Equal(t, "invalid_8", endwell.Finish(len(endwell.Finishes())).String())
	require.Equal(t, "invalid_9", endwell.Fault(len(endwell.Faults())+1).String())
	require.Equal(t, "invalid_16", endwell.Category(len(endwell.Categories())+1).String())
	require.Equal(t, "invalid_4", endwell.Bound(len(endwell.Bounds())+1).String())
	require.Equal(t, "invalid_7", endwell.EvidenceKind(len(endwell.EvidenceKinds())).String())
}

func TestFaultsAndCategoriesAreErrors(t *testing.T) {
	for _, f := range endwell.Faults() {
		require.Equal(t, f.String(), f.Error())
		require.True(t, errors.Is(fmt.Errorf("wrapped: %w", f), f))
	}
	for _, c := range endwell.Categories() {
		require.Equal(t, c.String(), c.Error())
	}
	require.False(t, errors.Is(endwell.Unreachable, endwell.AuthMissing), "both are 1")
}

func TestTransientCategories(t *testing.T) {
	transient := map[endwell.Category]bool{
		endwell.RateLimited: true, endwell.Overloaded: true, endwell.Network: true, endwell.Timeout: true,
		endwell.ServerError: true, endwell.MalformedResponse: true,
	}
	for _, c := range append(endwell.Categories(), 0, 200) {
		require.Equal(t, transient[c], c.Transient(), c)
	}
}

func TestEmissions(t *testing.T) {
	emission := map[endwell.Kind]bool{
		endwell.KindText: true, endwell.KindReasoning: true, endwell.KindRefusal: true,
		endwell.KindToolCall: true, endwell.KindOutput: true,
	}
	for _, k := range append(endwell.Kinds(), 200) {
		require.Equal(t, emission[k], k.Output(), k)
	}
}
