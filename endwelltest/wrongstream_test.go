package endwelltest_test

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// TestWrongStreams is the mutation test of TestNext.
func TestWrongStreams(t *testing.T) {
	caught(t, wrongStreams, func(r endwelltest.T, mw endwell.Middleware) {
		endwelltest.TestNext(r, func(s endwelltest.Situation) endwell.Next { return mw(correct(s)) })
	})
}

func TestNothingToTest(t *testing.T) {
	var r recorder
	endwelltest.TestNext(&r, func(endwelltest.Situation) endwell.Next { return nil })
	require.Contains(t, r.end(), "nothing was checked")
}

// closings is streams for a change of Close alone.
func closings(change func(s endwell.Stream) error) endwell.Middleware {
	return streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		return &mutant{Stream: s, shut: func() error { return change(s) }}
	})
}

var wrongStreams = []fault{
	{"the end is not sticky", never(recvs(func(n int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err != nil && n%2 == 0 {
			err = errBroken
		}
		return c, err
	})), "not sticky"},
	{"a chunk after the end", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		ended := false
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err != nil && ended {
				return endwell.Chunk{Kind: endwell.KindMeta}, nil
			}
			ended = err != nil
			return c, err
		}}
	})), "not sticky"},
	{"a chunk together with the error", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err != nil {
			c.Raw = []byte("error")
		}
		return c, err
	})), "together with the error"},
	{"io.EOF wrapped", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == io.EOF {
			err = errInside
		}
		return c, err
	})), "wraps io.EOF"},
	{"a broken connection taken for the end", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == errBroken {
			err = io.EOF
		}
		return c, err
	})), "says that the answer is whole"},
	{"a fault of the connection wraps io.EOF", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == errBroken {
			err = errInside
		}
		return c, err
	})), "says that the answer is whole"},
	{"a whole answer ends with an error", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == io.EOF {
			err = errBroken
		}
		return c, err
	})), "a whole answer ended with"},
	{"the caller's cancellation taken for the end", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == context.Canceled {
			err = io.EOF
		}
		return c, err
	})), "the context ended while Recv waited, and Recv returned EOF"},
	{"the caller's Close taken for the end", never(recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == endwell.ErrClosed {
			err = io.EOF
		}
		return c, err
	})), "closed before its first Recv, and Recv returned EOF"},
	{"chunks after Close", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err == endwell.ErrClosed {
				return endwell.Chunk{Kind: endwell.KindKeepAlive}, nil
			}
			return c, err
		}}
	})), "Recv returned another chunk"},
	{"the second Close panics", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		closed := make(chan struct{})
		return &mutant{Stream: s, shut: func() error {
			close(closed)
			return s.Close()
		}}
	})), "it panics: Close"},
	{"Close does not unblock Recv", func(release <-chan struct{}) endwell.Middleware {
		return closings(func(s endwell.Stream) error {
			go func() {
				<-release
				_ = s.Close()
			}()
			return nil
		})
	}, "it hangs: Recv, whose stream has been closed"},
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
	{"Close changes the ending", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		var closed atomic.Bool
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err == io.EOF && closed.Load() {
				err = endwell.ErrClosed
			}
			return c, err
		}, shut: func() error {
			closed.Store(true)
			return s.Close()
		}}
	})), "after Close"},
	{"the context changes the ending", never(streams(func(ctx context.Context, s endwell.Stream) endwell.Stream {
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if err == io.EOF && ctx.Err() != nil {
				err = ctx.Err()
			}
			return c, err
		}}
	})), "after its context ended"},
	{"Recv ignores the context", func(release <-chan struct{}) endwell.Middleware {
		return recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
			if err == context.Canceled {
				<-release
			}
			return c, err
		})
	}, "it hangs: Recv, whose context has ended"},
	{"Open ignores the context", func(release <-chan struct{}) endwell.Middleware {
		return opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
			if err == context.Canceled {
				<-release
			}
			return s, err
		})
	}, "it hangs: Open, whose context has ended"},
	{"Open returns a stream beside an error", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		if err != nil {
			s = &mutant{}
		}
		return s, err
	})), "Open returned a stream beside the error"},
	{"Open returns neither", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		return s, nil
	})), "Open returned neither"},
	{"a refusal becomes an empty answer", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		if err == error(refused) {
			return endwell.FromSeq(func(func(endwell.Chunk, error) bool) {}), nil
		}
		return s, err
	})), "a refused call ended with EOF"},
	{"a refusal becomes text", never(opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
		if err == error(refused) {
			return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
				_ = yield(endwell.Chunk{Kind: endwell.KindText, Text: "503 busy"}, nil) && yield(endwell.Chunk{}, refused)
			}), nil
		}
		return s, err
	})), "a refused call emitted something"},
	{"Open changes the request", never(func(next endwell.Next) endwell.Next {
		var calls atomic.Int32
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			if calls.Add(1) == 1 {
				req.Model = "other"
			}
			return next.Open(ctx, req)
		})
	}), "Open changed the request"},
	{"Open ends the context when it returns", never(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			return next.Open(ctx, req)
		})
	}), "ended by itself"},
	{"a goroutine is left", func(release <-chan struct{}) endwell.Middleware {
		return streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
			go func() { <-release }()
			return s
		})
	}, "a goroutine is left"},
	{"a goroutine is left by a failed Open", func(release <-chan struct{}) endwell.Middleware {
		return opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
			if err == error(refused) {
				go func() { <-release }()
			}
			return s, err
		})
	}, "a refusal: a goroutine is left"},
	{"Raw is overwritten by a reader that runs ahead", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.Raw = append([]byte(nil), c.Raw...)
		time.AfterFunc(time.Microsecond, func() { clear(c.Raw) })
		return c
	})), "Raw of a chunk of kind"},
	{"a tool call's delta is used again", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		var one endwell.ToolCallDelta
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if c.ToolCall != nil {
				one = *c.ToolCall
				c.ToolCall = &one
			}
			return c, err
		}}
	})), "changed after it was handed out, in ToolCall"},
	{"calls share a stream", func(release <-chan struct{}) endwell.Middleware {
		return func(next endwell.Next) endwell.Next {
			mu := make(lock, 1)
			var shared endwell.Stream
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
				defer mu.held()()
				var err error
				if shared == nil {
					shared, err = next.Open(until(ctx, release), req)
				}
				if err != nil {
					return nil, err
				}
				return &mutant{recv: func() (endwell.Chunk, error) {
					defer mu.held()()
					return shared.Recv()
				}, shut: func() error { return nil }}, nil
			})
		}
	}, "the answer ended before its first chunk"},
	{"one call changes the answer of the next", never(func(next endwell.Next) endwell.Next {
		var calls atomic.Int32
		return opens(func(_ context.Context, s endwell.Stream, err error) (endwell.Stream, error) {
			n := calls.Add(1)
			return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
				c, err := s.Recv()
				if c.Kind == endwell.KindText {
					c.Text = strconv.Itoa(int(n))
				}
				return c, err
			}}, err
		})(next)
	}), "they share what belongs to one call"},
	{"nothing says that the answer may end", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.End = endwell.Unstated
		return c
	})), "no chunk said that it may end"},
	{"reasoning in Text", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		if c.Kind == endwell.KindReasoning {
			c.Text, c.Detail = c.Detail, ""
		}
		return c
	})), "a chunk of kind reasoning has Text"},
	{"a tool call without a delta", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.ToolCall = nil
		return c
	})), "has a ToolCall where it should not, or none"},
	{"a usage record without counts", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.Usage = nil
		return c
	})), "has a Usage where it should not, or none"},
	{"a finish without a class", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.Finish = endwell.FinishNone
		return c
	})), "has a Finish where it should not, or none"},
	{"a kind that does not exist", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		if c.Kind == endwell.KindMeta {
			c.Kind = 200
		}
		return c
	})), "that does not exist"},
	{"text that is there and left out", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		c.Elided = true
		return c
	})), "has it"},
	{"nothing is emitted", never(chunksOnly(func(c endwell.Chunk) endwell.Chunk {
		return endwell.Chunk{Kind: endwell.KindMeta, End: c.End}
	})), "the answer emits nothing"},
	{"an answer without end", never(recvs(func(n int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == io.EOF {
			return endwell.Chunk{Kind: endwell.KindKeepAlive}, nil
		}
		return c, err
	})), "had not ended after"},
	{"Recv panics after the end", never(streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		ended := false
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			c, err := s.Recv()
			if ended {
				panic("read after the end")
			}
			ended = err != nil
			return c, err
		}}
	})), "it panics: Recv: read after the end"},
}

// lock is a mutex that a testing/synctest bubble can see through.
type lock chan struct{}

func (l lock) held() (release func()) {
	l <- struct{}{}
	return func() { <-l }
}

// until is a context that ends with release and not with ctx.
func until(ctx context.Context, release <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		<-release
		cancel()
	}()
	return ctx
}

var errInside = fmt.Errorf("read: %w", io.EOF)

// opens is a decorator that changes what Open returns.
func opens(change func(ctx context.Context, s endwell.Stream, err error) (endwell.Stream, error)) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s, err := next.Open(ctx, req)
			return change(ctx, s, err)
		})
	}
}
