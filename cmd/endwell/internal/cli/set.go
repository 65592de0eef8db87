package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// The exit codes that mean the same for every command.
const (
	ExitDone  = 0
	ExitUsage = 2
)

// Set is the flags of one command. Make it with New.
type Set struct {
	*flag.FlagSet
	// Tail is what the help says below the flags; "" is nothing.
	Tail string

	usage          string
	stdout, stderr io.Writer
}

// New returns the flags of the command of that name. usage begins its help, and stands
// above the flags there.
func New(name, usage string, stdout, stderr io.Writer) *Set {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // what is to be said is said by Read
	fs.Usage = func() {}
	return &Set{FlagSet: fs, usage: usage, stdout: stdout, stderr: stderr}
}

// Read reads the flags. It reports false when the command is over, with its exit code:
// the help that was asked for is on standard output then, or a line about what is wrong
// on standard error.
func (s *Set) Read(args []string) (code int, ok bool) {
	switch err := s.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		s.help(s.stdout)
		return ExitDone, false
	case err != nil:
		return s.Fail(s.explained(err)), false
	default:
		return ExitDone, true
	}
}

// Alone is Read for a command without arguments: one that is there is wrong.
func (s *Set) Alone(args []string) (code int, ok bool) {
	code, ok = s.Read(args)
	if ok && s.NArg() > 0 {
		return s.Unexpected(s.Arg(0)), false
	}
	return code, ok
}

// Unexpected says that an argument is one too many, and returns the exit code.
func (s *Set) Unexpected(arg string) int {
	return s.Fail(s.explained(fmt.Errorf("unexpected argument %q", arg)))
}

// Fail says what is wrong with how the command was called, and returns the exit code.
func (s *Set) Fail(err error) int {
	s.Complain(err)
	return ExitUsage
}

// Complain says what went wrong, on a line of standard error.
func (s *Set) Complain(err error) { _, _ = fmt.Fprintf(s.stderr, "endwell %s: %v\n", s.Name(), err) }

// Missing prints the help on standard error, for a command that has nothing to work on,
// and returns the exit code.
func (s *Set) Missing() int {
	s.help(s.stderr)
	return ExitUsage
}

func (s *Set) explained(err error) error {
	return fmt.Errorf("%w; endwell %s -h explains", err, s.Name())
}

func (s *Set) help(w io.Writer) {
	_, _ = io.WriteString(w, s.usage)
	s.SetOutput(w)
	s.PrintDefaults()
	s.SetOutput(io.Discard)
	_, _ = io.WriteString(w, s.Tail)
}
