package perf

import (
	"fmt"
	"time"
)

// Piece is a part of the report that can be measured by itself.
type Piece struct {
	// Number is the piece's number in the report.
	Number int
	// Title and About say what is measured.
	Title, About string

	run func(*Section, Settings) error
}

// Pieces returns all pieces, in order.
func Pieces() []Piece {
	return []Piece{
		bytesToText, guardedBody, strictScan, stallGuard, stackOfSix, loopback, flatness, openAndClose,
	}
}

// Run measures the piece.
func (p Piece) Run(s Settings) (Section, error) {
	sec := Section{Piece: p}
	if err := p.run(&sec, s); err != nil {
		return sec, fmt.Errorf("%d, %s: %w", p.Number, p.Title, err)
	}
	return sec, nil
}

func (s *Section) table(t Table) { s.Tables = append(s.Tables, t) }

func (s *Section) goal(g Goal) { s.Goals = append(s.Goals, g) }

// Settings say how much is measured. The zero value is what the report is written with.
type Settings struct {
	// Rounds is how often each side of a comparison runs; 0 means 31. What takes long
	// takes fewer.
	Rounds int
	// Streams is how many there are of what there are many; 0 means 100,000.
	Streams int
	// Connections is the largest number of streams over sockets; 0 means 1,000.
	Connections int
	// Chunks is the length of the longest answer; 0 means 1,000,000.
	Chunks int
	// CPU measures the CPU time of the process instead of the time that passes, for a
	// machine that has much other work. Collecting garbage on another core is part of
	// it then.
	CPU bool
	// Server starts the server of the piece about sockets, which is [Handler], and
	// returns its address and how to stop it. Nil starts one in this process, whose
	// CPU time then counts as the client's.
	Server func() (url string, stop func(), err error)
}

func (s Settings) rounds() int      { return or(s.Rounds, 31) }
func (s Settings) streams() int     { return or(s.Streams, 100_000) }
func (s Settings) connections() int { return or(s.Connections, 1000) }
func (s Settings) chunks() int      { return or(s.Chunks, 1_000_000) }

// now is the clock that pieces are measured with, but for that which is about CPU time.
func (s Settings) now() func() time.Duration {
	if s.CPU {
		return cpuTime
	}
	return wall
}

// pairs are the rounds of what is said to take ten.
func (s Settings) pairs() int { return min(10, s.rounds()) }

// few are the rounds of what takes long: a share of them, and at least one.
func (s Settings) few(share int) int { return max(1, s.rounds()/share) }

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}
