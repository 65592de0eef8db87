package clients

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every client concludes what it should, and what RESULTS.md says.
func TestResults(t *testing.T) {
	written := readResults(t)
	used := map[string]Keeps{}
	for _, r := range Measure(Clients()) {
		t.Run(r.Client.Name+"/"+r.Ending.Name, func(t *testing.T) {
			require.Empty(t, r.Wrong())
			require.Equal(t, written[r.Client.Name][r.Ending.Name], r.after(), "RESULTS.md is not what happens: go run ./clients/results -o RESULTS.md")
		})
		used[r.Client.Name] |= r.kept()
	}
	for _, c := range Clients() {
		require.Equal(t, c.Keeps, used[c.Name], "%s keeps less than it is said to", c.Name)
	}
}

// kept is what the SDK kept from the program in this call.
func (r Row) kept() (k Keeps) {
	switch {
	case r.Ending.Stop == Cancels && r.Guarded.Err == nil:
		return Cancellation
	case r.Guarded.Held:
		return Connection
	case r.Ending.Stop != Never || r.Ending.Whole() || r.told():
		return 0
	default:
		for _, one := range []Keeps{Faults, Types, Calls} {
			r.Client.Keeps = one
			if r.keeps() {
				k |= one
			}
		}
		return k
	}
}

// readResults reads the cells about endwell in RESULTS.md, by client and ending.
func readResults(t *testing.T) map[string]map[string][]string {
	b, err := os.ReadFile("../RESULTS.md")
	require.NoError(t, err)
	cells, client := map[string]map[string][]string{}, ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			client, cells[name] = name, map[string][]string{}
			continue
		}
		row := strings.Split(strings.Trim(line, "| "), " | ")
		if client != "" && len(row) == 4 {
			cells[client][row[0]] = row[2:]
		}
	}
	return cells
}
