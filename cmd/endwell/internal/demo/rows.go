package demo

import (
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/cmd/endwell/internal/gateway"
	"github.com/endwell-go/endwell/middleware"
)

// row is one ending: what the wire does, how the clients behave, and what has to
// come of it.
type row struct {
	wire     string
	ending   gateway.Ending
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
			wire: "whole answer", ending: gateway.Whole,
			plain: finishedWith(answer), want: whole(answer),
		},
		{
			wire: "whole, but without [DONE]", ending: gateway.NoSentinel,
			plain: finishedWith(answer), want: whole(answer),
		},
		{
			wire: "a tool call, no text", ending: gateway.ToolCall,
			plain: finishedWith(""), want: outcome{kind: finished, call: `weather({"city":"Oslo"})`},
		},
		{
			wire: "whole, to a slow consumer", ending: gateway.Whole, consumer: consumer{think: thinking},
			bounds: middleware.Bounds{Idle: idle},
			plain:  finishedWith(answer), want: whole(answer),
		},
		{
			wire: "keep-alives for 2.5s, then whole", ending: gateway.LongSilence,
			bounds: middleware.Bounds{Idle: idle},
			plain:  finishedWith(answer), want: whole(answer),
		},
		{
			wire: "nothing listens on the port", ending: gateway.Unreachable,
			plain: failedAfter(""), want: bad(endwell.Unreachable, endwell.Network, true, ""),
		},
		{
			wire: "401, the key is wrong", ending: gateway.BadKey,
			plain: failedAfter(""), want: bad(endwell.Refused, endwell.AuthInvalid, false, ""),
		},
		{
			wire: "429, Retry-After: 1, then whole", ending: gateway.TooMany, attempts: 2,
			plain: failedAfter(""), want: retried("attempt 1 failed (refused / rate_limited), then a wait of 1s; attempt 2 whole"),
		},
		{
			wire: "a header, then silence", ending: gateway.SilentFirst, bounds: middleware.Bounds{First: first}, endless: true,
			plain: waitingWith(""), want: stalled(endwell.BoundFirst, true, ""),
		},
		{
			wire: "3 words, then silence", ending: gateway.SilentLater, bounds: middleware.Bounds{Idle: idle}, endless: true,
			plain: waitingWith(three), want: stalled(endwell.BoundIdle, false, three),
		},
		{
			wire: "3 words, then only keep-alives", ending: gateway.AliveOnly, bounds: middleware.Bounds{Progress: progress}, endless: true,
			plain: waitingWith(three), want: stalled(endwell.BoundProgress, false, three),
		},
		{
			wire: "3 words, then a TCP reset", ending: gateway.Reset,
			plain: failedAfter(three), want: bad(endwell.Broken, endwell.Network, false, three),
		},
		{
			wire: "3 words, then a clean close", ending: gateway.CleanClose,
			plain: finishedWith(three), want: bad(endwell.Truncated, endwell.MalformedResponse, false, three),
		},
		{
			wire: "an error as the first frame", ending: gateway.ErrorFirst,
			plain: finishedWith(""), want: bad(endwell.Faulted, endwell.Overloaded, true, ""),
		},
		{
			wire: `3 words, then finish_reason "error"`, ending: gateway.ErrorFinish,
			plain: finishedWith(three), want: bad(endwell.Faulted, endwell.ServerError, false, three),
		},
		{
			wire: "3 words, half a frame, the last word", ending: gateway.TornFrame,
			plain: finishedWith(gap), want: bad(endwell.Malformed, endwell.MalformedResponse, false, three),
		},
		{
			wire: "an HTML page behind a 200", ending: gateway.Page,
			plain: finishedWith(""), want: bad(endwell.Malformed, endwell.MalformedResponse, false, ""),
		},
		{
			wire: "an empty answer", ending: gateway.NoAnswer,
			plain: finishedWith(""), want: bad(endwell.Empty, endwell.MalformedResponse, true, ""),
		},
		{
			wire: "token limit used up before any text", ending: gateway.LimitUsedUp,
			plain: finishedWith(""), want: bad(endwell.Empty, endwell.RequestInvalid, false, ""),
		},
		{
			wire: "3 words, then the caller stops", ending: gateway.SilentLater, consumer: consumer{stopAt: 3},
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
