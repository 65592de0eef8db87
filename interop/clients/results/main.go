// Command results has every client go through every ending, and writes what they
// conclude.
package main

import (
	"flag"
	"io"
	"log"
	"os"

	"github.com/endwell-go/endwell/interop/clients"
)

func main() {
	log.SetFlags(0)
	file := flag.String("o", "", "write to this `file` instead of the standard output")
	flag.Parse()
	out := log.Writer()
	log.SetOutput(io.Discard) // genai logs the errors that it returns
	rows := clients.Measure(clients.Clients())
	log.SetOutput(out)
	if err := write(*file, rows); err != nil {
		log.Fatal(err)
	}
}

func write(file string, rows []clients.Row) error {
	if file == "" {
		return clients.Write(os.Stdout, rows)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := clients.Write(f, rows); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
