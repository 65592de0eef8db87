package proxy

import (
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
)

// The exit codes.
const (
	exitStopped = cli.ExitDone
	exitFailed  = 1
	exitUsage   = cli.ExitUsage
)

const usage = `Usage: endwell proxy -upstream URL [flags]

Stands between a program in any language and a model provider: a stream that ends
badly reaches the program as an error and never as an end. Keys pass, and are
neither kept nor logged. Give the program the proxy as its base URL:

    endwell proxy -upstream https://api.openai.com
    OPENAI_BASE_URL=http://127.0.0.1:8787/v1 python app.py

What fails before the first output is answered with a status and the provider's kind
of error document; what fails later, with its kind of error frame and a connection
that is aborted. What the provider refuses passes as it is, and so does every call
that does not ask for a stream, untouched. Clients retry on their own, on top of
-attempts: set their retries to 0, or leave -attempts at 1. GET /healthz and GET
/metrics are the proxy's own. SIGTERM lets open streams end; a second one aborts them.

Flags:
`

// Run is the command. It returns the exit code.
func Run(stdout, stderr io.Writer, args []string) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	return run(stdout, stderr, args, signals)
}

func run(stdout, stderr io.Writer, args []string, signals <-chan os.Signal) int {
	var o options
	fs := o.flags(stdout, stderr)
	if code, ok := fs.Alone(args); !ok {
		return code
	}
	o.cfg.Log = slog.New(slog.NewTextHandler(stderr, nil))
	if err := o.complete(); err != nil {
		return fs.Fail(err)
	}
	if err := o.serve(signals); err != nil {
		fs.Complain(err)
		return exitFailed
	}
	return exitStopped
}
