package tape

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

type headOut struct {
	Tape    int    `json:"tape"`
	Dialect string `json:"dialect,omitempty"`
	Status  int    `json:"status"`
	Header  Header `json:"header,omitempty"`
}

type arrivalOut struct {
	At     int64   `json:"at_ms"`
	Data   *string `json:"data,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
	Count  int64   `json:"count,omitempty"`
	Times  int64   `json:"times,omitempty"`
	Every  *int64  `json:"every_ms,omitempty"`
}

type endOut struct {
	At  int64 `json:"at_ms"`
	End End   `json:"end"`
}

// WriteTo writes the tape in the form that [Read] reads, a line at a time, and
// returns how many bytes went out. It implements [io.WriterTo]. A tape that
// could not be read back, with a negative time for instance, is refused before
// anything is written. Durations are rounded down to whole milliseconds.
func (t *Tape) WriteTo(w io.Writer) (int64, error) {
	if err := t.check(); err != nil {
		return 0, err
	}
	out := counter{w: w}
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(headOut{Version, t.Dialect, t.status(), t.Header})
	for i := 0; err == nil && i < len(t.Arrivals); i++ {
		err = enc.Encode(t.Arrivals[i].out())
	}
	if err == nil {
		err = enc.Encode(endOut{t.EndAt.Milliseconds(), t.End})
	}
	return out.n, err
}

func (t *Tape) check() error {
	head := t.Head
	head.Status = t.status()
	if err := head.check(); err != nil {
		return fmt.Errorf("tape: %w", err)
	}
	var last time.Duration
	for i, a := range t.Arrivals {
		if err := a.check(last); err != nil {
			return fmt.Errorf("tape: arrival %d: %w", i, err)
		}
		last = a.At
	}
	err := checkAt(t.EndAt, last)
	if err == nil {
		_, err = t.End.MarshalText()
	}
	if err != nil {
		return fmt.Errorf("tape: end: %w", err)
	}
	return nil
}

func (t *Tape) status() int {
	if t.Status == 0 {
		return 200
	}
	return t.Status
}

func (a Arrival) out() arrivalOut {
	out := arrivalOut{At: a.At.Milliseconds()}
	if utf8.Valid(a.Data) {
		text := string(a.Data)
		out.Data = &text
	} else {
		out.Base64 = a.Data
	}
	if a.Count > 1 {
		out.Count = a.Count
	}
	if a.Times > 1 {
		every := a.Every.Milliseconds()
		out.Times, out.Every = a.Times, &every
	}
	return out
}

// counter counts what passes through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
