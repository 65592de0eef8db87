package perf

import (
	"context"

	"github.com/endwell-go/endwell"
)

// replay is a provider and a stream that says the same chunk for ever.
type replay struct{ chunk endwell.Chunk }

var hello = endwell.Chunk{Kind: endwell.KindText, Text: "hello", End: endwell.Open, Raw: []byte("data: {}\n\n")}

// Open implements endwell.Next. Each stream has its own memory.
func (r *replay) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	return &replay{r.chunk}, nil
}

// Recv implements endwell.Stream.
func (r *replay) Recv() (endwell.Chunk, error) { return r.chunk, nil }

// Close implements endwell.Stream.
func (r *replay) Close() error { return nil }

// there is a replay that knows that it never waits.
type there struct{ replay }

// Open implements endwell.Next.
func (there) Open(context.Context, *endwell.Request) (endwell.Stream, error) {
	return &there{replay{hello}}, nil
}

// RecvReady says so.
func (*there) RecvReady() bool { return true }

// alone changes nothing.
func alone(next endwell.Next) endwell.Next { return next }

// open opens n streams of a provider under a chain.
func open(ctx context.Context, n int, mw endwell.Middleware, next endwell.Next) ([]endwell.Stream, error) {
	next = mw(next)
	all := make([]endwell.Stream, n)
	for i := range all {
		var err error
		if all[i], err = next.Open(ctx, question); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func closeAll(all []endwell.Stream) {
	for _, st := range all {
		_ = st.Close()
	}
}

// inTurn is a side that receives from streams in turn, n chunks in all.
func inTurn(name string, all []endwell.Stream, n int) side {
	return side{name, func(m *meter) error {
		m.start()
		for i := 0; i < n; {
			for _, st := range all[:min(len(all), n-i)] {
				if _, err := st.Recv(); err != nil {
					return err
				}
				i++
			}
		}
		m.stop(n)
		return nil
	}}
}
