package decode

import (
	"fmt"
	"strings"
)

// Target is how many times dearer an SDK's decode is to be than the dialect's, in
// time.
const Target = 10

// Table renders results as a table in Markdown.
func Table(results []Result) string {
	var b strings.Builder
	b.WriteString("| wire family | bytes a frame | endwell: ns | B | allocs | SDK: ns | B | allocs | SDK's time / endwell's (quartiles) | target |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, r := range results {
		verdict := "met"
		if r.Times[1] < Target {
			verdict = "MISSED"
		}
		fmt.Fprintf(&b, "| %s | %.0f | %s | %s | **%.1f** (%.1f–%.1f) | %s |\n", r.Pair.Family, r.FrameBytes,
			r.Endwell.cells(), r.SDK.cells(), r.Times[1], r.Times[0], r.Times[2], verdict)
	}
	return b.String()
}

func (c Cost) cells() string { return fmt.Sprintf("%.0f | %.0f | %.1f", c.Nanos, c.Bytes, c.Allocs) }
