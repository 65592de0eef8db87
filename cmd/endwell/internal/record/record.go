// Package record is the command that makes one request, writes its answer to a tape,
// and says how it ended; and how a tape is made of an answer and freed of secrets.
package record

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

const exitUsage = 2 // wrong usage, or no answer to record; the others are check's

const usage = `Usage: endwell record [flags] URL

Makes one request, writes the answer to a tape, and says how it ended, in the words
of endwell check, which plays the tape again. Interrupt it to end a stream that hangs.

    endwell record https://api.openai.com/v1/chat/completions \
        -H 'Authorization: Bearer $OPENAI_API_KEY' -d @body.json -o bad.tape

The tape has the status, a few headers and the body of the answer, and nothing of
the request; what the answer repeats of the request's keys is masked.

Exit code: 0 for an answer that is whole, 1 for one that is not, 2 when there is none
or the tape cannot be written.

Flags:
`

// Run is the command. It returns the exit code.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var o options
	var dialect, out string
	var bounds middleware.Bounds
	fs := flag.NewFlagSet("record", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		fs.PrintDefaults()
	}
	fs.Var(&o.headers, "H", "a `header`, 'Name: value'; $NAME in it is a variable of the environment; may be repeated")
	fs.StringVar(&o.data, "d", "", "the request's `body`: text, @FILE, or @- for standard input")
	fs.StringVar(&o.method, "X", "", "the request's `method`; POST with -d, else GET")
	fs.StringVar(&out, "o", "", "the tape's `file`, which must not be there yet; named by the time by default")
	fs.StringVar(&dialect, "dialect", "", "read as this `dialect`; found by the URL or the answer when not named")
	fs.DurationVar(&bounds.First, "first", 0, "stall bound to the first emission; 0 is the default, negative is none")
	fs.DurationVar(&bounds.Idle, "idle", 0, "stall bound without bytes, likewise")
	fs.DurationVar(&bounds.Progress, "progress", 0, "stall bound without output, likewise")
	rest, err := parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case len(rest) != 1:
		fs.Usage()
		return exitUsage
	}
	o.url = rest[0]
	fs.Visit(func(f *flag.Flag) { o.asked = o.asked || f.Name == "d" })
	c := &call{dialect: dialect, bounds: bounds, out: out}
	if err := c.run(ctx, &o, stdin); err != nil {
		_, _ = fmt.Fprintln(stderr, "endwell record:", err)
		return exitUsage
	}
	again := []string{"-first", bounds.First.String(), "-idle", bounds.Idle.String(), "-progress", bounds.Progress.String()}
	return check.Run(stdin, stdout, stderr, append(again, c.out))
}

// parse takes flags before and behind the URL, as curl does.
func parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}

// call is one request and its tape.
type call struct {
	dialect string
	bounds  middleware.Bounds
	out     string
}

func (c *call) run(ctx context.Context, o *options, stdin io.Reader) error {
	if _, ok := dialects.ByName(c.dialect); !ok && c.dialect != "" {
		return fmt.Errorf("dialect %q is not supported; endwell dialects lists them", c.dialect)
	}
	req, err := o.request(ctx, stdin)
	if err != nil {
		return err
	}
	t, err := c.ask(req)
	if err != nil {
		return err
	}
	Clean(t, Secrets(req))
	if c.out != "" {
		return Save(c.out, t)
	}
	c.out, err = SaveIn(".", time.Now(), 1, t)
	return err
}

// ask sends the request and reads the answer to its end, as the standard stack sees
// it. The error says why there is no tape.
func (c *call) ask(req *http.Request) (*tape.Tape, error) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DisableCompression = true // the tape shows what came
	defer base.CloseIdleConnections()
	var t *tape.Tape
	var body *Body
	var failure error
	next := middleware.Standard(middleware.Config{Stall: middleware.StallConfig{Bounds: c.bounds}})(
		endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
			resp, err := base.RoundTrip(req.WithContext(ctx))
			if err != nil {
				failure = err
				return nil, err
			}
			d := c.told(resp)
			body = NewBody(req.Context(), clock.System, resp, name(d), func(got *tape.Tape) { t = got })
			resp.Body = body
			return transport.Decode(resp, d, dialects.Options{NoText: true})
		}))
	st, err := next.Open(req.Context(), &endwell.Request{})
	if err == nil {
		for _, ending := range endwell.All(st) {
			err = ending
		}
	}
	if body != nil {
		_ = body.Close() // from here on t is what it will be
	}
	switch {
	case t != nil:
		return t, nil
	case req.Context().Err() != nil:
		return nil, errors.New("interrupted before an answer came")
	case failure != nil:
		e := classify.Error(failure, classify.Call{})
		return nil, errors.New(e.Message())
	case err != nil:
		return nil, err
	default:
		return nil, fmt.Errorf("the answer is longer than %d bytes", MaxBody)
	}
}

// told returns the dialect that was named, or that the request tells; nil when only
// the answer does.
func (c *call) told(resp *http.Response) *dialects.Dialect {
	if c.dialect != "" {
		return dialects.MustByName(c.dialect)
	}
	return Told(resp)
}

// Told returns the dialect that a response's request and header tell; nil when only
// its body does.
func Told(resp *http.Response) *dialects.Dialect {
	h := resp.Header
	if resp.StatusCode/100 != 2 {
		h = nil
	}
	if d := transport.DialectOf(resp.Request, h); d.Name() != "compatible" {
		return d
	}
	return nil
}

func name(d *dialects.Dialect) string {
	if d == nil {
		return ""
	}
	return d.Name()
}
