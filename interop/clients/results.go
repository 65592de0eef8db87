package clients

import (
	"fmt"
	"io"
	"strings"

	"github.com/endwell-go/endwell"
)

// Write writes the document of results.
func Write(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString(preface)
	summary(&b, rows)
	endingList(&b)
	for _, c := range Clients() {
		section(&b, c, rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const preface = `# What clients conclude, before and after

Written by ` + "`go run ./clients/results -o RESULTS.md`" + `; the tests hold the columns about endwell
against what happens. Every client is asked once, over HTTP/1.1 on loopback, with its
own retries off, as it is and over ` + "`transport.Wrap(nil, transport.WrapConfig{})`" + `. The
stall bounds are short, so that nobody has to wait.

`

// summary is a line for each client.
func summary(b *strings.Builder, rows []Row) {
	b.WriteString("| client | faults that look like an end | faults that hang | the right `*endwell.Error` by `errors.As` | the SDK's own error of a refused call, intact | the right one by `transport.WithEnding` | false alarms |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, c := range Clients() {
		n := count(c, rows)
		fmt.Fprintf(b, "| %s | %d → %d | %d → %d | %d of %d | %d of %d | %d of %d | %d of %d |\n", c.Name,
			n.silent[0], n.silent[1], n.hung[0], n.hung[1],
			n.as, n.faults-n.refused, n.own, n.refused, n.ending, n.faults, n.alarms, n.whole)
	}
	b.WriteString("\nThe columns with an arrow are without and with endwell.\n\n")
	for _, c := range Clients() {
		if c.Hint != "" {
			fmt.Fprintf(b, "- **%s**: %s\n", c.Name, c.Hint)
		}
	}
}

// counts are the numbers in a line of the summary.
type counts struct {
	silent, hung                                    [2]int
	faults, refused, whole, as, own, ending, alarms int
}

func count(c Client, rows []Row) (n counts) {
	for _, r := range rows {
		if r.Client.Name != c.Name || r.Ending.Stop != Never {
			continue
		}
		if r.Ending.Whole() {
			n.whole++
			add(&n.alarms, r.Guarded.Err != nil || r.Guarded.Ending != nil)
			continue
		}
		n.faults++
		for i, o := range []Outcome{r.Plain, r.Guarded} {
			add(&n.silent[i], o.Err == nil && !o.Hung)
			add(&n.hung[i], o.Hung)
		}
		refused := r.Ending.Fault == endwell.Refused
		add(&n.refused, refused)
		add(&n.own, refused && r.told())
		add(&n.as, !refused && r.told())
		add(&n.ending, r.known(r.Guarded.Ending))
	}
	return n
}

func add(n *int, ok bool) {
	if ok {
		*n++
	}
}

// endingList says what the endings are.
func endingList(b *strings.Builder) {
	b.WriteString("\n## The endings\n\n| ending | what happens |\n|---|---|\n")
	for _, e := range Endings() {
		fmt.Fprintf(b, "| %s | %s |\n", e.Name, e.What)
	}
}

// section is the table of one client.
func section(b *strings.Builder, c Client, rows []Row) {
	fmt.Fprintf(b, "\n## %s\n\n`%s`. Its own retries: %s.\n\n", c.Name, c.Module, c.Retries)
	b.WriteString("| ending | without endwell | with endwell | `transport.WithEnding` |\n|---|---|---|---|\n")
	for _, r := range rows {
		if r.Client.Name == c.Name {
			fmt.Fprintf(b, "| %s | %s | %s |\n", r.Ending.Name, c.Conclusion(r.Ending, r.Plain), strings.Join(r.after(), " | "))
		}
	}
}

// after are the cells about endwell.
func (r Row) after() []string {
	return []string{r.Client.Conclusion(r.Ending, r.Guarded), EndingOf(r.Ending, r.Guarded)}
}
