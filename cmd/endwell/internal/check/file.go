package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
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
// byte. "-" is standard input. The error does not name the file.
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
	ext := strings.ToLower(filepath.Ext(name))
	switch {
	case err != nil:
		return nil, err
	case isTape(data):
		return tape.Read(bytes.NewReader(data))
	case ext == ".tape":
		return nil, errNoTape
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

var errNoTape = errors.New(`this is no tape, although its name says so: the first line is not {"tape":1,…}; a raw body has another name, such as .sse`)

// isTape reports whether a file begins with the head of a tape, of any version.
func isTape(data []byte) bool {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var head struct {
		Tape *float64 `json:"tape"`
	}
	return json.Unmarshal(line, &head) == nil && head.Tape != nil
}

// read reads a file. Its error does not name the file, which the caller does.
func read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	data, err := os.ReadFile(name)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return data, err
}
