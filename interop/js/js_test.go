// Package js_test asks with JavaScript SDKs, in Node, for answers that end badly: of
// the gateway itself, and through `endwell proxy`, also with nginx or Caddy behind it.
// RESULTS.md has what they conclude. `go test ./js -update` writes it.
package js_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write RESULTS.md")

const resultsFile = "RESULTS.md"

// Every client sees every fault as an error, and hears whole answers whole.
func TestClients(t *testing.T) {
	needs(t)
	g := newGateway(t)
	ways := newWays(t, g.URL)
	rows := measure(t, ways)
	written := readResults(t)
	for _, r := range rows {
		t.Run(r.client.name+"/"+r.ending.name, func(t *testing.T) {
			require.Empty(t, r.wrong())
			if !*update {
				require.Equal(t, r.cells()[1:], written[r.client.name][r.ending.name], "%s is not what happens: go test ./js -update", resultsFile)
			}
		})
	}
	require.NotEqual(t, "0", count(rows, clients[0])[0], "without endwell there are faults that look like an end")
	for name, n := range g.counts() {
		require.LessOrEqual(t, n, len(clients)*len(ways), "%s: nothing is sent again", name)
	}
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(resultsFile, []byte(document(rows)), 0o644))
	}
}

// readResults reads the cells about endwell, by client and ending.
func readResults(t *testing.T) map[string]map[string][]string {
	cells, client := map[string]map[string][]string{}, ""
	b, err := os.ReadFile(resultsFile)
	if !*update {
		require.NoError(t, err)
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			client, cells[name] = name, map[string][]string{}
			continue
		}
		c := strings.Split(strings.Trim(line, "| "), " | ")
		if client != "" && len(c) == 2+len(through) {
			cells[client][c[0]] = c[2:]
		}
	}
	return cells
}
