package endwelltest

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/endwell-go/endwell"
)

// inspection is what a check notes of the chunks of one answer.
type inspection struct {
	chunks  []endwell.Chunk // as they were handed out
	copies  []endwell.Chunk // as they were then
	state   endwell.End
	emitted bool
}

// add looks at a chunk before the next Recv.
func (n *inspection) add(b *bench, c endwell.Chunk) {
	wellFormed(b, c)
	raw := bytes.Clone(c.Raw)
	n.copies = append(n.copies, copyOf(c))
	n.chunks = append(n.chunks, c)
	if len(n.chunks) <= 8 && len(raw) > 0 {
		settle() // for a reader that runs ahead
		if !bytes.Equal(raw, c.Raw) {
			b.failf("Raw of a chunk of kind %v changed before the next Recv", c.Kind)
		}
	}
	n.emitted = n.emitted || c.Emission()
	if c.End != endwell.Unstated {
		n.state = c.End
	}
}

// whole judges the end of an answer that should be whole.
func (n *inspection) whole(b *bench, end error) {
	switch {
	case end == io.EOF:
	case errors.Is(end, io.EOF):
		b.failf("a whole answer ended with %v, which wraps io.EOF and is not io.EOF", end)
	default:
		b.failf("a whole answer ended with %v", end)
	}
	if len(n.chunks) < 2 {
		b.failf("the answer has %d chunks, too few to check anything: it must have two or more", len(n.chunks))
	}
	if !n.emitted {
		b.failf("the answer emits nothing")
	}
	if n.state < endwell.MayEnd {
		b.failf("the answer ended in the state %v: no chunk said that it may end, so a stack above takes it for truncated", n.state)
	}
}

// kept checks that what was handed out is as it was. Raw may have changed.
func (n *inspection) kept(b *bench) {
	for i, c := range n.chunks {
		was := n.copies[i]
		c.Raw, was.Raw = nil, nil
		if !reflect.DeepEqual(c, was) {
			b.failf("a chunk of kind %v changed after it was handed out, in %s", c.Kind, difference(was, c))
		}
	}
}

// wellFormed checks that a chunk has what its kind promises.
func wellFormed(b *bench, c endwell.Chunk) {
	bad := func(what string) { b.failf("a chunk of kind %v %s", c.Kind, what) }
	if !slices.Contains(endwell.Kinds(), c.Kind) || !slices.Contains(endwell.Ends(), c.End) || c.Index < 0 {
		bad("has a kind, a state or an index that does not exist")
	}
	if c.Text != "" && c.Kind != endwell.KindText {
		bad("has Text: that is answer text and nothing else")
	}
	if c.Elided && (c.Text != "" || c.Detail != "") {
		bad("says that its text was left out, and has it")
	}
	if (c.ToolCall != nil) != (c.Kind == endwell.KindToolCall) {
		bad("has a ToolCall where it should not, or none where it should")
	}
	if (c.Usage != nil) != (c.Kind == endwell.KindUsage) {
		bad("has a Usage where it should not, or none where it should")
	}
	if (c.Finish != endwell.FinishNone) != (c.Kind == endwell.KindFinish) {
		bad("has a Finish where it should not, or none where it should")
	}
}

// copyOf copies what the receiver of a chunk owns.
func copyOf(c endwell.Chunk) endwell.Chunk {
	c.Raw = bytes.Clone(c.Raw)
	c.ToolCall = cloned(c.ToolCall)
	c.Usage = cloned(c.Usage)
	return c
}

func cloned[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// difference names the fields in which two chunks differ.
func difference(was, is endwell.Chunk) string {
	a, b := reflect.ValueOf(was), reflect.ValueOf(is)
	var names []string
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			names = append(names, a.Type().Field(i).Name)
		}
	}
	return strings.Join(names, ", ")
}
