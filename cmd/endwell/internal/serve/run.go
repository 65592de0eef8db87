// Package serve is the command that serves bad endings to programs in any language.
package serve

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

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
	exitDone  = 0
	exitFault = 1 // it could not listen
	exitUsage = 2
)

// options is what the flags say.
type options struct {
	listen, wire, ending, script string
	public                       bool
}

// Run is the command: it serves until ctx ends. It returns the exit code.
func Run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	var opt options
	fs := flag.NewFlagSet("gateway", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		fs.PrintDefaults()
	}
	fs.StringVar(&opt.listen, "listen", "127.0.0.1:8080", "listen on this `address`; port 0 is any free one")
	fs.BoolVar(&opt.public, "public", false, "allow an address that is not on this machine's loopback")
	fs.StringVar(&opt.wire, "wire", "", "speak this `wire` on paths that show none: "+names(endwelltest.Wires()))
	fs.StringVar(&opt.ending, "ending", "whole", "end so, on paths that `name` no ending")
	fs.StringVar(&opt.script, "script", "", "play the script in this `file` on paths that name no ending; see below")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		_, _ = io.WriteString(stderr, scriptUsage)
		return exitDone
	case err != nil:
		return exitUsage
	case fs.NArg() > 0:
		fs.Usage()
		return exitUsage
	}
	answer, err := opt.answer(stderr)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "endwell gateway: %v\n", err)
		return exitUsage
	}
	return serve(ctx, stdout, stderr, opt, answer)
}

func serve(ctx context.Context, stdout, stderr io.Writer, opt options, answer endwelltest.Step) int {
	l, err := listen(opt.listen, opt.public)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "endwell gateway: %v\n", err)
		return exitFault
	}
	g := endwelltest.Listen(l, answer)
	defer g.Close()
	_, _ = fmt.Fprintf(stdout, greeting, g.URL)
	<-ctx.Done()
	return exitDone
}

const greeting = `The gateway listens on %[1]s and ends its answers badly on purpose.
Name an ending in front of the path, for example:

    OPENAI_BASE_URL=%[1]s/stalled/v1

%[1]s/ lists all endings and paths. Stop it with Ctrl-C.
`

// listen refuses what others can reach unless that is wanted.
func listen(address string, public bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("-listen needs host:port: %w", err)
	}
	if ip := net.ParseIP(host); !public && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%s is within reach of others: add -public if that is meant", address)
	}
	return net.Listen("tcp", address)
}

// answer is the one script of the gateway, which notes each request on stderr.
func (o options) answer(stderr io.Writer) (endwelltest.Step, error) {
	var cfg endwelltest.NamedConfig
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
	named, asked := endwelltest.Named(cfg), log.New(stderr, "", log.Ltime)
	return endwelltest.Choose(func(r *http.Request) endwelltest.Step {
		asked.Printf("%s %q", r.Method, r.URL.Path) // a query may hold a key
		if r.URL.Path == "/" {
			return endwelltest.Document(http.StatusOK, "text/plain; charset=utf-8", menu("http://"+r.Host))
		}
		return named
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
