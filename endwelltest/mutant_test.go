package endwelltest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// correct is a Next without a fault, in every situation.
func correct(s endwelltest.Situation) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		if s == endwelltest.NeverOpens {
			<-ctx.Done()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s == endwelltest.Refuses {
			return nil, refused
		}
		return endwell.FromSeq(richSequence(ctx, s)), nil
	})
}

func richSequence(ctx context.Context, s endwelltest.Situation) func(func(endwell.Chunk, error) bool) {
	chunks := []endwell.Chunk{
		{Kind: endwell.KindMeta, Raw: []byte("role"), End: endwell.Open},
		{Kind: endwell.KindReasoning, Detail: "hm", Raw: []byte("hm")},
		{Kind: endwell.KindText, Text: "hel", Raw: []byte("hel")},
		{Kind: endwell.KindText, Text: "lo", Raw: []byte("lo")},
		{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{ID: "c", Name: "f", Arguments: "{"}},
		{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{Arguments: "}"}},
	}
	last := []endwell.Chunk{
		{Kind: endwell.KindFinish, Finish: endwell.FinishStop, Detail: "stop", End: endwell.Settled},
		{Kind: endwell.KindUsage, Usage: &endwell.Usage{Input: 3, Output: 5}, End: endwell.Ended},
	}
	if s == endwelltest.Answers {
		chunks = append(chunks, last...)
	}
	return func(yield func(endwell.Chunk, error) bool) {
		for _, c := range chunks {
			if ctx.Err() != nil || !yield(c, nil) {
				return
			}
		}
		switch s {
		case endwelltest.Hangs:
			<-ctx.Done()
			yield(endwell.Chunk{}, ctx.Err())
		case endwelltest.Fails:
			yield(endwell.Chunk{}, errBroken)
		default:
		}
	}
}

// mutant is a stream whose Recv or Close is another one.
type mutant struct {
	endwell.Stream
	recv func() (endwell.Chunk, error)
	shut func() error
}

func (m *mutant) Recv() (endwell.Chunk, error) {
	if m.recv == nil {
		return m.Stream.Recv()
	}
	return m.recv()
}

func (m *mutant) Close() error {
	if m.shut == nil {
		return m.Stream.Close()
	}
	return m.shut()
}

// streams makes a decorator that changes each stream. What hangs in it waits for
// release, which comes when the test has seen enough.
func streams(change func(ctx context.Context, s endwell.Stream) endwell.Stream) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s, err := next.Open(ctx, req)
			if err != nil || s == nil {
				return nil, err
			}
			return change(ctx, s), nil
		})
	}
}

// recvs is streams for a change of Recv alone, with the number of the Recv, from 1.
func recvs(change func(n int, c endwell.Chunk, err error) (endwell.Chunk, error)) endwell.Middleware {
	return streams(func(_ context.Context, s endwell.Stream) endwell.Stream {
		n := 0
		return &mutant{Stream: s, recv: func() (endwell.Chunk, error) {
			n++
			c, err := s.Recv()
			return change(n, c, err)
		}}
	})
}

// chunksOnly is recvs for a change of chunks alone.
func chunksOnly(change func(c endwell.Chunk) endwell.Chunk) endwell.Middleware {
	return recvs(func(_ int, c endwell.Chunk, err error) (endwell.Chunk, error) {
		if err == nil {
			c = change(c)
		}
		return c, err
	})
}

// fault is a planted fault, and what is said of it.
type fault struct {
	name  string
	plant func(release <-chan struct{}) endwell.Middleware
	says  string
}

func never(mw endwell.Middleware) func(<-chan struct{}) endwell.Middleware {
	return func(<-chan struct{}) endwell.Middleware { return mw }
}

// caught plants faults and requires that each is found and said, by try.
func caught(t *testing.T, faults []fault, try func(endwelltest.T, endwell.Middleware)) {
	require.GreaterOrEqual(t, len(faults), 20)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var r recorder
				try(&r, f.plant(release))
				close(release)
				<-time.After(time.Hour) // what was stuck ends
				require.Contains(t, r.end(), f.says)
			})
		})
	}
	t.Run("no fault", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var r recorder
			try(&r, func(next endwell.Next) endwell.Next { return next })
			require.Empty(t, r.end())
		})
	})
}
