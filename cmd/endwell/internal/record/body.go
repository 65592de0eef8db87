package record

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

// MaxBody is how much of a body a tape takes, in bytes: more is not recorded.
const MaxBody = 64 << 20

// Body is the body of a response that is being recorded. The bytes pass unchanged.
// Read is for one goroutine at a time; Close may run beside it.
type Body struct {
	raw   io.ReadCloser
	rec   atomic.Pointer[tape.Recorder] // nil when the body is longer than is recorded
	ctx   context.Context
	left  int64
	once  sync.Once
	ended func(*tape.Tape)
}

// NewBody records the body of resp, whose header has just come. When the body has
// ended, or has been closed, ended is called, once, with the tape; with nil if the
// body is longer than MaxBody. A body that this side closed, or ended by a context of
// its own, ends as a hang on the tape, since that is what the provider did; as the
// caller's cancellation when ctx, the caller's context, is done. It may be called on
// any goroutine, and has returned when Close does.
func NewBody(ctx context.Context, c clock.Clock, resp *http.Response, dialect string, ended func(*tape.Tape)) *Body {
	b := &Body{raw: resp.Body, ctx: ctx, left: MaxBody, ended: ended}
	b.rec.Store(tape.NewRecorder(c, resp.Body, tape.Head{
		Dialect: dialect, Status: resp.StatusCode, Header: kept(resp.Header),
	}))
	return b
}

// Read implements io.Reader.
func (b *Body) Read(p []byte) (int, error) {
	rec := b.rec.Load()
	if rec == nil {
		return b.raw.Read(p)
	}
	n, err := rec.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.rec.Store(nil)
		b.finish(nil)
	}
	if err != nil {
		b.finish(rec)
	}
	return n, err
}

// Close implements io.Closer.
func (b *Body) Close() error {
	b.finish(b.rec.Load())
	return b.raw.Close()
}

func (b *Body) finish(rec *tape.Recorder) {
	b.once.Do(func() {
		if rec == nil {
			b.ended(nil)
			return
		}
		t := rec.Tape()
		if t.End == tape.EndHang || t.End == tape.EndCancel {
			t.End = tape.EndHang
			if b.ctx.Err() != nil {
				t.End = tape.EndCancel
			}
		}
		b.ended(t)
	})
}
