package demo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrap(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"short", "one two", "  one two\n"},
		{"exactly full", "one two three", "  one two\n  three\n"},
		{"a word wider than the line", "a incomprehensible b", "  a\n  incomprehensible\n  b\n"},
		{"nothing", "", "  \n"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, wrap(tc.text, "  ", 9)) })
	}
}

func TestClip(t *testing.T) {
	require.Equal(t, "connection refused", clip("connection refused", 18))
	require.Equal(t, "connection refu...", clip("connection refused!", 18))
}

func TestKept(t *testing.T) {
	require.Equal(t, "nothing", outcome{}.kept())
	require.Equal(t, `"All's well that", cut off`, outcome{text: three, cutOff: true}.kept())
	require.Equal(t, "weather({}), cut off", outcome{call: "weather({})", cutOff: true}.kept())
}

func TestColumnsOfEachEnding(t *testing.T) {
	for _, tc := range []struct {
		name        string
		e           ending
		says, retry string
	}{
		{"whole", ending{outcome: outcome{kind: finished}}, "whole", "-"},
		{"stopped", ending{outcome: outcome{kind: stopped}}, "stopped by the caller", "-"},
		{"foreign", ending{}, "outside of the contract", "-"},
		{"retryable", ending{outcome: bad(1, 1, true, "")}, "unreachable / auth_missing", "yes"},
		{"not retryable", ending{outcome: bad(1, 1, false, "")}, "unreachable / auth_missing", "no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.says, tc.e.column())
			require.Equal(t, tc.retry, tc.e.retryColumn())
		})
	}
}
