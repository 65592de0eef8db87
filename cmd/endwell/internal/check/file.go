package check

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/endwell-go/endwell/tape"
)

// types are the content types of raw bodies, by the file's extension.
var types = map[string]string{
	".sse":         "text/event-stream",
	".ndjson":      "application/x-ndjson",
	".eventstream": "application/vnd.amazon.eventstream",
	".json":        "application/json",
}

// File plays one file: a tape, or a raw body, which ends cleanly after its last
// byte. "-" is standard input.
func File(name string, stdin io.Reader, opt Options) (Result, error) {
	t, err := load(name, stdin)
	if err != nil {
		return Result{File: name}, err
	}
	r, err := Play(t, opt)
	r.File = name
	return r, err
}

func load(name string, stdin io.Reader) (*tape.Tape, error) {
	data, err := read(name, stdin)
	if err != nil {
		return nil, err
	}
	ext := strings.ToLower(filepath.Ext(name))
	if ext == ".tape" {
		return tape.Read(bytes.NewReader(data))
	}
	t := &tape.Tape{End: tape.EndEOF, Head: tape.Head{Status: 200}}
	if typ := types[ext]; typ != "" {
		t.Head.Header = tape.Header{"Content-Type": typ}
	}
	if len(data) > 0 {
		t.Arrivals = []tape.Arrival{{Data: data}}
	}
	return t, nil
}

func read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
