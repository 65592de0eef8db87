package demo

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func intro(n int) string {
	return fmt.Sprintf(`endwell demo: a faulty gateway on 127.0.0.1 plays %s to two clients. This takes about %s.

  plain    what most programs do: post, read lines until [DONE] or the end of the body. It knows two errors, a status
           other than 200 and a failed read. Where it waits for ever it is left after %s. An exclamation mark shows where
           it takes a bad ending for a finished answer.
  endwell  the same request through transport.New and middleware.Standard. The rows about time have a short bound: %s to
           the first output, %s of silence, %s without progress. Only the row with the 429 has retries.

`, plural(n, "ending"), patience, patience, first, idle, progress)
}

var header = []string{" #", "what the wire did", "what plain concluded", "endwell: fault / category", "retryable", "text kept"}

// table renders the results: a line of columns each, and below it the sentence for
// a person.
func table(results []result) string {
	lines := [][]string{header}
	for i, r := range results {
		lines = append(lines, r.columns(i+1))
	}
	width := widths(lines)
	var b strings.Builder
	line := strings.Repeat("-", total(width)) + "\n"
	b.WriteString(align(header, width) + line)
	for i, r := range results {
		b.WriteString(align(lines[i+1], width))
		for _, note := range r.notes() {
			b.WriteString(wrap(note, strings.Repeat(" ", width[0]+gutter), total(width)))
		}
	}
	return b.String() + line
}

func (r result) columns(n int) []string {
	return []string{
		fmt.Sprintf("%2d", n), r.row.wire, r.plainColumn(), r.guarded.column(), r.guarded.retryColumn(), r.guarded.kept(),
	}
}

// plainColumn says what the plain client concluded, with a mark where it was
// fooled.
func (r result) plainColumn() string {
	mark := "  "
	if r.fooled() {
		mark = "! "
	}
	switch r.plain.kind {
	case failed:
		return mark + "error: " + clip(reason(r.plain.why), maxReason)
	case waiting:
		return fmt.Sprintf("%s%s after %s, %s", mark, r.plain.kind, r.row.patience(), count(r.plain.text))
	default:
		return fmt.Sprintf("%s%s, %s", mark, r.plain.kind, count(r.plain.text))
	}
}

func count(text string) string {
	if n := len(strings.Fields(text)); n > 0 {
		return plural(n, "word")
	}
	return "no text"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func (e ending) column() string {
	switch {
	case e.kind == failed:
		return named(e.fault, e.category)
	case e.kind == finished:
		return "whole"
	default:
		return e.kind.String()
	}
}

func (e ending) retryColumn() string {
	switch {
	case e.kind != failed:
		return "-"
	case e.retryable:
		return "yes"
	default:
		return "no"
	}
}

// kept is what the caller has of the answer.
func (o outcome) kept() string {
	s := o.call
	if o.text != "" {
		s = fmt.Sprintf("%q", o.text)
	}
	switch {
	case s == "":
		return "nothing"
	case o.cutOff:
		return s + ", cut off"
	default:
		return s
	}
}

// notes are the lines below a row: the sentence, the ledger, and what is wrong.
func (r result) notes() []string {
	var all []string
	if e := r.guarded.err; e != nil {
		all = append(all, e.Message())
	}
	if r.guarded.ledger != "" {
		all = append(all, "Ledger: "+r.guarded.ledger+".")
	}
	for _, w := range r.wrong() {
		all = append(all, "WRONG: "+w)
	}
	return all
}

const gutter = 2

func widths(lines [][]string) []int {
	w := make([]int, len(header))
	for _, line := range lines {
		for i, cell := range line {
			w[i] = max(w[i], utf8.RuneCountInString(cell))
		}
	}
	return w
}

func align(cells []string, width []int) string {
	var b strings.Builder
	for i, cell := range cells {
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)+gutter))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// total is the width of a line of the table.
func total(width []int) int {
	n := -gutter
	for _, w := range width {
		n += w + gutter
	}
	return n
}

// maxReason bounds the text of an error in its column, since some systems say a
// whole sentence.
const maxReason = 26

// clip cuts text to at most n characters.
func clip(text string, n int) string {
	if all := []rune(text); len(all) > n {
		return string(all[:n-3]) + "..."
	}
	return text
}

// wrap breaks text between words so that no line, indent included, is wider than
// width if it can be helped.
func wrap(text, indent string, width int) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
