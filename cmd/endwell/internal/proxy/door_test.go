package proxy

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDoor(t *testing.T) {
	for name, row := range map[string]struct {
		door   door
		host   string
		origin string
		refuse int
	}{
		"a program":                        {door{}, "127.0.0.1:8787", "", 0},
		"by name":                          {door{}, "localhost:8787", "", 0},
		"by name with a dot":               {door{}, "LOCALHOST.:8787", "", 0},
		"by a name below localhost":        {door{}, "proxy.localhost:8787", "", 0},
		"IPv6":                             {door{}, "[::1]:8787", "", 0},
		"IPv6 without a port":              {door{}, "[::1]", "", 0},
		"another address of the loopback":  {door{}, "127.1.2.3", "", 0},
		"a name that was made point here":  {door{}, "evil.example:8787", "", 403},
		"a name that looks like localhost": {door{}, "localhost.evil.example", "", 403},
		"an address of a network":          {door{}, "10.0.0.1:8787", "", 403},
		"no host":                          {door{}, "", "", 403},
		"public, by any name":              {door{public: true}, "proxy.example", "", 0},
		"a page of this machine":           {door{}, "127.0.0.1:8787", "http://localhost:3000", 0},
		"a page of the web":                {door{}, "127.0.0.1:8787", "https://evil.example", 403},
		"a page of the web, public":        {door{public: true}, "127.0.0.1:8787", "https://evil.example", 403},
		"a page in a sandbox":              {door{}, "127.0.0.1:8787", "null", 403},
		"an application":                   {door{}, "127.0.0.1:8787", "vscode-webview://x", 0},
		"a page that is allowed":           {door{origins: []string{"https://app.example"}}, "127.0.0.1", "https://app.example", 0},
		"another page than is allowed":     {door{origins: []string{"https://app.example"}}, "127.0.0.1", "https://app.example.evil.example", 403},
		"all pages":                        {door{origins: []string{"*"}}, "127.0.0.1", "null", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/v1/x", nil)
			r.Host = row.host
			if row.origin != "" {
				r.Header.Set("Origin", row.origin)
			}
			status, why := row.door.refuses(r)
			require.Equal(t, row.refuse, status)
			require.Equal(t, row.refuse == 0, why == "")
		})
	}
	status, why := door{}.refuses(httptest.NewRequest("GET", "http://example.test/v1/x", nil))
	require.Equal(t, 400, status)
	require.Contains(t, why, "HTTP_PROXY")
}
