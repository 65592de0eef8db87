// Package check is the command that plays recorded streams and says how each ended.
package check

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
)

// The exit codes.
const (
	exitWhole = 0             // every stream is whole
	exitSome  = 1             // some are not
	exitUsage = cli.ExitUsage // wrong usage, or a file that cannot be read
)

const usage = `Usage: endwell check [flags] FILE...

Plays recorded streams through the standard stack and says how each ended. A FILE
is a tape, which its first line shows whatever its name, or a raw body, whose name
says what it is: .sse, .ndjson, .eventstream or .json. - is standard input. Flags go
before the files. Time is simulated, so a stall of five minutes takes none.

Exit code: 0 when all are whole, 1 when some are not, 2 on wrong usage or when a
file cannot be read.

Flags:
`

// Run is the command. It returns the exit code.
func Run(stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	fs := cli.New("check", usage, stdout, stderr)
	var opt Options
	asJSON := fs.Bool("json", false, "print one JSON object a file; one that cannot be read has file and error")
	fs.StringVar(&opt.Dialect, "dialect", "", "read as this `dialect`; detected when not named")
	fs.IntVar(&opt.Status, "status", 0, "play the answer with this HTTP `status`, whatever the tape has; a raw body has 200 otherwise")
	fs.StringVar(&opt.Type, "type", "", "play the answer with this `content type`, whatever the tape or the file's name says")
	fs.Bounds(&opt.Bounds)
	if code, ok := fs.Read(args); !ok {
		return code
	}
	if fs.NArg() == 0 {
		return fs.Missing()
	}
	if err := valid(opt, args, fs.Args()); err != nil {
		return fs.Fail(err)
	}
	out := bufio.NewWriter(stdout)
	defer func() { _ = out.Flush() }()
	p := &printer{out: out, err: stderr, json: *asJSON}
	for r := range all(fs.Args(), stdin, opt) {
		p.print(r.Result, r.err)
	}
	return p.close()
}

// valid checks the flags, and the place of those that were not taken for flags.
func valid(opt Options, args, files []string) error {
	if name, ok := misplaced(args, files); ok {
		return fmt.Errorf("flags go before the files: %s (a file of that name is ./%[1]s)", name)
	}
	if opt.Status != 0 && (opt.Status < 100 || opt.Status > 999) {
		return fmt.Errorf("-status %d is no HTTP status", opt.Status)
	}
	if opt.Dialect != "" {
		if _, err := cli.Dialect(opt.Dialect); err != nil {
			return err
		}
	}
	return nil
}

// misplaced finds a flag among the files, unless a -- before them says that there is
// none.
func misplaced(args, files []string) (string, bool) {
	if before := len(args) - len(files); before > 0 && args[before-1] == "--" {
		return "", false
	}
	for _, name := range files {
		if len(name) > 1 && name[0] == '-' {
			return name, true
		}
	}
	return "", false
}

type played struct {
	Result
	err error
}

// all plays the files, as many at once as there are processors, in order.
func all(names []string, stdin io.Reader, opt Options) func(yield func(played) bool) {
	return func(yield func(played) bool) {
		results := make([]chan played, len(names))
		for i := range results {
			results[i] = make(chan played, 1)
		}
		next := make(chan int)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for range min(runtime.GOMAXPROCS(0), len(names)) {
			wg.Go(func() {
				for i := range next {
					r, err := File(names[i], stdin, opt)
					results[i] <- played{r, err}
				}
			})
		}
		wg.Go(func() {
			defer close(next)
			for i := range names {
				select {
				case next <- i:
				case <-stop:
					return
				}
			}
		})
		defer wg.Wait()
		defer close(stop)
		for i := range results {
			if !yield(<-results[i]) {
				return
			}
		}
	}
}

// printer prints results and counts them.
type printer struct {
	out                             io.Writer
	err                             io.Writer
	json                            bool
	whole, failed, canceled, broken int
}

func (p *printer) print(r Result, err error) {
	if err != nil {
		p.broken++
		_, _ = fmt.Fprintf(p.err, "endwell check: %s: %v\n", r.File, err)
		p.encode(unread{r.File, err.Error()})
		return
	}
	switch r.Outcome {
	case Whole:
		p.whole++
	case Canceled:
		p.canceled++
	default:
		p.failed++
	}
	p.encode(r)
	if !p.json {
		_, _ = io.WriteString(p.out, r.human())
	}
}

// encode prints an object, where JSON is wanted.
func (p *printer) encode(v any) {
	if p.json {
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v)
	}
}

// close prints the sum, unless it would spoil JSON, and returns the exit code.
func (p *printer) close() int {
	if n := p.whole + p.failed + p.canceled; !p.json && n+p.broken > 1 {
		_, _ = fmt.Fprintf(p.out, "\n%d played: %d whole, %d failed, %d canceled; %d not readable\n",
			n, p.whole, p.failed, p.canceled, p.broken)
	}
	switch {
	case p.broken > 0:
		return exitUsage
	case p.failed+p.canceled > 0:
		return exitSome
	default:
		return exitWhole
	}
}

// human renders a result for a reader at a terminal.
func (r *Result) human() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.File, strings.ToUpper(r.Outcome))
	if r.Outcome == Failed {
		fmt.Fprintf(&b, ", %s (%s), %s", r.Fault, r.Category, r.again())
	}
	fmt.Fprintf(&b, "  [%s]\n", r.Dialect)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "    %-10s %s\n", name, value)
		}
	}
	line("says", r.Message)
	line("details", mark(r.details != "", "in the provider's own words: "+quoted(r.details, 500)))
	line("text", quoted(r.Text, 60))
	line("reasoning", quoted(r.Reasoning, 60))
	for _, c := range r.ToolCalls {
		line("tool call", c.Name+"("+c.Arguments+")"+mark(c.Incomplete, " INCOMPLETE"))
	}
	if r.Finish != nil {
		line("finish", r.Finish.Class.String()+mark(r.Finish.Raw != "", " ("+r.Finish.Raw+")"))
	}
	return b.String()
}

func (r *Result) again() string {
	switch {
	case *r.Retryable:
		return "safe to re-send" + mark(*r.RetryAfterMS > 0, fmt.Sprintf(" after %d ms", *r.RetryAfterMS))
	case *r.Transient:
		return "may be resubmitted by a person"
	default:
		return "the same request will fail again"
	}
}

func mark(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// quoted shows the beginning of a text on one line, and how long it is.
func quoted(s string, most int) string {
	if s == "" {
		return ""
	}
	runes := []rune(s)
	if len(runes) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q… (%d bytes)", string(runes[:most]), len(s))
}
