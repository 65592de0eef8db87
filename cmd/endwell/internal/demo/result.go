package demo

import "fmt"

// result is what came of a row.
type result struct {
	row     row
	plain   conclusion
	guarded ending
}

// right reports whether both clients did what the row says they have to.
func (r result) right() bool { return len(r.wrong()) == 0 }

// fooled reports whether the plain client took an answer for finished that ended
// badly.
func (r result) fooled() bool { return r.row.want.kind == failed && r.plain.kind == finished }

// wrong says what came out differently, one line each.
func (r result) wrong() []string {
	var diff differences
	p, o, want := r.plain, r.guarded.outcome, r.row.want
	diff.add("plain client", p.kind, r.row.plain.kind)
	diff.add("plain client's text", p.text, r.row.plain.text)
	diff.add("ending", o.kind, want.kind)
	diff.add("fault", o.fault, want.fault)
	diff.add("category", o.category, want.category)
	diff.add("retryable", o.retryable, want.retryable)
	diff.add("bound", o.bound, want.bound)
	diff.add("text kept", o.text, want.text)
	diff.add("tool call", o.call, want.call)
	diff.add("cut off", o.cutOff, want.cutOff)
	diff.add("ledger", o.ledger, want.ledger)
	if r.guarded.foreign != nil {
		diff = append(diff, fmt.Sprintf("error outside of the contract: %v", r.guarded.foreign))
	}
	return diff
}

type differences []string

func (d *differences) add(what string, got, want any) {
	if got != want {
		*d = append(*d, fmt.Sprintf("%s: got %s, want %s", what, shown(got), shown(want)))
	}
}

func shown(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case fmt.Stringer: // before fmt, which prefers a fault's Error
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}
