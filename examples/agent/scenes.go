package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/retry"
)

const wire = endwelltest.OpenAI

// asked is where the gateway meets a user who stops waiting: not before it was asked.
var asked = make(chan struct{})

var scenes = []scene{
	{
		title: "A tool is called, and all is well", agent: "clerk", question: "How is the weather in Oslo?",
		answers: []endwelltest.Step{
			endwelltest.Script(wire.Begin(), wire.ToolCall("call_1", "weather", `{"city":`, `"Oslo"}`), wire.Finish("tool_calls"), wire.Done()),
			wire.Answer("It rains", " in Oslo."),
		},
		claims: func(r *result) []claim {
			return []claim{
				{"the call, its result and the answer are in the transcript", r.roles() == "user assistant tool assistant" && r.rows[2].Text == "rain in Oslo"},
				{"the answer is complete", r.err == nil && r.last().Text == "It rains in Oslo." && !r.last().Incomplete},
			}
		},
	},
	{
		title: "Overloaded before a word; the writer has a retry policy", agent: "writer", question: "Tell me a story.",
		answers: []endwelltest.Step{wire.Refuse(503, "server_is_overloaded", "busy"), wire.Answer("All's well", " that ends well.")},
		claims: func(r *result) []claim {
			return []claim{
				{"the user sees a whole answer and nothing of the failure", r.err == nil && r.roles() == "user assistant" && !r.last().Incomplete && r.last().Notice == ""},
				{"the ledger has both attempts", endings(r.ledger) == "failed whole"},
			}
		},
	},
	{
		title: "Overloaded before a word; the clerk has no policy", agent: "clerk", question: "And in Bergen?",
		answers: []endwelltest.Step{wire.Refuse(503, "server_is_overloaded", "busy")},
		claims: func(r *result) []claim {
			return []claim{
				{"nothing was said, so there is no row", r.roles() == "user"},
				{"the error says what it is", errors.Is(r.err, endwell.Overloaded) && notice(r.err) != ""},
				{"the clerk is on no ledger", len(r.ledger) == 0},
			}
		},
	},
	{
		title: "The connection breaks in the middle; the writer has a policy", agent: "writer", question: "Tell me another one.",
		answers: []endwelltest.Step{endwelltest.Script(wire.Begin(), wire.Text("Once", " upon"), endwelltest.Abort())},
		claims: func(r *result) []claim {
			return []claim{
				{"what was said stays, marked incomplete", r.last().Text == "Once upon" && r.last().Incomplete},
				{"the error stands beside it", errors.Is(r.err, endwell.Broken) && r.last().Notice == notice(r.err)},
				{"nothing is sent again after the first word", len(r.ledger) == 1 && r.ledger[0].Stop == retry.StopEmitted},
			}
		},
	},
	{
		title: "The writer is asked to go on", agent: "writer", question: "Go on.",
		answers: []endwelltest.Step{wire.Answer(" a time.")},
		claims: func(r *result) []claim {
			sent := string(r.requests[0].Body)
			partial, mark := strings.Index(sent, "Once upon"), strings.Index(sent, cutOff)
			return []claim{
				{"the prompt has the partial answer, and marks it as cut off", partial >= 0 && mark > partial},
				{"the prompt has no error", !strings.Contains(sent, "connection")},
				{"the answer is complete", r.err == nil && !r.last().Incomplete},
			}
		},
	},
	{
		title: "The stream goes silent", agent: "clerk", question: "And in Tromsø?",
		answers: []endwelltest.Step{endwelltest.Script(wire.Begin(), wire.Text("It snows"), endwelltest.Hang())},
		idle:    300 * time.Millisecond, // for a short story
		claims: func(r *result) []claim {
			return []claim{
				{"what was said stays, marked incomplete", r.last().Text == "It snows" && r.last().Incomplete},
				{"the silence is noticed", errors.Is(r.err, endwell.Stalled) && r.last().Notice == notice(r.err)},
			}
		},
	},
	{
		title: "The user stops the answer", agent: "writer", question: "Tell me a long one.",
		answers: []endwelltest.Step{endwelltest.Script(wire.Begin(), wire.Text("Long ago"), endwelltest.Hang())},
		stop:    true,
		claims: func(r *result) []claim {
			return []claim{
				{"what was said stays, marked incomplete", r.last().Text == "Long ago" && r.last().Incomplete},
				{"no error is shown", errors.Is(r.err, context.Canceled) && r.last().Notice == ""},
				{"the ledger has no failure", endings(r.ledger) == "canceled"},
			}
		},
	},
	{
		title: "The user stops waiting before a word", agent: "clerk", question: "And in Vardø?",
		answers: []endwelltest.Step{endwelltest.Script(wire.Begin(), endwelltest.Wait(asked), endwelltest.Hang())},
		leave:   asked,
		claims: func(r *result) []claim {
			return []claim{
				{"nothing was said, so there is no row", r.roles() == "user"},
				{"no error is shown", errors.Is(r.err, context.Canceled) && notice(r.err) == ""},
			}
		},
	},
	{
		title: "A tool call ends in the middle, and the stream as if nothing had happened", agent: "clerk", question: "Try Oslo again.",
		answers: []endwelltest.Step{endwelltest.Script(
			wire.Begin(), wire.ToolCall("call_2", "weather", `{"city":"Os`), wire.Finish("tool_calls"), wire.Done(),
		)},
		claims: func(r *result) []claim {
			return []claim{
				{"half a call does not run", r.roles() == "user assistant" && len(r.last().Calls) == 1 && r.last().Calls[0].Incomplete},
				{"the row is marked incomplete", r.last().Incomplete && errors.Is(r.err, endwell.Truncated)},
			}
		},
	},
}

// endings are the endings of attempts, in a row.
func endings(entries []retry.Entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Ending.String())
	}
	return strings.Join(all, " ")
}
