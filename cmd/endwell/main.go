// Command endwell shows and checks how streams of language-model providers end.
//
//	endwell demo         run a plain and a guarded client against bad endings
//	endwell check FILE   play recorded streams and say how each ended
//	endwell dialects     list the systems whose streams are understood
//	endwell gateway      serve a provider that ends its answers badly
//	endwell proxy        stand between a program in any language and a provider
//	endwell record URL   make one request and write its answer to a tape
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/cmd/endwell/internal/demo"
	"github.com/endwell-go/endwell/cmd/endwell/internal/list"
	"github.com/endwell-go/endwell/cmd/endwell/internal/proxy"
	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
	"github.com/endwell-go/endwell/cmd/endwell/internal/serve"
)

const usage = `Usage: endwell COMMAND

Shows and checks how streams of language-model providers end. The commands:

    endwell demo             run a plain and a guarded client against bad endings
    endwell check FILE...    play recorded streams and say how each ended
    endwell dialects         list the systems whose streams are understood
    endwell gateway          serve a provider that ends its answers badly
    endwell proxy            stand between a program in any language and a provider
    endwell record URL       make one request and write its answer to a tape

endwell help COMMAND says more, and lists the command's flags.
`

// commands are the commands by their names. They take the arguments behind it and
// return the exit code.
var commands = map[string]func(context.Context, []string) int{
	"demo": func(ctx context.Context, args []string) int {
		return demo.Run(ctx, os.Stdout, os.Stderr, args)
	},
	"check": func(_ context.Context, args []string) int {
		return check.Run(os.Stdin, os.Stdout, os.Stderr, args)
	},
	"dialects": func(_ context.Context, args []string) int {
		return list.Run(os.Stdout, os.Stderr, args)
	},
	"gateway": func(ctx context.Context, args []string) int {
		return serve.Run(ctx, os.Stdout, os.Stderr, args)
	},
	"proxy": func(_ context.Context, args []string) int {
		return proxy.Run(os.Stdout, os.Stderr, args)
	},
	"record": func(ctx context.Context, args []string) int {
		return record.Run(ctx, os.Stdin, os.Stdout, os.Stderr, args)
	},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		_, _ = io.WriteString(os.Stderr, usage)
		return cli.ExitUsage
	}
	switch name := args[0]; name {
	case "help", "-h", "-help", "--help":
		return help(ctx, args[1:])
	default:
		if c, ok := commands[name]; ok {
			return c(ctx, args[1:])
		}
		return unknown(name)
	}
}

// help prints the help of a command, or of all.
func help(ctx context.Context, args []string) int {
	if len(args) == 0 {
		_, _ = io.WriteString(os.Stdout, usage)
		return cli.ExitDone
	}
	c, ok := commands[args[0]]
	if !ok {
		return unknown(args[0])
	}
	return c(ctx, []string{"-h"})
}

func unknown(name string) int {
	_, _ = fmt.Fprintf(os.Stderr, "endwell: unknown command %q; endwell help lists the commands\n", name)
	return cli.ExitUsage
}
