package js_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const preface = `# What JavaScript clients conclude

Written by ` + "`go test ./js -update`" + `, and held by the test: all but the column that says
*direct*. Each program asks once, over HTTP/1.1 on loopback, with the SDK's own retries
off: the faulty gateway itself, then ` + "`endwell proxy`" + ` in front of it, and nginx or Caddy
between the two. *nginx* is set up for streams (HTTP/1.1, no buffering); *nginx, as it
comes* has no setting. Where an answer stalls, the bounds are ` + bound + `.

END is an answer that ended as far as the client tells, and *hangs* is no ending at all.
All else is the class of the error that the program gets, with the status and the code
that are in it.

`

// document is RESULTS.md.
func document(rows []row) string {
	var b strings.Builder
	b.WriteString(preface)
	summary(&b, rows)
	b.WriteString("\n# The endings\n\n| ending | what happens |\n|---|---|\n")
	for _, e := range endings() {
		fmt.Fprintf(&b, "| %s | %s |\n", e.name, e.what)
	}
	for i, r := range rows {
		if i == 0 || rows[i-1].client.name != r.client.name {
			fmt.Fprintf(&b, "\n## %s\n\n| ending | direct | %s |\n|---|---%s|\n", r.client.name, strings.Join(through, " | "), strings.Repeat("|---", len(through)))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.ending.name, strings.Join(r.cells(), " | "))
	}
	return b.String()
}

// summary is a line for each client.
func summary(b *strings.Builder, rows []row) {
	fmt.Fprintf(b, "Of %d faults, those that look like an end, and of %d whole answers, the false alarms:\n\n", faults(rows), len(endings())-faults(rows))
	fmt.Fprintf(b, "| client | ends, direct | hang, direct | ends: %s | hang | false alarms | text lost |\n|---|---|---|---%s|---|---|---|\n",
		strings.Join(through, " | "), strings.Repeat("|---", len(through)-1))
	for _, c := range clients {
		fmt.Fprintf(b, "| %s | %s |\n", c.name, strings.Join(count(rows, c), " | "))
	}
	b.WriteString("\n")
	for _, c := range clients {
		if c.hint != "" {
			fmt.Fprintf(b, "- **%s**: %s\n", c.name, c.hint)
		}
	}
}

func faults(rows []row) (n int) {
	for _, r := range rows {
		if r.client.name == clients[0].name && !r.ending.whole() {
			n++
		}
	}
	return n
}

// count are the numbers of a client in the summary.
func count(rows []row, c client) []string {
	ends, hang, alarms, lost := make([]int, 1+len(through)), [2]int{}, 0, 0
	for _, r := range rows {
		if r.client.name != c.name {
			continue
		}
		for i, o := range r.outcomes {
			switch {
			case o.Hung:
				hang[min(i, 1)]++
			case r.ending.whole() && i > 0 && o.Error != nil && r.outcomes[0].Error == nil:
				alarms++
			case r.ending.whole() && o.Error == nil && o.Text != said:
				lost++
			case !r.ending.whole() && o.Error == nil:
				ends[i]++
			}
		}
	}
	numbers := slices.Concat([]int{ends[0], hang[0]}, ends[1:], []int{hang[1], alarms, lost})
	cells := make([]string, len(numbers))
	for i, n := range numbers {
		cells[i] = strconv.Itoa(n)
	}
	return cells
}

// cells are what the client concluded: direct, and by each way through.
func (r row) cells() (cells []string) {
	for _, o := range r.outcomes {
		cells = append(cells, o.cell())
	}
	return cells
}

func (o outcome) cell() string {
	switch {
	case o.Hung:
		return "hangs"
	case o.Error == nil:
		return "END"
	}
	cell := "`" + o.Error.Name + "`"
	if o.Error.Status != 0 {
		cell += " " + strconv.Itoa(o.Error.Status)
	}
	if o.Error.Code != "" {
		cell += " " + o.Error.Code
	}
	return cell
}
