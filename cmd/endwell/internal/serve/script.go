package serve

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/endwell-go/endwell/endwelltest"
)

const scriptUsage = `
A script has a step in each line; # begins a comment. A line of --- begins the script
for the next request; the last one answers all further requests too. Words in double
quotes are taken as Go has them; text without quotes has a space behind each word.

    begin                     what comes before any text
    text WORD...              a frame for each word
    tool ID NAME PIECE...     a tool call, and the pieces of its arguments
    finish [WORD]             the finish word, the wire's own for a normal stop
    done                      the sentinel
    answer WORD...            begin, text, finish, done
    keepalive [N EVERY]       a sign of life; N of them, -1 without end
    fault [TOKEN [MESSAGE]]   an error frame
    refuse STATUS [TOKEN [MESSAGE]]
    ending NAME               all that a named ending does
    retry-after D, status N, header NAME VALUE, trailer NAME VALUE, early-hints, gzip,
    page, write STRING, garbage N, raw STRING, flush, delay D, every D, slowly D,
    cut N [STEP]              after N more bytes the body ends, or STEP follows
    end, hang, half-open, abort, hangup, reset, reset-stream [CODE], goaway [CODE],
    going-away [CODE]         how it ends

For example, a call that is refused once, and then cut:

    retry-after 1s
    refuse 429
    ---
    begin
    text All's well that
    reset
`

// script is scripts by request.
type script struct {
	attempts [][]step
	asked    atomic.Int64
}

// step is a line of a script, on any wire.
type step func(endwelltest.Wire) endwelltest.Step

// next is what answers the next request.
func (s *script) next(_ *http.Request, w endwelltest.Wire) endwelltest.Step {
	n := min(s.asked.Add(1), int64(len(s.attempts)))
	steps := make([]endwelltest.Step, 0, len(s.attempts[n-1]))
	for _, line := range s.attempts[n-1] {
		steps = append(steps, line(w))
	}
	return endwelltest.Script(steps...)
}

// parse reads a script.
func parse(text string) (*script, error) {
	s, some := &script{attempts: make([][]step, 1)}, false
	for i, line := range strings.Split(text, "\n") {
		words, err := split(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		last := len(s.attempts) - 1
		switch {
		case len(words) == 0:
		case len(words) == 1 && words[0].text == "---":
			s.attempts = append(s.attempts, nil)
		default:
			line, err := read(words)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			s.attempts[last] = append(s.attempts[last], line)
			some = true
		}
	}
	if !some {
		return nil, errNoStep
	}
	return s, nil
}

var errNoStep = errors.New("there is no step in it")
