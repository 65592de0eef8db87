// Package serve is the command that serves bad endings to programs in any language.
package serve

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/endwelltest"
)

const usage = `Usage: endwell gateway [flags]

Serves a provider that ends its answers in the way that the URL names, so that a
program in any language can be tested against bad endings. Put the ending in front of
the path; the path itself says which provider is meant:

    OPENAI_BASE_URL=http://127.0.0.1:8080/stalled/v1 my-program
    curl -N http://127.0.0.1:8080/reset/v1/messages -d '{"stream":true}'
    curl -N http://127.0.0.1:8080/after=3/every=200ms/cut/api/chat -d '{}'

after=N says N pieces of text before the ending, every=D pauses after each frame.
A request that asks for no stream gets an answer in one piece. Keys are not looked at.
http://127.0.0.1:8080/ lists all endings and paths. Stop it with Ctrl-C.

Flags:
`

// The exit codes.
const (
	exitDone  = cli.ExitDone
	exitFault = 1 // it could not listen
	exitUsage = cli.ExitUsage
)

// options is what the flags say.
type options struct {
	listen, wire, ending, script string
	public                       bool
}

// Run is the command: it serves until ctx ends. It returns the exit code.
func Run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	var opt options
	fs := cli.New("gateway", usage, stdout, stderr)
	fs.Tail = scriptUsage
	fs.StringVar(&opt.listen, "listen", "127.0.0.1:8080", "listen on this `address`; port 0 is any free one")
	fs.BoolVar(&opt.public, "public", false, "allow an address that is not on this machine's loopback")
	fs.StringVar(&opt.wire, "wire", "", "speak this `wire` on paths that show none: "+names(endwelltest.Wires()))
	fs.StringVar(&opt.ending, "ending", "whole", "end so, on paths that `name` no ending")
	fs.StringVar(&opt.script, "script", "", "play the script in this `file` on paths that name no ending; see below")
	if code, ok := fs.Alone(args); !ok {
		return code
	}
	answer, err := opt.answer(stderr)
	if err == nil {
		err = cli.Address(opt.listen, opt.public)
	}
	if err != nil {
		return fs.Fail(err)
	}
	if err := serve(ctx, stdout, opt, answer); err != nil {
		fs.Complain(err)
		return exitFault
	}
	return exitDone
}

// serve serves until ctx ends.
func serve(ctx context.Context, stdout io.Writer, opt options, answer endwelltest.Step) error {
	l, err := cli.Listen(opt.listen)
	if err != nil {
		return err
	}
	g := endwelltest.Listen(l, answer)
	defer g.Close()
	_, _ = fmt.Fprintf(stdout, greeting, g.URL)
	<-ctx.Done()
	return nil
}

const greeting = `The gateway listens on %[1]s and ends its answers badly on purpose.
Name an ending in front of the path, for example:

    OPENAI_BASE_URL=%[1]s/stalled/v1

%[1]s/ lists all endings and paths. Stop it with Ctrl-C.
`

// answer is the one script of the gateway, which notes on stderr what each request
// plays.
func (o options) answer(stderr io.Writer) (endwelltest.Step, error) {
	cfg := endwelltest.NamedConfig{Wire: endwelltest.WireOf}
	var ok bool
	if cfg.Ending, ok = endwelltest.EndingByName(o.ending); !ok {
		return endwelltest.Step{}, fmt.Errorf("there is no ending %q; the endings are %s", o.ending, endings())
	}
	if o.wire != "" {
		w, ok := endwelltest.WireByName(o.wire)
		if !ok {
			return endwelltest.Step{}, fmt.Errorf("there is no wire %q; the wires are %s", o.wire, names(endwelltest.Wires()))
		}
		cfg.Wire = orWire(w)
	}
	if o.script != "" {
		text, err := os.ReadFile(o.script)
		if err != nil {
			return endwelltest.Step{}, err
		}
		s, err := parse(string(text))
		if err != nil {
			return endwelltest.Step{}, fmt.Errorf("%s: %w", o.script, err)
		}
		cfg.Otherwise = s.next
	}
	asked := log.New(stderr, "", log.Ltime)
	return endwelltest.Choose(func(r *http.Request) endwelltest.Step {
		n := &note{log: asked, method: r.Method, path: r.URL.Path}
		if r.URL.Path == "/" {
			n.says(http.StatusOK, "menu")
			return endwelltest.Document(http.StatusOK, "text/plain; charset=utf-8", menu("http://"+r.Host))
		}
		return n.of(cfg)
	}), nil
}

// orWire takes a request whose path shows no wire for a stream on w.
func orWire(w endwelltest.Wire) func(*http.Request) (endwelltest.Wire, bool, bool) {
	return func(r *http.Request) (endwelltest.Wire, bool, bool) {
		if shown, stream, ok := endwelltest.WireOf(r); ok {
			return shown, stream, true
		}
		return w, true, true
	}
}
