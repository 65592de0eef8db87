package perf

import (
	"fmt"
	"math"
	"strings"

	"github.com/endwell-go/endwell/interop/decode"
)

// Section is what came out of a piece of the report.
type Section struct {
	Piece  Piece
	Tables []Table
	Goals  []Goal
}

// Table is a table of the report.
type Table struct {
	// Caption is a paragraph in Markdown that stands before it; "" is none.
	Caption string
	// Head names the columns. All but the first hold numbers.
	Head []string
	Rows [][]string
}

// Goal is a figure that was to be reached.
type Goal struct {
	// What says what the figure is.
	What string
	// Got is what was measured.
	Got float64
	// Limit is the most that Got may be or, when Least is set, the least. Below makes
	// it a limit that Got must not touch.
	Limit        float64
	Least, Below bool
	// Unit follows the figures: "×", " ns", " %".
	Unit string
	// Way is what stands in the way, as a sentence, for when the goal was missed.
	Way string
}

// Met reports whether the goal was reached.
func (g Goal) Met() bool {
	switch {
	case g.Least:
		return g.Got >= g.Limit
	case g.Below:
		return g.Got < g.Limit
	default:
		return g.Got <= g.Limit
	}
}

// Verdict is "met", or by how much the goal was missed.
func (g Goal) Verdict() string {
	switch {
	case g.Met():
		return "met"
	case g.Limit == 0:
		return "**MISSED** by " + figure(g.Got) + g.Unit
	default:
		return fmt.Sprintf("**MISSED** by %.0f %%", math.Max(1, 100*math.Abs(g.Got/g.Limit-1)))
	}
}

func (g Goal) limit() string {
	word := "at most "
	if g.Least {
		word = "at least "
	} else if g.Below {
		word = "less than "
	}
	return word + figure(g.Limit) + g.Unit
}

// figure renders a number with about three digits.
func figure(x float64) string {
	switch a := math.Abs(x); {
	case x == math.Trunc(x) || a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}

// row is a row of a table of costs.
func row(t track, more ...string) []string {
	return append([]string{t.name, figure(t.cost().Nanos), bytesOf(t.cost()), fmt.Sprintf("%.1f", t.cost().Allocs)}, more...)
}

func bytesOf(c decode.Cost) string { return fmt.Sprintf("%.0f", c.Bytes) }

// times renders a ratio.
func times(x float64) string { return figure(x) + " ×" }

// Render renders the report as Markdown. The command is the one that writes it.
func Render(sections []Section, command string, s Settings) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What endwell costs

Written by `+"`%s`"+` in the folder interop, on %s. %d rounds, but for what takes long.

Everything ran in one process on the same bytes, in turn, each side with a collected
heap. Times are %s. Costs are medians of the rounds and belong to this machine on that day, which had
other work too. Ratios are medians of the rounds' ratios; they are what may be quoted.
A chunk is a frame with text, of 250 to 350 bytes, and what differs from frame to frame
on a real wire (padding, counters) differs here.

`, command, machine(), s.rounds(), s.clock())
	writeGoals(&b, sections)
	for _, sec := range sections {
		fmt.Fprintf(&b, "## %d. %s\n\n%s\n", sec.Piece.Number, sec.Piece.Title, sec.Piece.About)
		for _, t := range sec.Tables {
			t.write(&b)
		}
		b.WriteString("\n")
	}
	b.WriteString("## Versions\n\n")
	for _, v := range versions() {
		b.WriteString("- " + v + "\n")
	}
	return b.String()
}

func (s Settings) clock() string {
	if s.CPU {
		return "CPU times of the process"
	}
	return "what passed on the clock, but for sockets"
}

// writeGoals writes all goals, and what stands in the way of those that were missed.
func writeGoals(b *strings.Builder, sections []Section) {
	b.WriteString("## Goals\n\n| | goal | | measured | |\n|--:|---|--:|--:|---|\n")
	var missed strings.Builder
	for _, sec := range sections {
		for _, g := range sec.Goals {
			fmt.Fprintf(b, "| %d | %s | %s | %s | %s |\n", sec.Piece.Number, g.What, g.limit(), figure(g.Got)+g.Unit, g.Verdict())
			if !g.Met() {
				fmt.Fprintf(&missed, "- %d, %s (%s, measured %s): %s\n", sec.Piece.Number, g.What, g.limit(), figure(g.Got)+g.Unit, g.way())
			}
		}
	}
	if missed.Len() > 0 {
		b.WriteString("\nWhat stands in the way of what was missed:\n\n" + missed.String())
	}
	b.WriteString("\n")
}

func (g Goal) way() string {
	if g.Way == "" {
		return "not known yet."
	}
	return g.Way
}

func (t Table) write(b *strings.Builder) {
	b.WriteString("\n")
	if t.Caption != "" {
		b.WriteString(t.Caption + "\n\n")
	}
	b.WriteString("| " + strings.Join(t.Head, " | ") + " |\n|---" + strings.Repeat("|--:", len(t.Head)-1) + "|\n")
	for _, r := range t.Rows {
		b.WriteString("| " + strings.Join(r, " | ") + " |\n")
	}
}
