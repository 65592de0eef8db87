package retry_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
)

func sprint(v any) string { return fmt.Sprintf("%v %+v %#v %s", v, v, v, v) }

func TestValidate(t *testing.T) {
	for _, row := range []struct {
		name   string
		policy *retry.Policy
		bad    string
	}{
		{"nil", nil, ""},
		{"zero", &retry.Policy{}, ""},
		{"default", retry.Default(), ""},
		{"no bound on waiting", &retry.Policy{MaxWait: -1}, ""},
		{"negative attempts", &retry.Policy{MaxAttempts: -1}, "MaxAttempts"},
		{"negative elapsed", &retry.Policy{MaxElapsed: -1}, "MaxElapsed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.policy.Validate()
			if row.bad == "" {
				require.NoError(t, err)
				require.NotPanics(t, func() { retry.Always(row.policy) })
				return
			}
			require.ErrorContains(t, err, row.bad)
			require.Panics(t, func() { retry.Always(row.policy) })
			require.Panics(t, func() { retry.ByAgent(nil, row.policy) })
			require.Panics(t, func() { retry.ByAgent(map[string]*retry.Policy{"a": row.policy}, nil) })
		})
	}
}

func TestByAgent(t *testing.T) {
	one, other := retry.Default(), &retry.Policy{}
	agents := map[string]*retry.Policy{"one": one, "off": nil}
	find := retry.ByAgent(agents, other)
	delete(agents, "one")
	require.Same(t, one, find(&endwell.Request{Agent: "one"}))
	require.Nil(t, find(&endwell.Request{Agent: "off"}))
	require.Same(t, other, find(&endwell.Request{Agent: "somebody"}))
	require.Same(t, other, find(&endwell.Request{}))
	require.Same(t, one, retry.Always(one)(&endwell.Request{Agent: "any"}))
}

func TestStopsAreErrors(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range retry.Stops() {
		require.False(t, seen[s.String()], s)
		seen[s.String()] = true
		require.Equal(t, s.String(), s.Error())
		err := error(overloaded().WithCause(s))
		for _, o := range retry.Stops() {
			if o == s {
				require.ErrorIs(t, err, o)
			} else {
				require.NotErrorIs(t, err, o)
			}
		}
	}
	require.Len(t, seen, 9)
	require.Equal(t, "none", retry.Stop(0).String())
	require.Equal(t, "invalid_200", retry.Stop(200).String())
}

func TestEndings(t *testing.T) {
	all, err := json.Marshal(retry.Endings())
	require.NoError(t, err)
	require.JSONEq(t, `["whole","failed","canceled"]`, string(all))
	require.Equal(t, "none", retry.Ending(0).String())
}
