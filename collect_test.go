package endwell_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func piece(choice, call int, id, name, args string) endwell.Chunk {
	return endwell.Chunk{
		Kind: endwell.KindToolCall, Index: choice,
		ToolCall: &endwell.ToolCallDelta{Index: call, ID: id, Name: name, Arguments: args},
	}
}

func at(choice int, kind endwell.Kind, detail string) endwell.Chunk {
	c := endwell.Chunk{Kind: kind, Index: choice, Detail: detail}
	if kind == endwell.KindText {
		c.Text, c.Detail = detail, ""
	}
	return c
}

func finish(choice int, class endwell.Finish, word string) endwell.Chunk {
	return endwell.Chunk{Kind: endwell.KindFinish, Index: choice, Finish: class, Detail: word}
}

func usage(u endwell.Usage) endwell.Chunk { return endwell.Chunk{Kind: endwell.KindUsage, Usage: &u} }

func TestCollectPutsEverythingTogether(t *testing.T) {
	s := &script{end: io.EOF, chunks: []endwell.Chunk{
		{Kind: endwell.KindMeta},
		{Kind: endwell.KindKeepAlive},
		at(0, endwell.KindReasoning, "hm"), at(0, endwell.KindReasoning, "m"),
		at(2, endwell.KindText, "two"), at(0, endwell.KindText, "ze"), at(1, endwell.KindRefusal, "no"), at(0, endwell.KindText, "ro"),
		piece(0, 7, "b", "second", `{"x"`), piece(0, 3, "a", "first", ""), piece(0, 7, "", "", `:1}`), piece(0, 3, "other", "other", "{}"),
		piece(1, 3, "c", "third", `{}`),
		{Kind: endwell.KindToolCall},
		{Kind: endwell.KindOutput},
		{Kind: endwell.KindOutput},
		finish(0, endwell.FinishToolCalls, "tool_calls"), finish(1, endwell.FinishFilter, "sensitive"),
		usage(endwell.Usage{Input: 3, Output: 1, Cached: 2}), usage(endwell.Usage{Output: 9, Total: 12, Reasoning: 4}),
		{Kind: endwell.KindUsage},
	}}
	tr, err := endwell.Collect(s)
	require.NoError(t, err)
	require.Equal(t, 1, s.closes)
	zero := endwell.Choice{
		Text: "zero", Reasoning: "hmm", Outputs: 2, Finish: endwell.FinishToolCalls, Reason: "tool_calls",
		ToolCalls: []endwell.ToolCall{
			{ID: "a", Name: "first", Arguments: "{}"}, {ID: "b", Name: "second", Arguments: `{"x":1}`},
		},
	}
	require.Equal(t, &endwell.Transcript{
		Choice: zero,
		Choices: []endwell.Choice{
			zero,
			{
				Index: 1, Refusal: "no", Finish: endwell.FinishFilter, Reason: "sensitive",
				ToolCalls: []endwell.ToolCall{{ID: "c", Name: "third", Arguments: "{}"}},
			},
			{Index: 2, Text: "two", Finish: endwell.FinishUnknown},
		},
		Usage: endwell.Usage{Input: 3, Output: 9, Total: 12, Reasoning: 4, Cached: 2},
	}, tr)
}

func TestCollectSaysHowComplete(t *testing.T) {
	fault := stalled()
	said := texts("a")
	for _, row := range []struct {
		name       string
		chunks     []endwell.Chunk
		end        error
		incomplete bool
		finish     endwell.Finish
	}{
		{"whole without a word", said, io.EOF, false, endwell.FinishUnknown},
		{"whole", append(said, finish(0, endwell.FinishStop, "stop")), io.EOF, false, endwell.FinishStop},
		{"at a token limit", append(said, finish(0, endwell.FinishLength, "length")), io.EOF, false, endwell.FinishLength},
		{"an unknown word", append(said, finish(0, endwell.FinishUnknown, "eos")), io.EOF, false, endwell.FinishUnknown},
		{"cut by a fault", said, fault, true, endwell.FinishNone},
		{"cut by a fault after the finish", append(said, finish(0, endwell.FinishStop, "stop")), fault, true, endwell.FinishStop},
		{"cut by the caller's cancellation", said, context.Canceled, true, endwell.FinishNone},
		{"cut by the caller's close", said, endwell.ErrClosed, true, endwell.FinishNone},
		{"io.EOF, but wrapped", said, fmt.Errorf("x: %w", io.EOF), true, endwell.FinishNone},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr, err := endwell.Collect(&script{chunks: row.chunks, end: row.end})
			if row.end == io.EOF {
				require.NoError(t, err)
			} else {
				require.True(t, row.end == err, err)
			}
			require.Equal(t, row.incomplete, tr.Incomplete)
			require.Equal(t, row.finish, tr.Finish)
			require.Equal(t, "a", tr.Text)
		})
	}
}

func TestCollectOfNothingIsNil(t *testing.T) {
	silent := []endwell.Chunk{
		{Kind: endwell.KindMeta}, {Kind: endwell.KindKeepAlive}, usage(endwell.Usage{Output: 1}), finish(0, endwell.FinishStop, "stop"),
	}
	for _, end := range []error{io.EOF, stalled(), context.Canceled} {
		tr, err := endwell.Collect(&script{chunks: silent, end: end})
		require.Nil(t, tr)
		require.Equal(t, end == io.EOF, err == nil)
	}
	var c endwell.Collector
	for _, chunk := range silent {
		c.Add(chunk)
	}
	require.Nil(t, c.Transcript())
	require.False(t, c.Emitted())
	require.Equal(t, 4, c.Chunks())
	require.Equal(t, endwell.Usage{Output: 1}, c.Usage())
	f, word := c.Finish()
	require.Equal(t, endwell.FinishStop, f)
	require.Equal(t, "stop", word)
}

func TestCollectorFinishIsOfChoiceZero(t *testing.T) {
	var c endwell.Collector
	f, word := c.Finish()
	require.Equal(t, endwell.FinishNone, f)
	require.Empty(t, word)
	c.Add(finish(1, endwell.FinishStop, "stop"))
	f, _ = c.Finish()
	require.Equal(t, endwell.FinishNone, f)
	c.Add(at(1, endwell.KindText, "one"))
	require.Zero(t, c.Transcript().Choice, "choice 0 said nothing")
	require.Len(t, c.Transcript().Choices, 1)
	c.Add(finish(0, endwell.FinishStop, "stop"))
	c.Add(finish(0, endwell.FinishLength, "length"))
	f, word = c.Finish()
	require.Equal(t, endwell.FinishLength, f, "the last word stands")
	require.Equal(t, "length", word)
}

func TestCollectorCallsOnFirstOnce(t *testing.T) {
	for _, k := range endwell.Kinds() {
		t.Run(k.String(), func(t *testing.T) {
			var firsts []endwell.Chunk
			var c endwell.Collector
			c.OnFirst = func(first endwell.Chunk) {
				require.True(t, c.Emitted())
				require.NotNil(t, c.Transcript(), "it may be called from here")
				firsts = append(firsts, first)
			}
			c.Add(endwell.Chunk{})
			require.Empty(t, firsts)
			said := endwell.Chunk{Kind: k, Index: 4, Text: "x", Detail: "x", ToolCall: &endwell.ToolCallDelta{}}
			for range 3 {
				c.Add(said)
			}
			if k.Output() {
				require.Equal(t, []endwell.Chunk{said}, firsts)
			} else {
				require.Empty(t, firsts)
			}
		})
	}
}

func TestCollectorTranscriptDuringTheStream(t *testing.T) {
	var c endwell.Collector
	require.Nil(t, c.Transcript())
	c.Add(text("a"))
	c.Add(piece(0, 0, "id", "f", `{"x":`))
	one := c.Transcript()
	c.Add(text("b"))
	c.Add(piece(0, 0, "", "", `1}`))
	c.Add(at(1, endwell.KindText, "other"))
	c.Add(usage(endwell.Usage{Output: 5}))
	c.End(io.EOF)
	c.End(nil)

	require.Equal(t, "a", one.Text, "what it returned stays as it is")
	require.Equal(t, []endwell.ToolCall{{ID: "id", Name: "f", Arguments: `{"x":`, Incomplete: true}}, one.ToolCalls)
	require.True(t, one.Incomplete)
	require.Equal(t, endwell.FinishNone, one.Finish)
	require.Len(t, one.Choices, 1)
	require.Zero(t, one.Usage)

	two := c.Transcript()
	require.Equal(t, two, c.Transcript())
	require.Equal(t, "ab", two.Text)
	require.Equal(t, []endwell.ToolCall{{ID: "id", Name: "f", Arguments: `{"x":1}`}}, two.ToolCalls)
	require.False(t, two.Incomplete)
	require.Len(t, two.Choices, 2)
}

// A call whose arguments are not there in full must not run.
func TestCollectorMarksIncompleteToolCalls(t *testing.T) {
	for _, row := range []struct {
		args                string
		whole, cut, already bool
	}{
		{"", false, true, true}, // no arguments at a whole end are an empty call
		{"{}", false, false, false},
		{`{"x":"}"}`, false, false, false},
		{`{"x":"}`, true, true, true},
		{`{"x":[1,2]`, true, true, true},
		{`{"x":1`, true, true, true},
		{`"te`, true, true, true},
		{" ", false, true, true},
		{"{} ", false, false, false},
	} {
		incomplete := func(end func(*endwell.Collector)) bool {
			var c endwell.Collector
			c.Add(piece(0, 0, "id", "f", row.args))
			end(&c)
			return c.Transcript().ToolCalls[0].Incomplete
		}
		require.Equal(t, row.whole, incomplete(func(c *endwell.Collector) { c.End(io.EOF) }), "%q, whole", row.args)
		require.Equal(t, row.cut, incomplete(func(c *endwell.Collector) { c.End(stalled()) }), "%q, cut", row.args)
		require.Equal(t, row.already, incomplete(func(*endwell.Collector) {}), "%q, going on", row.args)
	}
}

func TestUsageMerge(t *testing.T) {
	u := endwell.Usage{Input: 1, Output: 2, Total: 3, Reasoning: 4, Cached: 5}
	u.Merge(endwell.Usage{})
	require.Equal(t, endwell.Usage{Input: 1, Output: 2, Total: 3, Reasoning: 4, Cached: 5}, u)
	u.Merge(endwell.Usage{Input: 10, Reasoning: 40})
	require.Equal(t, endwell.Usage{Input: 10, Output: 2, Total: 3, Reasoning: 40, Cached: 5}, u)
}
