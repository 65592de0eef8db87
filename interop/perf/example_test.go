package perf_test

import (
	"fmt"

	"github.com/endwell-go/endwell/interop/perf"
)

func ExampleGoal() {
	for _, g := range []perf.Goal{
		{What: "guarded body, of bufio.Scanner's lines", Got: 3.4, Limit: 4, Unit: " ×"},
		{What: "go-sse, of the guarded body", Got: 8, Limit: 10, Least: true, Unit: " ×"},
	} {
		fmt.Printf("%s: %v, %s\n", g.What, g.Met(), g.Verdict())
	}
	// Output:
	// guarded body, of bufio.Scanner's lines: true, met
	// go-sse, of the guarded body: false, **MISSED** by 20 %
}
