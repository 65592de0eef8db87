package demo

import (
	"slices"
	"time"

	"github.com/endwell-go/endwell"
	et "github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
)

// row is one ending: what the wire does, how the clients behave, and what has to
// come of it.
type row struct {
	wire     string
	answers  answers
	consumer consumer
	bounds   middleware.Bounds // of the guarded client; zero for the defaults
	attempts int               // of the guarded client; 0 for one
	endless  bool              // the wire never ends, so neither would the plain client

	plain conclusion // without its why
	want  outcome
}

// patience is how long the plain client is left waiting.
func (r row) patience() time.Duration {
	if r.endless {
		return patience
	}
	return anyPatience
}

// What the gateway says: all of it, its first three words, and what is left when a
// reader skips the fourth.
const (
	answer = "All's well that ends well."
	three  = "All's well that"
	gap    = "All's well that well."
)

// rows are the endings, in the order of the table.
func rows() []row {
	return []row{
		{
			wire: "whole answer", answers: says(5, done("stop")),
			plain: finishedWith(answer), want: whole(answer),
		},
		{
			wire: "whole, but without [DONE]", answers: says(5, chat.Finish("stop")),
			plain: finishedWith(answer), want: whole(answer),
		},
		{
			wire:    "a tool call, no text",
			answers: says(0, chat.ToolCall("call_demo", "weather", `{"city":`, `"Oslo"}`), done("tool_calls")),
			plain:   finishedWith(""), want: outcome{kind: finished, call: `weather({"city":"Oslo"})`},
		},
		{
			wire: "whole, to a slow consumer", answers: says(5, done("stop")), consumer: consumer{think: thinking},
			bounds: middleware.Bounds{Idle: idle},
			plain:  finishedWith(answer), want: whole(answer),
		},
		{
			wire:    "keep-alives for 2.5s, then whole",
			answers: plays(et.Repeat(25, 100*time.Millisecond, chat.KeepAlive()), chat.Answer(words...)),
			bounds:  middleware.Bounds{Idle: idle},
			plain:   finishedWith(answer), want: whole(answer),
		},
		{
			wire: "nothing listens on the port", answers: nothing,
			plain: failedAfter(""), want: bad(endwell.Unreachable, endwell.Network, true, ""),
		},
		{
			wire: "401, the key is wrong", answers: ends("refused-401"),
			plain: failedAfter(""), want: bad(endwell.Refused, endwell.AuthInvalid, false, ""),
		},
		{
			wire:    "429, Retry-After: 1, then whole",
			answers: slices.Concat(plays(et.RetryAfter(time.Second), tooMany), says(5, done("stop"))), attempts: 2,
			plain: failedAfter(""), want: retried("attempt 1 failed (refused / rate_limited), then a wait of 1s; attempt 2 whole"),
		},
		{
			wire:    "a header, then silence",
			answers: plays(et.Flush(), et.Hang()), bounds: middleware.Bounds{First: first}, endless: true,
			plain: waitingWith(""), want: stalled(endwell.BoundFirst, true, ""),
		},
		{
			wire:    "3 words, then silence",
			answers: ends("stalled"), bounds: middleware.Bounds{Idle: idle}, endless: true,
			plain: waitingWith(three), want: stalled(endwell.BoundIdle, false, three),
		},
		{
			wire:    "3 words, then only keep-alives",
			answers: ends("keepalive-only"), bounds: middleware.Bounds{Progress: progress}, endless: true,
			plain: waitingWith(three), want: stalled(endwell.BoundProgress, false, three),
		},
		{
			wire: "3 words, then a TCP reset", answers: ends("reset"),
			plain: failedAfter(three), want: bad(endwell.Broken, endwell.Network, false, three),
		},
		{
			wire: "3 words, then a clean close", answers: ends("cut"),
			plain: finishedWith(three), want: bad(endwell.Truncated, endwell.MalformedResponse, false, three),
		},
		{
			wire: "an error as the first frame", answers: plays(overloaded),
			plain: finishedWith(""), want: bad(endwell.Faulted, endwell.Overloaded, true, ""),
		},
		{
			wire: `3 words, then finish_reason "error"`, answers: says(3, done("error")),
			plain: finishedWith(three), want: bad(endwell.Faulted, endwell.ServerError, false, three),
		},
		{
			wire:    "3 words, half a frame, the last word",
			answers: says(3, et.Write(torn), chat.Text(words[4]), done("stop")),
			plain:   finishedWith(gap), want: bad(endwell.Malformed, endwell.MalformedResponse, false, three),
		},
		{
			wire: "an HTML page behind a 200", answers: ends("html"),
			plain: finishedWith(""), want: bad(endwell.Malformed, endwell.MalformedResponse, false, ""),
		},
		{
			wire: "an empty answer", answers: ends("no-text"),
			plain: finishedWith(""), want: bad(endwell.Empty, endwell.MalformedResponse, true, ""),
		},
		{
			wire: "token limit used up before any text", answers: says(0, done("length")),
			plain: finishedWith(""), want: bad(endwell.Empty, endwell.RequestInvalid, false, ""),
		},
		{
			wire: "3 words, then the caller stops", answers: ends("stalled"), consumer: consumer{stopAt: 3},
			plain: failedAfter(three), want: outcome{kind: stopped, text: three, cutOff: true},
		},
	}
}

func finishedWith(text string) conclusion { return conclusion{kind: finished, text: text} }
func waitingWith(text string) conclusion  { return conclusion{kind: waiting, text: text} }
func failedAfter(text string) conclusion  { return conclusion{kind: failed, text: text} }

func whole(text string) outcome { return outcome{kind: finished, text: text} }

func retried(ledger string) outcome { return outcome{kind: finished, text: answer, ledger: ledger} }

// bad is a fault; what was said before it is kept, and marked as cut off.
func bad(f endwell.Fault, c endwell.Category, retryable bool, text string) outcome {
	return outcome{kind: failed, fault: f, category: c, retryable: retryable, text: text, cutOff: text != ""}
}

func stalled(b endwell.Bound, retryable bool, text string) outcome {
	o := bad(endwell.Stalled, endwell.Timeout, retryable, text)
	o.bound = b
	return o
}
