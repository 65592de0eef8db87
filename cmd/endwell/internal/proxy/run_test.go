package proxy

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUsage(t *testing.T) {
	up := []string{"-upstream", "http://127.0.0.1:1"}
	for name, row := range map[string]struct {
		args []string
		code int
		says string
	}{
		"help":                        {[]string{"-h"}, 0, "OPENAI_BASE_URL=http://127.0.0.1:8787/v1"},
		"nothing":                     {nil, 2, "-upstream is missing"},
		"an argument":                 {append(up, "x"), 2, "unexpected argument"},
		"an unknown flag":             {[]string{"-x"}, 2, "not defined"},
		"no URL":                      {[]string{"-upstream", "api.openai.com"}, 2, "no URL of http"},
		"a key in the URL":            {[]string{"-upstream", "https://x:sk-test@h"}, 2, "a user, a query"},
		"a query in the URL":          {[]string{"-upstream", "https://h/?key=1"}, 2, "a user, a query"},
		"an unknown dialect":          {append(up, "-dialect", "nobody"), 2, "not supported"},
		"no attempt":                  {append(up, "-attempts", "0"), 2, "-attempts"},
		"no hold":                     {append(up, "-hold", "0s"), 2, "-hold"},
		"a negative drain":            {append(up, "-drain", "-1s"), 2, "-drain"},
		"all addresses":               {append(up, "-listen", ":8787"), 2, "-public"},
		"an address of a network":     {append(up, "-listen", "192.0.2.1:8787"), 2, "-public"},
		"no address":                  {append(up, "-listen", "127.0.0.1"), 2, "no address"},
		"an address that is no one's": {append(up, "-listen", "192.0.2.1:8787", "-public"), 1, "192.0.2.1"},
		"a ledger in no folder":       {append(up, "-ledger", filepath.Join(t.TempDir(), "no", "ledger")), 1, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.Equal(t, row.code, run(&out, row.args, nil), out.String())
			require.Contains(t, out.String(), row.says)
			require.NotContains(t, out.String(), "sk-test")
		})
	}
	require.LessOrEqual(t, strings.Count(usage[:strings.Index(usage, "Flags:")], "\n"), 17)
}
