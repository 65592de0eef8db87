package demo_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/endwell-go/endwell/cmd/endwell/internal/demo"
)

// The last lines say what the table above them shows.
func ExampleRun() {
	var out bytes.Buffer
	code := demo.Run(context.Background(), &out, os.Stderr, nil)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(strings.Join(lines[len(lines)-2:], "\n"))
	fmt.Println("exit code", code)
	// Output:
	// 20 endings, 20 right. endwell: 6 whole, 1 stopped by the caller, 13 with one typed error each.
	// The plain client called 7 of 13 bad ones a finished answer (marked !) and was still waiting on 3.
	// exit code 0
}
