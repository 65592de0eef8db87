package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/endwell-go/endwell/cmd/endwell/internal/serve"
)

// The command serves until its context ends.
func ExampleRun() {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var stdout bytes.Buffer
	code := serve.Run(ctx, &stdout, os.Stderr, []string{"-listen", "127.0.0.1:0"})
	_, rest, _ := strings.Cut(stdout.String(), " and ")
	said, _, _ := strings.Cut(rest, "\n")
	fmt.Println(said, code)
	// Output: ends its answers badly on purpose. 0
}
