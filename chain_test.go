package endwell_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// note is a decorator that writes down when it is entered and left.
func note(log *[]string, name string) endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		*log = append(*log, "build "+name)
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			*log = append(*log, "> "+name)
			defer func() { *log = append(*log, "< "+name) }()
			return next.Open(ctx, req)
		})
	}
}

func twice(next endwell.Next) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		first, err := next.Open(ctx, req)
		if err != nil {
			return nil, err
		}
		_ = first.Close()
		return next.Open(ctx, req)
	})
}

func provider(log *[]string) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		*log = append(*log, "provider")
		return &script{end: io.EOF}, nil
	})
}

func TestChain(t *testing.T) {
	var log []string
	a, b := note(&log, "a"), note(&log, "b")
	built := []string{"build b", "build a"}
	for _, row := range []struct {
		name  string
		chain endwell.Middleware
		want  []string
	}{
		{"empty", endwell.Chain(), []string{"provider"}},
		{"nil only", endwell.Chain(nil, nil), []string{"provider"}},
		{"first is outermost", endwell.Chain(a, b), append(built, "> a", "> b", "provider", "< b", "< a")},
		{"nil is skipped", endwell.Chain(nil, a, nil, b, nil), append(built, "> a", "> b", "provider", "< b", "< a")},
		{"chains nest", endwell.Chain(endwell.Chain(a), endwell.Chain(b)), append(built, "> a", "> b", "provider", "< b", "< a")},
		{
			"opened twice, everything below runs twice", endwell.Chain(a, twice, b),
			append(built, "> a", "> b", "provider", "< b", "> b", "provider", "< b", "< a"),
		},
		{
			"opened four times", endwell.Chain(twice, twice, b),
			[]string{"build b", "> b", "provider", "< b", "> b", "provider", "< b", "> b", "provider", "< b", "> b", "provider", "< b"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			log = nil
			st, err := row.chain(provider(&log)).Open(t.Context(), &endwell.Request{})
			require.NoError(t, err)
			require.NoError(t, func() error { _, err := endwell.Collect(st); return err }())
			require.Equal(t, row.want, log)
		})
	}
}

func TestChainIsBuiltOnce(t *testing.T) {
	var log []string
	next := endwell.Chain(note(&log, "a"))(provider(&log))
	for range 3 {
		_, err := next.Open(t.Context(), nil)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"build a", "> a", "provider", "< a", "> a", "provider", "< a", "> a", "provider", "< a"}, log)
}

// A chain holds nothing of a call: what many calls at once say does not mix.
func TestChainServesManyCallsAtOnce(t *testing.T) {
	tag := func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := next.Open(ctx, req)
			return &tagged{Stream: st, tag: req.Model}, err
		})
	}
	next := endwell.Chain(tag, twice, tag)(endwell.NextFunc(
		func(_ context.Context, req *endwell.Request) (endwell.Stream, error) {
			return &script{chunks: texts(req.Model), end: io.EOF}, nil
		}))
	var wg sync.WaitGroup
	got := make([]string, 64)
	for i := range got {
		wg.Go(func() {
			st, _ := next.Open(t.Context(), &endwell.Request{Model: fmt.Sprint(i)})
			tr, _ := endwell.Collect(st)
			got[i] = tr.Text
		})
	}
	wg.Wait()
	for i, s := range got {
		require.Equal(t, fmt.Sprintf("%d%[1]d%[1]d", i), s)
	}
}

type tagged struct {
	endwell.Stream
	tag string
}

func (s *tagged) Recv() (endwell.Chunk, error) {
	c, err := s.Stream.Recv()
	c.Text += s.tag
	return c, err
}

func TestChunkIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(endwell.Chunk{}), uintptr(128))
}
