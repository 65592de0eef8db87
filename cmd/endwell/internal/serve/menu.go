package serve

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/endwell-go/endwell/endwelltest"
)

// menu is what GET / says.
func menu(url string) string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "Base URL: %s/ENDING, and behind it the path that the client asks for anyway.\n\nEndings:\n\n", url)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, e := range endwelltest.Endings() {
		_, _ = fmt.Fprintf(tw, "  %s/%s\t%s\n", url, e.Name, e.What)
	}
	_ = tw.Flush()
	_, _ = fmt.Fprintf(&b, "\nPaths, and the wires that they speak:\n\n")
	for _, w := range endwelltest.Wires() {
		_, _ = fmt.Fprintf(tw, "  %s\t%s\n", w.Path(), w)
	}
	_ = tw.Flush()
	_, _ = fmt.Fprintf(&b, `
Settings stand in front of the ending:

  %[1]s/after=3/cut       says three pieces of text before the ending
  %[1]s/every=200ms/cut   pauses after each frame
`, url)
	return b.String()
}

// endings is the names of all endings.
func endings() string {
	all := make([]string, 0, 40)
	for _, e := range endwelltest.Endings() {
		all = append(all, e.Name)
	}
	return strings.Join(all, ", ")
}

// names is the names of values.
func names[T fmt.Stringer](all []T) string {
	var s []string
	for _, v := range all {
		s = append(s, v.String())
	}
	return strings.Join(s, ", ")
}
