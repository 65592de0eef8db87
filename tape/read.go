package tape

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// These say what is wrong with a tape as a whole; [Read] wraps them in a
// [*LineError].
var (
	// ErrNoHead means that the first line is not the head of a tape; an empty
	// file has none.
	ErrNoHead = errors.New("no head of a tape")

	// ErrVersion means that the tape is of a version that is not [Version].
	ErrVersion = errors.New("unknown version of tape")

	// ErrNoEnd means that the tape stops before its end line, as one does
	// that was cut off.
	ErrNoEnd = errors.New("no end line")
)

// LineError says in which line of a tape something is wrong. Its text holds
// nothing of the response's header and body.
type LineError struct {
	// Line counts from 1.
	Line int

	// Err is what is wrong there.
	Err error
}

// Error implements error.
func (e *LineError) Error() string {
	return "tape: line " + strconv.Itoa(e.Line) + ": " + e.Err.Error()
}

// Unwrap returns what is wrong in the line.
func (e *LineError) Unwrap() error { return e.Err }

// Read reads one tape, to the end of r. Every error but one of r itself is a
// [*LineError]. A line may be of any size; blank lines, a byte order mark and
// keys that are not known are passed over. What is read may be written with
// [Tape.WriteTo] and read again, and is then the same.
//
// Refused are: a missing head, another version, a missing end, a line after
// the end, both data and base64 or neither, a time that goes back, numbers that
// are negative, not whole or beyond the range of time.Duration, a repetition
// without its interval, and text that is not UTF-8.
func Read(r io.Reader) (*Tape, error) {
	p := parser{in: bufio.NewReader(r)}
	for {
		line, err := p.in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(line) > 0 {
			p.line++
			if wrong := p.parse(line); wrong != nil {
				return nil, &LineError{p.line, wrong}
			}
		}
		if err == io.EOF {
			return p.finish()
		}
	}
}

// parser is the state of one Read.
type parser struct {
	in    *bufio.Reader
	line  int
	state state
	tape  Tape
}

type state uint8

const (
	atHead state = iota
	inBody
	ended
)

func (p *parser) parse(line []byte) error {
	if p.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	switch p.state {
	case atHead:
		return p.head(line)
	case inBody:
		return p.body(line)
	}
	return errors.New("a line after the end")
}

func (p *parser) finish() (*Tape, error) {
	switch p.state {
	case atHead:
		return nil, &LineError{max(p.line, 1), ErrNoHead}
	case inBody:
		return nil, &LineError{p.line, ErrNoEnd}
	}
	return &p.tape, nil
}

func (p *parser) head(line []byte) error {
	var h headLine
	if err := decode(line, &h); err != nil {
		return err
	}
	head, err := h.head()
	p.tape.Head, p.state = head, inBody
	return err
}

func (p *parser) body(line []byte) error {
	var b bodyLine
	if err := decode(line, &b); err != nil {
		return err
	}
	if b.End != nil {
		return p.end(b)
	}
	a, err := b.arrival(line)
	if err != nil {
		return err
	}
	if err := a.check(p.tape.lastAt()); err != nil {
		return err
	}
	p.tape.Arrivals = append(p.tape.Arrivals, a)
	return nil
}

func (p *parser) end(b bodyLine) (err error) {
	if b.Data != nil || b.Base64 != nil {
		return errors.New("data in the end line")
	}
	if p.tape.EndAt, err = millis("at_ms", b.At); err != nil {
		return err
	}
	p.state, p.tape.End = ended, *b.End
	return checkAt(p.tape.EndAt, p.tape.lastAt())
}
