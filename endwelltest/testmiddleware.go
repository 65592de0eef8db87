package endwelltest

import (
	"context"
	"fmt"
	"reflect"

	"github.com/endwell-go/endwell"
)

// TestMiddleware checks that a decorator leaves alone what is not its own, and
// reports what it does not:
//
//   - every chunk passes, in order, once, with every field, and what it points to;
//     an emission passes before the next chunk is asked for, and Raw of what is held
//     back is copied;
//   - io.EOF and the caller's own endings pass by identity, from Recv and from Open,
//     and so do the errors in foreign: those that this decorator does not look for;
//   - an *endwell.Error that is final passes with every field, and not inside another
//     error; a copy will do, since a decorator may note what it knows;
//   - the next handler is called once for a call, with the caller's request, values
//     and cancellation, and its stream is closed, once for one Close;
//   - the endings are sticky, Close unblocks Recv, calls share nothing.
//
// The answers that it is tried with are whole, or end in an error; a decorator that
// is meant to change those has no use for TestMiddleware. As for [TestNext], nothing
// may hang for longer than 5 s or leave a goroutine behind.
func TestMiddleware(t T, mw endwell.Middleware, foreign ...error) {
	t.Helper()
	passing := append([]error{final()}, foreign...)
	for _, c := range mwChecks(mw, passing) {
		for _, wrong := range c.run(nil) {
			t.Errorf("%s: %s", c.name, wrong)
		}
	}
}

func mwChecks(mw endwell.Middleware, passing []error) []check {
	checks := []check{
		{name: "every kind of chunk", try: func(b *bench) { passEveryChunk(b, mw) }},
		{name: "a passing failure after an emission", try: func(b *bench) { passTransient(b, mw) }},
		{name: "cancelled while Recv waits", try: func(b *bench) { passCancelRecv(b, mw) }},
		{name: "cancelled while Open waits", try: func(b *bench) { passCancelOpen(b, mw) }},
		{name: "closed while Recv waits", try: func(b *bench) { passCloseRecv(b, mw) }},
		{name: "closed before the first Recv", try: func(b *bench) { passUnread(b, mw) }},
		{name: "closed once, after its end", try: func(b *bench) { passOneClose(b, mw) }},
		{name: "a next handler that returns nothing at all", try: func(b *bench) { passNothing(b, mw) }},
		{name: "several calls at once", try: func(b *bench) { passAtOnce(b, mw) }},
		{name: "applied twice", try: func(b *bench) { passTwice(b, mw) }},
	}
	for _, err := range passing {
		checks = append(checks,
			check{name: fmt.Sprintf("Open fails with %q", err.Error()), try: func(b *bench) { passRefusal(b, mw, err) }},
			check{name: fmt.Sprintf("Recv fails with %q", err.Error()), try: func(b *bench) { passFailure(b, mw, err, preamble()) }},
			check{name: fmt.Sprintf("Recv fails after an emission with %q", err.Error()), try: func(b *bench) {
				passFailure(b, mw, err, append(preamble(), full(endwell.KindText)))
			}},
		)
	}
	return checks
}

// below puts a decorator around n and the value into the caller's context.
func (b *bench) below(mw endwell.Middleware, n *inner) *inner {
	n.b = b
	b.do("applying the decorator")
	b.next = mw(n)
	b.ctx = context.WithValue(b.ctx, valueKey{}, "value")
	return n
}

// final is an error that nobody may change: it has been classified, and nothing can
// be done about it. The same one each time, so that it can be compared.
func final() *endwell.Error { return finalError }

var finalError = &endwell.Error{
	Fault: endwell.Refused, Category: endwell.AuthInvalid, Provider: "loopback", Model: "test-model", Status: 401,
}

// preamble are chunks that come before any emission.
func preamble() []endwell.Chunk {
	return []endwell.Chunk{
		{Kind: endwell.KindMeta, Raw: []byte("role"), End: endwell.Open},
		{Kind: endwell.KindKeepAlive, Raw: []byte(": ping")},
		{Kind: endwell.KindUsage, Usage: &endwell.Usage{Input: 3}, Raw: []byte("usage")},
	}
}

// full is a chunk with a value in every field.
func full(k endwell.Kind) endwell.Chunk {
	return endwell.Chunk{
		Text: "text", Detail: "detail", Raw: []byte("raw of " + k.String()), Native: new(int),
		ToolCall: &endwell.ToolCallDelta{Index: 1, ID: "call", Name: "f", Arguments: "{}"},
		Usage:    &endwell.Usage{Input: 3, Output: 5}, Index: 2, Kind: k, Finish: endwell.FinishPause, End: endwell.Open,
		Elided: true,
	}
}

// everyKind is a whole answer of every kind of chunk, with every field of each.
func everyKind() []endwell.Chunk {
	chunks := append(preamble(), full(endwell.KindText))
	for _, k := range endwell.Kinds() {
		chunks = append(chunks, full(k))
	}
	last := full(endwell.KindMeta)
	last.End = endwell.Ended
	return append(chunks, last)
}

func sameRequest(r *endwell.Request) bool { return reflect.DeepEqual(r, sample()) }
