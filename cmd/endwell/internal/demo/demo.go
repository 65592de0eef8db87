// Package demo is the command endwell demo: a faulty gateway on loopback, asked by
// a plain client and by a guarded one, and one table of what each made of every
// ending. Everything that it prints comes from the runs.
package demo

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
)

// The exit codes, besides those of all commands.
const (
	exitRight = 0
	exitWrong = 1
)

const usage = `Usage: endwell demo

Starts a faulty gateway on loopback and asks it for 20 answers that end in 20 ways,
once with a plain client and once through endwell. Prints one table of what happened
and what each concluded. It takes about 3 seconds and uses no other network.

Exit code: 0 when every row came out as it should, 1 when not, 2 for bad usage.
`

// Run runs the demo and returns the exit code: 0 when every row came out as it
// should, 1 when one did not or the demo could not run, 2 for bad usage. args are
// the arguments after the command's name. When Run returns, nothing of it runs any
// more; ending ctx ends it early.
func Run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	if code, ok := cli.New("demo", usage, stdout, stderr).Alone(args); !ok {
		return code
	}
	return run(ctx, stdout, stderr, rows())
}

// run plays the rows and prints the table.
func run(ctx context.Context, stdout, stderr io.Writer, rows []row) int {
	_, err := io.WriteString(stdout, intro(len(rows)))
	var results []result
	if err == nil {
		results, err = play(ctx, rows)
	}
	if err == nil {
		_, err = io.WriteString(stdout, table(results)+closing(results))
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "endwell demo: %v\n", err)
		return exitWrong
	}
	for _, r := range results {
		if !r.right() {
			return exitWrong
		}
	}
	return exitRight
}

// play runs all rows at once, since most of their time is waiting. It returns the
// results in the order of the rows.
func play(ctx context.Context, rows []row) ([]result, error) {
	g, err := start()
	if err != nil {
		return nil, err
	}
	clk, stop := running()
	defer stop()
	results := make([]result, len(rows))
	var wg sync.WaitGroup
	for i, r := range rows {
		results[i].row = r
		wg.Go(func() {
			results[i].plain = plain(ctx, clk, g.url(clientName(i, "plain"), r.answers), r.consumer, r.patience())
		})
		wg.Go(func() { results[i].guarded = guarded(ctx, clk, g.url(clientName(i, "guarded"), r.answers), r) })
	}
	wg.Wait()
	g.Close()
	return results, ctx.Err()
}

// clientName tells the calls of a demo apart, each of which is a client of its own.
func clientName(row int, client string) string { return fmt.Sprintf("%s-%d", client, row+1) }
