package proxy

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUsage(t *testing.T) {
	up := []string{"-upstream", "http://127.0.0.1:1"}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	for name, row := range map[string]struct {
		args []string
		code int
		says string
	}{
		"help":                        {[]string{"-h"}, 0, "OPENAI_BASE_URL=http://127.0.0.1:8787/v1"},
		"nothing":                     {nil, 2, "-upstream is missing"},
		"an argument":                 {append(up, "x"), 2, `unexpected argument "x"; endwell proxy -h explains`},
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
		"no address":                  {append(up, "-listen", "127.0.0.1"), 2, "wants host:port"},
		"a port in use":               {append(up, "-listen", l.Addr().String()), 1, "choose another with -listen"},
		"tapes in a file":             {append(up, "-record", file), 1, file},
		"tapes below a file":          {append(up, "-record", filepath.Join(file, "tapes")), 1, file},
		"no unit":                     {append(up, "-first", "5"), 2, "it wants a unit, such as 5s"},
		"no origin":                   {append(up, "-origin", "foo"), 2, "it is no origin: scheme://host"},
		"an origin with a path":       {append(up, "-origin", "https://foo.example/"), 2, "it is no origin"},
		"an address that is no one's": {append(up, "-listen", "192.0.2.1:8787", "-public"), 1, "192.0.2.1"},
		"a ledger in no folder":       {append(up, "-ledger", filepath.Join(t.TempDir(), "no", "ledger")), 1, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.Equal(t, row.code, run(&out, &out, row.args, nil), out.String())
			require.Contains(t, out.String(), row.says)
			require.NotContains(t, out.String(), "sk-test")
		})
	}
	require.LessOrEqual(t, strings.Count(usage[:strings.Index(usage, "Flags:")], "\n"), 20)
}

// What the help has to say is there, and the defaults are those that hold.
func TestHelp(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, exitStopped, run(&out, &errs, []string{"-h"}, nil))
	require.Empty(t, errs.String())
	require.True(t, strings.HasPrefix(out.String(), "Usage: endwell proxy"))
	for _, says := range []string{
		"does not ask for a stream, untouched", "set their retries to 0", `of "before the first output" at most`,
		"(default 10m)", "(default 5m)", "(default 15m)", "(default 1m)", "(default 30s)",
	} {
		require.Contains(t, out.String(), says)
	}
}

func TestReadOrigin(t *testing.T) {
	for s, want := range map[string]string{
		"*": "*", "https://chat.example": "https://chat.example", "HTTPS://Chat.Example:8443": "https://chat.example:8443",
		"https://chat.example:443": "https://chat.example", "http://chat.example:80": "http://chat.example",
		"http://chat.example:443": "http://chat.example:443", "http://[2001:db8::1]:80": "http://[2001:db8::1]",
		"chrome-extension://abcdef": "chrome-extension://abcdef",
		"":                          "", "foo": "", "chat.example": "", "https://": "", "https://u@chat.example": "", "https://chat.example/": "",
		"https://chat.example?x": "", "null": "", "://x": "", "https://*": "https://*", "http://:80": "", "mailto:a@b": "",
	} {
		got, err := readOrigin(s)
		require.Equal(t, want, got, s)
		require.Equal(t, want == "", err != nil, s)
	}
}
