package tape

import (
	"context"
	"io"
	"io/fs"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/internal/errtree"
)

// Recorder is a body that keeps what is read from it as a [Tape]. The bytes
// pass unchanged. It holds the whole body in memory. Read is for one goroutine
// at a time; Close and Tape may run beside it.
type Recorder struct {
	clock clock.Clock
	body  io.Reader
	start time.Time

	mu    sync.Mutex
	tape  Tape
	ended bool
}

// NewRecorder returns a recorder of body, whose response headers have arrived
// now by c; nil means clock.System. If body is an io.Closer, the recorder's
// Close closes it. What stands in head goes onto the tape as it is.
func NewRecorder(c clock.Clock, body io.Reader, head Head) *Recorder {
	if c == nil {
		c = clock.System
	}
	return &Recorder{clock: c, body: body, start: c.Now(), tape: Tape{Head: head}}
}

// Read reads from the body and keeps what it got. The first error is the end
// of the tape: io.EOF is eof, io.ErrUnexpectedEOF and an io.EOF that is
// wrapped are unexpected_eof, the error of a done context or of a body that
// this side closed is cancel, and every other error, ECONNRESET for one, is
// reset.
func (r *Recorder) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 && !r.ended {
		r.tape.Arrivals = append(r.tape.Arrivals, Arrival{At: r.elapsed(), Data: slices.Clone(p[:n])})
	}
	if err != nil {
		r.end(endOf(err))
	}
	return n, err
}

// Close closes the body. If that comes before the body's own end, the tape
// ends with cancel at this instant, whatever Read returns afterwards.
func (r *Recorder) Close() error {
	r.mu.Lock()
	r.end(EndCancel)
	r.mu.Unlock()
	if c, ok := r.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Tape is what has been recorded so far, and no part of it changes later. If
// the body has not ended, the tape ends with hang at this instant.
func (r *Recorder) Tape() *Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.tape
	out.Arrivals = slices.Clip(out.Arrivals)
	if !r.ended {
		out.End, out.EndAt = EndHang, r.elapsed()
	}
	return &out
}

func (r *Recorder) end(e End) {
	if r.ended {
		return
	}
	r.tape.End, r.tape.EndAt, r.ended = e, r.elapsed(), true
}

// elapsed is the time on the tape, which does not go back with the clock.
func (r *Recorder) elapsed() time.Duration {
	return max(r.clock.Now().Sub(r.start).Truncate(time.Millisecond), r.tape.lastAt())
}

func endOf(err error) End {
	t := errtree.Flatten(err)
	is := func(targets ...error) bool { return slices.ContainsFunc(targets, t.Has) }
	switch {
	case err == io.EOF:
		return EndEOF
	case is(io.ErrUnexpectedEOF, io.EOF):
		return EndUnexpectedEOF
	case is(context.Canceled, context.DeadlineExceeded, ErrClosed, net.ErrClosed, fs.ErrClosed, io.ErrClosedPipe):
		return EndCancel
	}
	return EndReset
}
