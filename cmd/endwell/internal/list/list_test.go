package list

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/dialects"
)

func TestEveryDialectIsListed(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 0, Run(&out, &errs, nil))
	require.Empty(t, errs.String())
	for _, name := range dialects.Names() {
		require.Contains(t, out.String(), "    "+name+"  ")
	}
	for _, line := range strings.Split(out.String(), "\n") {
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		code int
		out  string
		errs string
	}{
		{"help", []string{"-h"}, 0, usage, ""},
		{"unknown flag", []string{"-x"}, 2, "", "endwell dialects: flag provided but not defined: -x; endwell dialects -h explains\n"},
		{"an argument", []string{"openai"}, 2, "", "endwell dialects: unexpected argument \"openai\"; endwell dialects -h explains\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			require.Equal(t, tt.code, Run(&out, &errs, tt.args))
			require.Equal(t, tt.out, out.String())
			require.Equal(t, tt.errs, errs.String())
		})
	}
}
