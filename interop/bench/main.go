// Command bench compares what it costs to decode a stream with endwell's dialects and
// with the official SDKs, and writes the table as Markdown.
//
//	go run ./bench                          # to the terminal
//	go run ./bench -o RESULTS-decode.md
//
// With -performance it measures all that endwell costs instead, beside what Go programs
// use otherwise, and writes that report:
//
//	go run ./bench -performance ../docs/performance.md
//	go run ./bench -performance - -only 4,5 -rounds 9   # a part, quickly, to the terminal
//
// With -profile it writes profiles of many guarded streams at once, for go tool pprof:
//
//	go run ./bench -profile /tmp/profiles
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/interop/perf"
)

func main() {
	out := flag.String("o", "", "file to write; empty for the terminal")
	frames := flag.Int("frames", 1000, "frames with text in each answer")
	rounds := flag.Int("rounds", 0, "rounds of each comparison; 0 for 61, and for 31 with -performance")
	report := flag.String("performance", "", "file to write the report on performance to; - for the terminal")
	only := flag.String("only", "", "numbers of the pieces of that report to measure, as in 4,5; empty for all")
	cpu := flag.Bool("cpu", false, "measure CPU time for that report, where a machine is busy")
	profiles := flag.String("profile", "", "folder to write profiles of 1000 paced streams to")
	serving := flag.Bool("serve", false, "be the server of that report, until the input ends")
	flag.Parse()
	var err error
	switch {
	case *serving:
		err = perf.Serve(os.Stdin, os.Stdout)
	case *profiles != "":
		err = perf.Profile(*profiles, perf.Settings{Server: ownServer})
	case *report != "":
		err = performance(*report, *only, perf.Settings{Rounds: max(*rounds, 0), CPU: *cpu})
	case *rounds > 0:
		err = run(*out, max(*frames, 1), *rounds)
	default:
		err = run(*out, max(*frames, 1), 61)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out string, frames, rounds int) error {
	pairs := decode.Pairs()
	long, err := decode.Compare(pairs, decode.Long, frames, rounds)
	if err != nil {
		return err
	}
	short, err := decode.Compare(pairs, decode.Short, frames, rounds)
	if err != nil {
		return err
	}
	report := render(pairs, long, short, frames, rounds)
	if out == "" {
		fmt.Print(report)
		return nil
	}
	return os.WriteFile(out, []byte(report), 0o644)
}

func render(pairs []decode.Pair, long, short []decode.Result, frames, rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Decoding a stream: endwell's dialects beside the official SDKs

Written by `+"`go run ./bench -o RESULTS-decode.md`"+`; README.md says how it is measured.
%d cores, %s, %s; %d rounds of %d frames with text. The times are those of one run on
a machine that had other work too; what may be quoted are the ratios. The target is
that the SDK's decode takes at least %d times as long as the dialect's.

## Frames of 250 to 350 bytes

%s
## Frames with one word each

%s
## What is beside each dialect

`, runtime.NumCPU(), runtime.GOOS+"/"+runtime.GOARCH, runtime.Version(), rounds, frames, decode.Target,
		decode.Table(long), decode.Table(short))
	for _, p := range pairs {
		fmt.Fprintf(&b, "- %s (`%s`): %s\n", p.Family, p.Dialect, p.SDK)
	}
	b.WriteString("\nVersions:\n\n")
	for _, line := range versions() {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}

// versions returns the modules under test and their versions.
func versions() []string {
	var lines []string
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, m := range info.Deps {
		for _, name := range [...]string{
			"openai/openai-go", "anthropics/anthropic-sdk-go", "google.golang.org/genai", "cohere-ai/cohere-go",
			"ollama/ollama", "aws-sdk-go-v2/service/bedrockruntime", "aws/protocol/eventstream",
		} {
			if strings.Contains(m.Path, name) {
				lines = append(lines, "`"+m.Path+"` "+m.Version)
			}
		}
	}
	return lines
}
