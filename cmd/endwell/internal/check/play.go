package check

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

// Options say how a file is played.
type Options struct {
	// Dialect names the dialect; "" takes the tape's, or detects it.
	Dialect string
	// Status and Type replace the response's status and content type, unless 0 and
	// "".
	Status int
	Type   string
	// Bounds are the stall guard's.
	Bounds middleware.Bounds
	// Retry is the retry gate's; no retry by default. Its policies must not wait,
	// since only a body that is read moves the clock.
	Retry middleware.RetryConfig
}

// Play plays a tape through the standard stack, on a fake clock, and returns what
// came out. The error says why it could not be played.
func Play(t *tape.Tape, opt Options) (Result, error) {
	d, err := choose(t, opt)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Dates in headers count from today, as they would for a live call.
	clk := clock.NewFake(time.Now())
	play := &player{tape: t, dialect: d, opt: opt, clk: clk, cancel: cancel}

	opt.Retry.Clock = clk
	next := middleware.Standard(middleware.Config{
		Clock: clk,
		Stall: middleware.StallConfig{Bounds: opt.Bounds},
		Retry: opt.Retry,
	})(play)

	r := Result{Dialect: d.Name()}
	var c endwell.Collector
	err = run(ctx, next, &c)
	if play.neverEnds {
		return r, errors.New("the stream hangs for ever: give it a bound with -first, -idle or -progress")
	}
	r.fill(&c, err)
	return r, nil
}

// run drains one call into c and returns how it ended; nil is whole.
func run(ctx context.Context, next endwell.Next, c *endwell.Collector) error {
	st, err := next.Open(ctx, &endwell.Request{})
	if err != nil {
		c.End(err)
		return err
	}
	for chunk, err := range endwell.All(st) {
		if err != nil {
			c.End(err)
			return err
		}
		c.Add(chunk)
	}
	c.End(io.EOF)
	return nil
}

// player is the provider: each Open plays the tape from its beginning.
type player struct {
	tape      *tape.Tape
	dialect   *dialects.Dialect
	opt       Options
	clk       *clock.Fake
	cancel    func()
	neverEnds bool
}

// Open implements endwell.Next.
func (p *player) Open(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
	body := tape.Play(ctx, p.tape, tape.Config{Clock: p.clk, Cancel: p.cancel, Drive: true})
	resp := &http.Response{
		StatusCode: status(p.tape, p.opt),
		Header:     header(p.tape, p.opt),
		Body:       &watched{body, p},
	}
	return transport.Decode(resp, p.dialect, dialects.Options{})
}

// watched notes that a tape would never end.
type watched struct {
	*tape.Body
	p *player
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Body.Read(b)
	if errors.Is(err, tape.ErrNeverEnds) {
		w.p.neverEnds = true
	}
	return n, err
}

func status(t *tape.Tape, opt Options) int {
	if opt.Status != 0 {
		return opt.Status
	}
	return t.Head.Status
}

func header(t *tape.Tape, opt Options) http.Header {
	h := t.Head.Header.HTTP()
	if h == nil {
		h = http.Header{}
	}
	if opt.Type != "" {
		h.Set("Content-Type", opt.Type)
	}
	return h
}

// choose finds the dialect: the one that was named, the tape's own, or the one that
// the bytes tell.
func choose(t *tape.Tape, opt Options) (*dialects.Dialect, error) {
	name := opt.Dialect
	if name == "" {
		name = t.Head.Dialect
	}
	if name != "" {
		return cli.Dialect(name)
	}
	return detect(t, opt), nil
}

func detect(t *tape.Tape, opt Options) *dialects.Dialect {
	if d, ok := told(t, opt); ok {
		return d
	}
	return dialects.MustByName("compatible")
}

// told is what the content type and the bytes of a tape tell.
func told(t *tape.Tape, opt Options) (*dialects.Dialect, bool) {
	return dialects.Detect(header(t, opt).Get("Content-Type"), "", first(t))
}

// Detect names the dialect of a file by its content type and its bytes, whatever a
// tape's head says, and reports false when they do not tell.
func Detect(name, contentType string) (*dialects.Dialect, bool, error) {
	t, err := load(name, nil)
	if err != nil {
		return nil, false, err
	}
	d, ok := told(t, Options{Type: contentType})
	return d, ok, nil
}

// first is the beginning of a tape's body.
func first(t *tape.Tape) []byte {
	const enough = 64 << 10
	var b []byte
	for _, a := range t.Arrivals {
		for n := int64(0); n < max(a.Count, 1) && len(b) < enough; n++ {
			b = append(b, a.Data[:min(len(a.Data), enough)]...)
		}
	}
	return b
}

func asError(err error) (*endwell.Error, bool) {
	var e *endwell.Error
	ok := errors.As(err, &e)
	return e, ok
}
