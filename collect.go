package endwell

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// Collect reads a stream to its end, closes it, and returns what it said and how
// it ended: nil when it ended whole, else the error of Recv. The transcript is nil
// if nothing was emitted, also beside a nil error.
func Collect(s Stream) (*Transcript, error) { return CollectFunc(s, func(Chunk) {}) }

// CollectFunc is Collect for a caller who also looks at each chunk as it comes, to
// print it for instance.
func CollectFunc(s Stream, each func(Chunk)) (*Transcript, error) {
	var c Collector
	for chunk, err := range All(s) {
		if err != nil {
			c.End(err)
			return c.Transcript(), err
		}
		c.Add(chunk)
		each(chunk)
	}
	c.End(io.EOF)
	return c.Transcript(), nil
}

// Collector puts a transcript together while a stream goes on: Add for each chunk,
// then End. The zero value is ready. It is for one goroutine.
type Collector struct {
	// OnFirst, when set, is called once, by the Add of the first emission, before
	// it returns: the moment to insert a transcript's row. The emission has been
	// added by then, so Transcript may be called from it.
	OnFirst func(first Chunk)

	choices []*building
	usage   Usage
	chunks  int
	emitted bool
	end     error
}

// building is a choice that still grows.
type building struct {
	index            int
	text, reas, refu strings.Builder
	calls            []*call
	outputs          int
	finish           Finish
	reason           string
}

type call struct {
	index    int
	id, name string
	args     strings.Builder
	free     bool
}

// Add takes the next chunk of the stream.
func (c *Collector) Add(chunk Chunk) {
	c.chunks++
	if chunk.Kind == KindUsage && chunk.Usage != nil {
		c.usage.Merge(*chunk.Usage)
		return
	}
	if chunk.Kind.Output() || chunk.Kind == KindFinish {
		c.choice(chunk.Index).add(chunk)
	}
	if chunk.Emission() && !c.emitted {
		c.emitted = true
		if c.OnFirst != nil {
			c.OnFirst(chunk)
		}
	}
}

// End takes how the stream ended, as Recv said it: io.EOF (or nil) for whole.
func (c *Collector) End(err error) {
	if err == nil {
		err = io.EOF
	}
	c.end = err
}

// Emitted reports whether something was emitted so far.
func (c *Collector) Emitted() bool { return c.emitted }

// Chunks counts the chunks so far.
func (c *Collector) Chunks() int { return c.chunks }

// Usage returns the last counts so far. They are there also when nothing was
// emitted.
func (c *Collector) Usage() Usage { return c.usage }

// Finish returns the class and the raw word with which choice 0 finished;
// FinishNone and "" when it has not. It is there also when nothing was emitted.
func (c *Collector) Finish() (Finish, string) {
	if len(c.choices) == 0 || c.choices[0].index != 0 {
		return FinishNone, ""
	}
	return c.choices[0].finish, c.choices[0].reason
}

// Transcript returns what was said so far, or nil if nothing was emitted. It is
// Incomplete until End says that the stream ended whole. It may be called again
// as the stream goes on; what it returned stays as it is.
func (c *Collector) Transcript() *Transcript {
	if !c.emitted {
		return nil
	}
	t := &Transcript{Usage: c.usage, Incomplete: c.end != io.EOF}
	for _, b := range c.choices {
		t.Choices = append(t.Choices, b.done(c.end == io.EOF))
	}
	if t.Choices[0].Index == 0 {
		t.Choice = t.Choices[0]
	}
	return t
}

// choice finds or inserts the choice with that index, keeping them in order.
func (c *Collector) choice(index int) *building {
	at, ok := slices.BinarySearchFunc(c.choices, index, func(b *building, i int) int { return cmp.Compare(b.index, i) })
	if !ok {
		c.choices = slices.Insert(c.choices, at, &building{index: index})
	}
	return c.choices[at]
}

func (b *building) add(chunk Chunk) {
	switch chunk.Kind {
	case KindText:
		b.text.WriteString(chunk.Text)
	case KindReasoning:
		b.reas.WriteString(chunk.Detail)
	case KindRefusal:
		b.refu.WriteString(chunk.Detail)
	case KindToolCall:
		b.addCall(chunk.ToolCall)
	case KindOutput:
		b.outputs++
	case KindFinish:
		b.finish, b.reason = chunk.Finish, chunk.Detail
	default:
	}
}

func (b *building) addCall(d *ToolCallDelta) {
	if d == nil {
		return
	}
	at, ok := slices.BinarySearchFunc(b.calls, d.Index, func(k *call, i int) int { return cmp.Compare(k.index, i) })
	if !ok {
		b.calls = slices.Insert(b.calls, at, &call{index: d.Index})
	}
	k := b.calls[at]
	k.id = orElse(k.id, d.ID)
	k.name = orElse(k.name, d.Name)
	k.args.WriteString(d.Arguments)
	k.free = k.free || d.FreeText
}

func (b *building) done(whole bool) Choice {
	ch := Choice{
		Index: b.index, Text: b.text.String(), Reasoning: b.reas.String(), Refusal: b.refu.String(),
		Outputs: b.outputs, Finish: b.finish, Reason: b.reason,
	}
	if whole && ch.Finish == FinishNone {
		ch.Finish = FinishUnknown
	}
	for _, k := range b.calls {
		ch.ToolCalls = append(ch.ToolCalls, k.done(whole))
	}
	return ch
}

// done marks a call incomplete when its JSON is open, or when it has no arguments
// yet and the stream did not get to its end, so that nobody can know.
func (k *call) done(whole bool) ToolCall {
	t := ToolCall{ID: k.id, Name: k.name, Arguments: k.args.String(), FreeText: k.free, Incomplete: !whole}
	if !k.free {
		var bal jsonscan.Balance
		bal.FeedString(t.Arguments)
		t.Incomplete = bal.Open() || !whole && !bal.Whole()
	}
	return t
}
