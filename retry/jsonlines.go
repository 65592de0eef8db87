package retry

import (
	"encoding/json"
	"io"
	"sync"
)

// JSONLines is a ledger that writes each entry as one line of JSON, in the form
// of [Entry.MarshalJSON]. Make it with [NewJSONLines]. All its methods may be
// called from any number of goroutines; one entry is one Write.
//
// When a write fails the entry is lost, the call goes on, and [JSONLines.Err] and
// [JSONLines.Lost] say so. Later entries are still written, so that a disk that
// was full for a while costs no more than that while; a line that was cut short
// is ended first, so that it spoils no other.
type JSONLines struct {
	mu   sync.Mutex
	w    io.Writer
	torn bool
	lost int
	err  error
}

// NewJSONLines returns a ledger that writes to w, which it neither buffers nor
// closes.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{w: w} }

// Record implements [Ledger].
func (j *JSONLines) Record(e Entry) {
	line, err := json.Marshal(e)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil {
		err = j.write(line)
	}
	if err != nil {
		j.lost++
		if j.err == nil {
			j.err = err
		}
	}
}

func (j *JSONLines) write(line []byte) error {
	if j.torn {
		line = append([]byte{'\n'}, line...)
	}
	line = append(line, '\n')
	n, err := j.w.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	// Without an error the line has ended; with one, what was left is an open
	// line, unless nothing was written at all.
	j.torn = err != nil && (n > 0 || j.torn)
	return err
}

// Err returns the first error of the writer, or nil. It stays.
func (j *JSONLines) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Lost is the number of entries that could not be written.
func (j *JSONLines) Lost() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lost
}
