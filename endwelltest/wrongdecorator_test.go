package endwelltest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// TestWrongDecorators is the mutation test of TestMiddleware. A row for each field
// of a chunk stands before the others.
func TestWrongDecorators(t *testing.T) {
	faults := wrongDecorators
	fields := reflect.TypeFor[endwell.Chunk]()
	for i := range fields.NumField() {
		faults = append(faults, fault{"drops " + fields.Field(i).Name, never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
			reflect.ValueOf(&c).Elem().Field(i).SetZero()
			return c
		})), "was changed, left out, repeated or moved: it differs in"})
	}
	caught(t, faults, func(r endwelltest.T, mw endwell.Middleware) { endwelltest.TestMiddleware(r, mw, errBroken) })
}

// buffered is a decorator that runs ahead: it hands out what another Recv brought.
func buffered(change func(held []endwell.Chunk) []endwell.Chunk, hold int) endwell.Middleware {
	return streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		var held []endwell.Chunk
		var end error
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			for end == nil && len(held) < hold {
				c, err := s.Recv()
				if end = err; err == nil {
					held = change(append(held, c))
				}
			}
			if len(held) == 0 {
				return endwell.Chunk{}, end
			}
			c := held[0]
			held = held[1:]
			return c, nil
		}}
	})
}

func asIs(held []endwell.Chunk) []endwell.Chunk { return held }

// errs is recvs for a change of errors alone.
func errs(change func(err error) error) endwell.Middleware {
	return recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err != nil {
			err = change(err)
		}
		return c, err
	})
}

var wrongDecorators = []fault{
	{"swallows keep-alives", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			for {
				if c, err := s.Recv(); err != nil || c.Kind != endwell.KindKeepAlive {
					return c, err
				}
			}
		}}
	})), "was changed, left out, repeated or moved"},
	{"says a chunk twice", never(buffered(func(held []endwell.Chunk) []endwell.Chunk {
		if last := held[len(held)-1]; last.Kind == endwell.KindText {
			held = append(held, last)
		}
		return held
	}, 1)), "was changed, left out, repeated or moved"},
	{"turns two chunks round", never(buffered(func(held []endwell.Chunk) []endwell.Chunk {
		if n := len(held); n == 2 {
			held[0], held[1] = held[1], held[0]
		}
		return held
	}, 2)), "was changed, left out, repeated or moved"},
	{"runs ahead", never(buffered(asIs, 2)), "asked for before an emission was handed out"},
	{"holds Raw back without a copy", never(buffered(asIs, 2)), "it differs in Raw"},
	{"replaces what a chunk points to", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		if c.Usage != nil {
			u := *c.Usage
			c.Usage = &u
		}
		return c
	})), "points to was replaced"},
	{"writes the error into the text", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		told := false
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err != nil && err != io.EOF && !told {
				told = true
				return endwell.Chunk{Kind: endwell.KindText, Text: "[" + err.Error() + "]"}, nil
			}
			return c, err
		}}
	})), "chunks came out where"},
	{"a chunk beside the error", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err != nil {
			c.Text = "error"
		}
		return c, err
	})), "together with the error"},
	{"wraps errors", never(errs(func(err error) error { return fmt.Errorf("stream: %w", err) })), "a whole answer ended with stream: EOF"},
	{"wraps what was classified", never(errs(func(err error) error {
		var e *endwell.Error
		if errors.As(err, &e) {
			err = fmt.Errorf("stream: %w", err)
		}
		return err
	})), "became stream: endwell: refused"},
	{"classifies again", never(errs(func(err error) error {
		var e *endwell.Error
		if errors.As(err, &e) {
			err = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network}
		}
		return err
	})), "became endwell: broken"},
	{"takes an error for the end", never(errs(func(error) error { return io.EOF })), "became EOF"},
	{"classifies the caller's cancellation", never(errs(func(err error) error {
		if err == context.Canceled {
			err = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network}
		}
		return err
	})), "the caller's own ending, context canceled, became endwell: broken"},
	{"classifies the caller's Close", never(errs(func(err error) error {
		if err == endwell.ErrClosed {
			err = &endwell.Error{Fault: endwell.Broken, Category: endwell.Network}
		}
		return err
	})), "the caller's own ending, endwell: stream closed by the caller, became endwell: broken"},
	{"classifies a cancelled Open", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		if err == context.Canceled {
			err = &endwell.Error{Fault: endwell.Unreachable, Category: endwell.Network}
		}
		return s, err
	})), "cancelled while Open waits: the caller's own ending, context canceled, became endwell: unreachable"},
	{"loses the error of Open", never(opens(func(_ context.Context, s endwell.Stream, _ error) (endwell.Stream, error) { return s, nil })), "Open returned neither"},
	{"makes a stream of the error of Open", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		if err != nil {
			return endwell.FromSeq(func(func(endwell.Chunk, error) bool) {}), nil
		}
		return s, nil
	})), `refused: auth_invalid provider=loopback model=test-model status=401 became EOF`},
	{"a stream around nothing", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s, err := next.Open(ctx, req)
			return &mutant{Stream: s}, err
		})
	}), "it panics: Recv"},
	{"does not close", never(closings(func(endwell.Stream) error { return nil })), "Close did not close the next stream"},
	{"closes twice", never(closings(func(s endwell.Stream) error {
		_ = s.Close()
		return s.Close()
	})), "closed the next stream 2 times"},
	{"closes at the end and again", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err != nil {
				_ = s.Close()
			}
			return c, err
		}}
	})), "one Close after the end closed the next stream 2 times"},
	{"the error of Close becomes the ending", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		var end atomic.Value
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if by, closed := end.Load().(error); err != nil && closed {
				err = by
			}
			return c, err
		}, shut: func() error {
			end.Store(s.Close())
			return nil
		}}
	})), "then, after Close, io: read/write on closed pipe"},
	{"Close waits for Recv", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		mu := make(lock, 1)
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			defer mu.held()()
			return s.Recv()
		}, shut: func() error {
			defer mu.held()()
			return s.Close()
		}}
	})), "it hangs: Close"},
	{"opens the next handler twice", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			if s, err := next.Open(ctx, req); err == nil && s != nil {
				_ = s.Close()
			}
			return next.Open(ctx, req)
		})
	}), "one call opened the next handler 2 times"},
	{"loses the values of the context", func(release <-chan struct{}) endwell.Middleware {
		return func(next endwell.Next) endwell.Next {
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
				below, cancel := context.WithCancel(context.Background())
				context.AfterFunc(ctx, cancel)
				return next.Open(below, req)
			})
		}
	}, "a value of the caller's context did not get"},
	{"loses the cancellation of the context", func(release <-chan struct{}) endwell.Middleware {
		return func(next endwell.Next) endwell.Next {
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
				return next.Open(until(ctx, release), req)
			})
		}
	}, "it hangs: Recv, whose context has ended"},
	{"ends the context when Open returns", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			return next.Open(ctx, req)
		})
	}), "did not pass: Recv returned context canceled"},
	{"changes the request", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			req.Private = nil
			return next.Open(ctx, req)
		})
	}), "Open changed the request"},
	{"passes another request", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			return next.Open(ctx, &endwell.Request{Model: req.Model})
		})
	}), "the request was changed on its way"},
	{"keeps the state of a call in the decorator", never(func(next endwell.Next) endwell.Next {
		var at int
		return recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
			if at++; at > 16 {
				c.Text = ""
			}
			return c, err
		})(next)
	}), "they share what belongs to one call"},
	{"keeps the next handler in the decorator", func(<-chan struct{}) endwell.Middleware {
		var kept endwell.Next
		return func(next endwell.Next) endwell.Next {
			kept = next
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) { return kept.Open(ctx, req) })
		}
	}, "a call of one got to the other"},
	{"leaves a goroutine", func(release <-chan struct{}) endwell.Middleware {
		return streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
			go func() { <-release }()
			return s
		})
	}, "a goroutine is left"},
}
