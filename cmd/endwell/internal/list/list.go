// Package list is the command that prints the dialects.
package list

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/dialects"
)

const usage = `Usage: endwell dialects

Prints the systems whose streams are understood: how bytes become frames, what proves
that an answer is whole, what shows that the system is alive, which finish words are
faults. The table is made from the code itself.
`

// Run is the command. It returns the exit code.
func Run(stdout, stderr io.Writer, args []string) int {
	if code, ok := cli.New("dialects", usage, stdout, stderr).Alone(args); !ok {
		return code
	}
	print(stdout)
	return 0
}

// print prints a block for each wire family, since what a family's systems share is
// the same text for all of them, and a line for each system.
func print(w io.Writer) {
	for _, family := range families() {
		all := family.dialects
		f := all[0].Facts()
		_, _ = fmt.Fprintf(w, "%s\n", family.name)
		_, _ = fmt.Fprintf(w, "  framing     %s\n", f.Framing)
		_, _ = fmt.Fprintf(w, "  whole       %s\n", f.Terminal)
		_, _ = fmt.Fprintf(w, "  keep-alive  %s\n", orNone(f.KeepAlive))
		_, _ = fmt.Fprintf(w, "  faults      %s\n", orNone(f.Faults))
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, d := range all {
			_, _ = fmt.Fprintf(tw, "    %s\t%s\n", d.Name(), note(d.Facts(), f))
		}
		_ = tw.Flush()
		_, _ = io.WriteString(w, "\n")
	}
}

type family struct {
	name     dialects.Family
	dialects []*dialects.Dialect
}

// families groups the dialects, in the order of their names.
func families() []family {
	var all []family
	at := map[dialects.Family]int{}
	for _, name := range dialects.Names() {
		d := dialects.MustByName(name)
		i, ok := at[d.Family()]
		if !ok {
			i = len(all)
			at[d.Family()] = i
			all = append(all, family{name: d.Family()})
		}
		all[i].dialects = append(all[i].dialects, d)
	}
	return all
}

// note is what is special about a system, with the facts that differ from its
// family's first.
func note(f, base dialects.Facts) string {
	s := f.Note
	for _, p := range []struct{ label, value, base string }{
		{"framing: ", f.Framing, base.Framing},
		{"whole: ", f.Terminal, base.Terminal},
		{"keep-alive: ", f.KeepAlive, base.KeepAlive},
		{"faults: ", f.Faults, base.Faults},
	} {
		if p.value != p.base {
			s += "; " + p.label + p.value
		}
	}
	return s
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
