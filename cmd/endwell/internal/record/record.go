// Package record is the command that makes one request, writes its answer to a tape,
// and says how it ended; and how a tape is made of an answer and freed of secrets.
package record

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

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

// Run is the command. It returns the exit code: check's, or cli.ExitUsage when there is no
// tape.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var o options
	var dialect, out string
	var bounds middleware.Bounds
	flags := cli.New("record", usage, stdout, stderr)
	flags.Var(&o.headers, "H", "a `header`, 'Name: value'; $NAME in it is a variable of the environment; may be repeated")
	flags.StringVar(&o.data, "d", "", "the request's `body`: text, @FILE, or @- for standard input")
	flags.StringVar(&o.method, "X", "", "the request's `method`; POST with -d, else GET")
	flags.StringVar(&out, "o", "", "the tape's `file`, which must not be there yet, and whose folder is made; named by the time by default")
	flags.StringVar(&dialect, "dialect", "", "read as this `dialect`; found by the URL or the answer when not named")
	flags.Bounds(&bounds)
	rest, code, ok := parse(flags, args)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return flags.Missing()
	case len(rest) > 1:
		return flags.Unexpected(rest[1])
	}
	o.url = rest[0]
	flags.Visit(func(f *flag.Flag) { o.asked = o.asked || f.Name == "d" })
	c := &call{dialect: dialect, bounds: bounds, out: out}
	if err := c.run(ctx, &o, stdin); err != nil {
		return flags.Fail(err)
	}
	again := []string{"-first", bounds.First.String(), "-idle", bounds.Idle.String(), "-progress", bounds.Progress.String(), "--"}
	return check.Run(stdin, stdout, stderr, append(again, c.out))
}

// parse takes flags before and behind the URL, as curl does.
func parse(fs *cli.Set, args []string) (rest []string, code int, ok bool) {
	for {
		if code, ok := fs.Read(args); !ok {
			return nil, code, false
		}
		if fs.NArg() == 0 {
			return rest, cli.ExitDone, true
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
	if c.dialect != "" {
		if _, err := cli.Dialect(c.dialect); err != nil {
			return err
		}
	}
	req, err := o.request(ctx, stdin)
	if err != nil {
		return err
	}
	if err := free(c.out); err != nil {
		return err // before the provider is asked, and paid
	}
	t, err := c.ask(req)
	if err != nil {
		return err
	}
	Clean(t, Secrets(req))
	if c.out == "" {
		c.out, err = SaveIn(".", time.Now(), 1, 1, t)
		return err
	}
	if err = Save(c.out, t); errors.Is(err, fs.ErrExist) {
		return taken(c.out)
	}
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
				return nil, Asked(req, err)
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
		return nil, unanswered(req, failure)
	case err != nil:
		return nil, err
	default:
		return nil, fmt.Errorf("the answer is longer than %d bytes", MaxBody)
	}
}

// Asked is the error of a transport that sent a request, as http.Client would have it,
// so that it is known for one: by its type not every error of net/http is.
func Asked(req *http.Request, err error) error {
	return &url.Error{Op: req.Method, URL: req.URL.Redacted(), Err: err}
}

// unanswered says why no answer came, to the person at the terminal: also in the words
// of what failed, without the request's keys.
func unanswered(req *http.Request, failure error) error {
	e := classify.Error(Asked(req, failure), classify.Call{})
	details := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, string(masked([]byte(failure.Error()), Secrets(req))))
	return fmt.Errorf("%s\n    details    %s", e.Message(), details)
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
