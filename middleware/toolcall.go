package middleware

import (
	"context"
	"io"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
	"github.com/endwell-go/endwell/internal/reason"
)

// ToolCallGuard refuses an answer that ended whole although the arguments of a
// tool call end before their JSON does: it is Truncated, since whoever ran such a
// call would run half of it. An answer that stopped at a token limit or at a
// filter says itself that it was cut, and passes; its transcript marks the call
// incomplete. Arguments that are whole but not valid JSON are the model's affair, and
// free text has no end to show.
//
// An answer of more than 1024 calls is Malformed: providers allow 128, and each takes
// memory here and with whoever collects the answer.
func ToolCallGuard() endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := open(next, ctx, req)
			if err != nil {
				return nil, err
			}
			return &toolCallStream{link: link{next: st, ctx: ctx}}, nil
		})
	}
}

type toolCallStream struct {
	link
	calls toolCalls
}

// toolCalls is what ToolCallGuard knows of a stream.
type toolCalls struct {
	calls   []callArgs
	cut     []int // choices that said themselves that they were cut
	crowded bool  // there are more than an answer can have
}

// maxCalls bounds the calls of one answer, and the choices that were cut.
const maxCalls = 1024

var errCrowded = reason.New("middleware", "too_many_tool_calls", "the answer has more than 1024 tool calls", "")

// tooMany is the error for an answer that has more calls than that.
func tooMany() *endwell.Error {
	e := &endwell.Error{Fault: endwell.Malformed, Category: endwell.MalformedResponse}
	return e.WithCause(errCrowded)
}

// callArgs follows the arguments of one call.
type callArgs struct {
	choice, index int
	args          jsonscan.Balance
}

// Recv implements endwell.Stream.
func (s *toolCallStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	c, err := s.next.Recv()
	if err != nil {
		return s.finish(s.calls.judge(err))
	}
	if s.calls.note(&c); s.calls.crowded {
		return s.finish(tooMany())
	}
	return c, nil
}

// judge says what an ending below means.
func (s *toolCalls) judge(err error) error {
	if err == io.EOF && s.anyOpen() {
		return truncated(true)
	}
	return err
}

// note notes a chunk.
func (s *toolCalls) note(c *endwell.Chunk) {
	switch {
	case c.Kind == endwell.KindToolCall && c.ToolCall != nil && !c.ToolCall.FreeText:
		s.args(c.Index, c.ToolCall.Index).FeedString(c.ToolCall.Arguments)
	case c.Finish == endwell.FinishLength, c.Finish == endwell.FinishFilter:
		if len(s.cut) < maxCalls && !s.saidCut(c.Index) {
			s.cut = append(s.cut, c.Index)
		}
	}
}

// args finds the call, which is nearly always the last one, or begins it.
func (s *toolCalls) args(choice, index int) *jsonscan.Balance {
	for i := len(s.calls) - 1; i >= 0; i-- {
		if k := &s.calls[i]; k.choice == choice && k.index == index {
			return &k.args
		}
	}
	if len(s.calls) == maxCalls {
		s.crowded = true
		return new(jsonscan.Balance)
	}
	s.calls = append(s.calls, callArgs{choice: choice, index: index})
	return &s.calls[len(s.calls)-1].args
}

func (s *toolCalls) anyOpen() bool {
	for i := range s.calls {
		if s.calls[i].args.Open() && !s.saidCut(s.calls[i].choice) {
			return true
		}
	}
	return false
}

func (s *toolCalls) saidCut(choice int) bool {
	for _, c := range s.cut {
		if c == choice {
			return true
		}
	}
	return false
}
