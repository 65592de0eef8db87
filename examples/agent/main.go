// Command agent is an application on endwell: two agents with a tool layer above one
// chain, and a transcript in SQLite. It runs against a faulty gateway on loopback,
// tells what becomes of each answer, and exits with 0 only if that is what it claims.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	database := flag.String("db", ":memory:", "file of the transcript")
	flag.Parse()
	so, err := tell(os.Stdout, *database)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case !so:
		fmt.Println("Not everything is as claimed.")
		os.Exit(1)
	}
	fmt.Println("Everything is as claimed.")
}
