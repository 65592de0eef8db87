package soak_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest/soak"
	"github.com/endwell-go/endwell/middleware"
)

// wrong is a stream with something wrong in it.
type wrong struct {
	endwell.Stream
	recv func(endwell.Stream) (endwell.Chunk, error)
}

// Recv implements endwell.Stream.
func (w wrong) Recv() (endwell.Chunk, error) { return w.recv(w.Stream) }

// around makes a chain with something wrong around it, anew for each stream.
func around(fault func() func(endwell.Stream) (endwell.Chunk, error)) func(middleware.Config) endwell.Middleware {
	return func(cfg middleware.Config) endwell.Middleware {
		return endwell.Chain(func(next endwell.Next) endwell.Next {
			return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
				st, err := next.Open(ctx, req)
				if err != nil {
					return nil, err
				}
				return wrong{st, fault()}, nil
			})
		}, middleware.Standard(cfg))
	}
}

// instead replaces an ending by another one.
func instead(target, by error) func(middleware.Config) endwell.Middleware {
	return around(func() func(endwell.Stream) (endwell.Chunk, error) {
		return func(st endwell.Stream) (endwell.Chunk, error) {
			c, err := st.Recv()
			if errors.Is(err, target) {
				err = by
			}
			return c, err
		}
	})
}

func chunked(change func(n int, c *endwell.Chunk) (again, drop bool)) func(middleware.Config) endwell.Middleware {
	return around(func() func(endwell.Stream) (endwell.Chunk, error) {
		n, twice := 0, (*endwell.Chunk)(nil)
		return func(st endwell.Stream) (endwell.Chunk, error) {
			if c := twice; c != nil {
				twice = nil
				return *c, nil
			}
			for {
				c, err := st.Recv()
				if err != nil || !c.Emission() {
					return c, err
				}
				n++
				again, drop := change(n, &c)
				if drop {
					continue
				}
				if again {
					copied := c
					copied.Raw = append([]byte(nil), c.Raw...)
					twice = &copied
				}
				return c, nil
			}
		}
	})
}

// tries is how many runs find a planted fault, at most: some show in one stream of a
// hundred, and on a machine that stands still meanwhile a run opens only forty.
const tries = 12

// A run finds what is wrong with a chain: without this, one that finds nothing would
// say nothing.
func TestPlanted(t *testing.T) {
	broken := &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true, Model: "soak-model"}
	rows := []struct {
		name  string
		chain func(middleware.Config) endwell.Middleware
		says  string
	}{
		{"the third emission comes twice", chunked(func(n int, _ *endwell.Chunk) (bool, bool) { return n == 3, false }), "they agree in"},
		{"the third emission is lost", chunked(func(n int, _ *endwell.Chunk) (bool, bool) { return false, n == 3 }), "they agree in"},
		{"a byte is changed", chunked(func(n int, c *endwell.Chunk) (bool, bool) {
			c.Text = strings.Replace(c.Text, "1", "7", 1)
			return false, false
		}), "text: "},
		{"a cut is whole", instead(endwell.Truncated, io.EOF), "ended whole, and truly with truncated"},
		{"a cut is a broken connection", instead(endwell.Truncated, broken), "ended with broken/network"},
		{"a whole answer is broken", instead(io.EOF, broken), "and truly with whole"},
		{"a cancellation is a failure", instead(context.Canceled, broken), "broken"},
		{"a close is a failure", instead(endwell.ErrClosed, io.EOF), "after the consumer had stopped"},
		{"a fault is a cancellation", instead(endwell.Faulted, context.Canceled), "and truly with faulted"},
		{"the ending changes", around(func() func(endwell.Stream) (endwell.Chunk, error) {
			var end error
			return func(st endwell.Stream) (endwell.Chunk, error) {
				c, err := st.Recv()
				if end != nil {
					err = io.ErrUnexpectedEOF
				}
				end = err
				return c, err
			}
		}), "is not sticky"},
		{"nothing is sent again", func(cfg middleware.Config) endwell.Middleware {
			cfg.Retry = middleware.RetryConfig{}
			return middleware.Standard(cfg)
		}, "was not made again"},
		{"a call is sent again after an emission", again, "was made after one"},
		{"a stall is early", func(cfg middleware.Config) endwell.Middleware {
			bounds := cfg.Stall.For
			cfg.Stall.For = func(r *endwell.Request) middleware.Bounds {
				b := bounds(r)
				return middleware.Bounds{First: b.First / 2, Idle: b.Idle / 2, Progress: b.Progress / 2, Linger: b.Linger}
			}
			return middleware.Standard(cfg)
		}, "stalled early"},
		{"a stall is late", func(cfg middleware.Config) endwell.Middleware {
			bounds := cfg.Stall.For
			cfg.Stall.For = func(r *endwell.Request) middleware.Bounds {
				b := bounds(r)
				const late = 100 * time.Millisecond
				return middleware.Bounds{First: b.First + late, Idle: b.Idle + late, Progress: b.Progress + late, Linger: b.Linger}
			}
			return middleware.Standard(cfg)
		}, "whose bound is"},
	}
	found := make([]string, len(rows)) // all at once, since most of the time is waiting
	var work sync.WaitGroup
	for i, row := range rows {
		work.Go(func() {
			for seed := uint64(1); seed <= tries && !strings.Contains(found[i], row.says); seed++ {
				r := soak.Run(soak.Config{
					Seed: seed, Streams: 40, For: 300 * time.Millisecond, Sockets: -1, Think: 5 * time.Millisecond, Chain: row.chain,
				})
				found[i] += strings.Join(r.Wrongs, "\n")
			}
		})
	}
	work.Wait()
	for i, row := range rows {
		t.Run(row.name, func(t *testing.T) { require.Contains(t, found[i], row.says) })
	}
}

// again opens a stream once more when it breaks after an emission.
func again(cfg middleware.Config) endwell.Middleware {
	return endwell.Chain(func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := next.Open(ctx, req)
			if err != nil {
				return nil, err
			}
			emitted := false
			return wrong{st, func(st endwell.Stream) (endwell.Chunk, error) {
				c, err := st.Recv()
				if emitted && errors.Is(err, endwell.Broken) {
					emitted = false
					if second, err := next.Open(ctx, req); err == nil {
						_ = second.Close()
					}
				}
				emitted = emitted || c.Emission()
				return c, err
			}}, nil
		})
	}, middleware.Standard(cfg))
}

// A goroutine that a stream leaves behind shows in the report.
func TestLeak(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	r := soak.Run(soak.Config{
		Streams: 10, For: 50 * time.Millisecond, Sockets: -1, Think: time.Millisecond,
		Chain: around(func() func(endwell.Stream) (endwell.Chunk, error) {
			go func() { <-forever }()
			return endwell.Stream.Recv
		}),
	})
	require.Greater(t, r.After.Goroutines, r.Before.Goroutines)
}

// A configuration that cannot be meant panics.
func TestConfigPanics(t *testing.T) {
	for _, cfg := range []soak.Config{{Streams: -1}, {For: -1}, {Think: -1}, {Slack: -1}} {
		require.Panics(t, func() { soak.Run(cfg) })
	}
}
