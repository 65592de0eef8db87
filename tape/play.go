package tape

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/endwell-go/endwell/clock"
)

var (
	// ErrClosed is what a [Body] returns from Read once it has been closed.
	ErrClosed = errors.New("tape: the body is closed")

	// ErrNeverEnds is what a [Body] that drives its clock returns when a wait
	// has no end: nothing more is on the tape and no timer is pending that
	// could close the body, or the timers keep setting each other for ever.
	ErrNeverEnds = errors.New("tape: nothing is left that could end the wait")
)

// Config says how [Play] plays. The zero value plays in real time.
type Config struct {
	// Clock is the clock by which the reads arrive. Nil means clock.System.
	Clock clock.Clock

	// Cancel is the caller's own cancellation, which a tape that ends with
	// cancel calls once, at that instant, on the goroutine that reads. Nil
	// means that such a tape only hangs.
	Cancel func()

	// DataErr makes the last bytes come together with the end if both are due
	// at one instant, as an io.Reader may do. By default the end comes alone.
	DataErr bool

	// Drive makes Read advance the clock itself, up to the instant of the
	// next read or to the timer before it, instead of waiting for somebody
	// else to. A timer that is due at the instant of a read fires before it.
	// Everything happens on the goroutine that reads, so that a tape of any
	// length plays at once. Clock must be a *clock.Fake.
	Drive bool
}

// Body is the body of a response that is played from a tape. Its reads are
// the reads on the tape, each at its instant; one that is larger than the
// caller's buffer goes on in the next Read. Read is for one goroutine at a
// time; Close may run beside it.
type Body struct {
	tape   *Tape
	cfg    Config
	ctx    context.Context
	clock  clock.Clock
	fake   *clock.Fake
	start  time.Time
	cursor cursor
	ending error

	timer  clock.Timer
	due    chan struct{}
	closed chan struct{}
	close  sync.Once
	cancel sync.Once
}

// Play returns a body that plays t, which must not change meanwhile. The tape
// starts now: this is the instant of the response headers. When ctx is done,
// Read returns ctx.Err(), also if a read is due.
//
// Play panics if cfg.Drive is set and cfg.Clock is not a *clock.Fake.
func Play(ctx context.Context, t *Tape, cfg Config) *Body {
	b := &Body{
		tape:   t,
		cfg:    cfg,
		ctx:    ctx,
		clock:  cfg.Clock,
		cursor: cursor{arrivals: t.Arrivals},
		due:    make(chan struct{}, 1),
		closed: make(chan struct{}),
	}
	if b.clock == nil {
		b.clock = clock.System
	}
	if cfg.Drive {
		b.fake, _ = b.clock.(*clock.Fake)
		if b.fake == nil {
			panic("tape: Drive needs a *clock.Fake")
		}
	}
	b.start = b.clock.Now()
	return b
}

// Close ends the body and lets a Read that waits return [ErrClosed]. It may be
// called any number of times, from any goroutine, and always returns nil.
func (b *Body) Close() error {
	b.close.Do(func() { close(b.closed) })
	return nil
}

// Read returns the bytes of the next read on the tape once it is due, and of
// that one only. It returns ctx.Err() when the context of [Play] is done,
// [ErrClosed] after Close, and otherwise the tape's end; [End] says what each
// is. The ending that Read has returned once it returns always. A driving body
// may also return [ErrNeverEnds].
func (b *Body) Read(p []byte) (int, error) {
	if err := b.stopped(); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	at, ok := b.cursor.next()
	if !ok {
		return 0, b.finish()
	}
	if err := b.wait(at); err != nil {
		return 0, err
	}
	n := b.cursor.fill(p)
	if _, more := b.cursor.next(); b.cfg.DataErr && !more && b.isDue(b.tape.EndAt) {
		b.ending = b.tape.End.err()
		return n, b.ending
	}
	return n, nil
}

// finish waits for the end of the tape and returns it.
func (b *Body) finish() error {
	if err := b.wait(b.tape.EndAt); err != nil {
		return err
	}
	if b.ending = b.tape.End.err(); b.ending != nil {
		return b.ending
	}
	if b.tape.End == EndCancel && b.cfg.Cancel != nil {
		b.cancel.Do(b.cfg.Cancel)
	}
	if b.fake != nil {
		return b.driveForever()
	}
	return b.hang()
}

// stopped is the ending that this side brought about, or the one that Read
// returned before.
func (b *Body) stopped() error {
	if b.ending != nil {
		return b.ending
	}
	b.ending = b.ctx.Err()
	if b.ending == nil {
		select {
		case <-b.closed:
			b.ending = ErrClosed
		default:
		}
	}
	return b.ending
}

func (b *Body) isDue(at time.Duration) bool {
	return !b.clock.Now().Before(b.start.Add(at))
}

// wait returns nil when the instant has come, or the ending that came first.
func (b *Body) wait(at time.Duration) error {
	if b.fake != nil {
		return b.drive(b.start.Add(at))
	}
	for !b.isDue(at) {
		b.arm(b.start.Add(at).Sub(b.clock.Now()))
		select {
		case <-b.due:
		case <-b.closed:
		case <-b.ctx.Done():
		}
		if err := b.stopped(); err != nil {
			b.timer.Stop()
			return err
		}
	}
	return nil
}

// arm makes due ready after d. A token that an earlier callback left there
// late only makes wait look at the clock once more.
func (b *Body) arm(d time.Duration) {
	if b.timer != nil {
		b.timer.Reset(d)
		return
	}
	b.timer = b.clock.AfterFunc(d, func() {
		select {
		case b.due <- struct{}{}:
		default:
		}
	})
}

func (b *Body) hang() error {
	select {
	case <-b.closed:
	case <-b.ctx.Done():
	}
	return b.stopped()
}

// err is what Read returns for an end, or nil for one that does not return.
func (e End) err() error {
	switch e {
	case EndEOF:
		return io.EOF
	case EndUnexpectedEOF:
		return io.ErrUnexpectedEOF
	case EndReset:
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return nil
}
