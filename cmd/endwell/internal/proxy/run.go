package proxy

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes.
const (
	exitStopped = 0
	exitFailed  = 1
	exitUsage   = 2
)

const usage = `Usage: endwell proxy -upstream URL [flags]

Stands between a program in any language and a model provider: a stream that ends
badly reaches the program as an error and never as an end. Keys pass, and are
neither kept nor logged. Give the program the proxy as its base URL:

    endwell proxy -upstream https://api.openai.com
    OPENAI_BASE_URL=http://127.0.0.1:8787/v1 python app.py

What fails before the first output is answered with a status and the provider's kind
of error document; what fails later, with its kind of error frame and a connection
that is aborted. What the provider refuses passes as it is. GET /healthz and GET
/metrics are the proxy's own. SIGTERM lets open streams end; a second one aborts them.

Flags:
`

// Run is the command. It returns the exit code.
func Run(stderr io.Writer, args []string) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	return run(stderr, args, signals)
}

func run(stderr io.Writer, args []string, signals <-chan os.Signal) int {
	var o options
	fs := o.flags(stderr)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitStopped
	case err != nil:
		return exitUsage
	}
	o.cfg.Log = slog.New(slog.NewTextHandler(stderr, nil))
	if err := o.complete(fs.Args()); err != nil {
		_, _ = fmt.Fprintln(stderr, "endwell proxy:", err)
		return exitUsage
	}
	if err := o.serve(signals); err != nil {
		_, _ = fmt.Fprintln(stderr, "endwell proxy:", err)
		return exitFailed
	}
	return exitStopped
}
