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
	"io"
	"os"
	"os/signal"

	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/cmd/endwell/internal/demo"
	"github.com/endwell-go/endwell/cmd/endwell/internal/list"
	"github.com/endwell-go/endwell/cmd/endwell/internal/proxy"
	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
	"github.com/endwell-go/endwell/cmd/endwell/internal/serve"
)

const usage = `endwell shows and checks how streams of language-model providers end.

Usage:

    endwell demo             run a plain and a guarded client against bad endings
    endwell check FILE...    play recorded streams and say how each ended
    endwell dialects         list the systems whose streams are understood
    endwell gateway          serve a provider that ends its answers badly
    endwell proxy            stand between a program in any language and a provider
    endwell record URL       make one request and write its answer to a tape

Run a command with -h for its flags.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		_, _ = io.WriteString(os.Stderr, usage)
		return 2
	}
	switch args[0] {
	case "demo":
		return demo.Run(ctx, os.Stdout, os.Stderr, args[1:])
	case "check":
		return check.Run(os.Stdin, os.Stdout, os.Stderr, args[1:])
	case "dialects":
		return list.Run(os.Stdout, os.Stderr, args[1:])
	case "gateway":
		return serve.Run(ctx, os.Stdout, os.Stderr, args[1:])
	case "proxy":
		return proxy.Run(os.Stderr, args[1:])
	case "record":
		return record.Run(ctx, os.Stdin, os.Stdout, os.Stderr, args[1:])
	case "help", "-h", "-help", "--help":
		_, _ = io.WriteString(os.Stdout, usage)
		return 0
	default:
		_, _ = io.WriteString(os.Stderr, "endwell: unknown command "+args[0]+"\n\n"+usage)
		return 2
	}
}
