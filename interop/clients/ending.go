package clients

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// Ending is a way in which a call goes: one of the gateway's, or one of the program's.
type Ending struct {
	endwelltest.Ending
	// Stop is how the program ends the answer itself, at the first piece of text.
	Stop Stop
	// Nowhere says that nobody listens.
	Nowhere bool
}

// Stop is how a program ends an answer.
type Stop uint8

const (
	// Never is a program that reads to the end.
	Never Stop = iota
	// Cancels is a program that cancels its context.
	Cancels
	// Closes is a program that closes the answer.
	Closes
)

// Endings are the ways, in the order of the table.
func Endings() (all []Ending) {
	for _, e := range endwelltest.Endings() {
		if !apart[e.Name] {
			all = append(all, Ending{Ending: e})
		}
	}
	own := func(name, what string, fault endwell.Fault) Ending {
		return Ending{Ending: endwelltest.Ending{Name: name, What: what, Fault: fault}}
	}
	unreachable := own("unreachable", "Nobody listens.", endwell.Unreachable)
	unreachable.Category, unreachable.Nowhere = endwell.Network, true
	canceled := own("canceled", "The program cancels its context at the first word.", 0)
	canceled.Stop = Cancels
	closed := own("closed", "The program stops reading at the first word, and closes.", 0)
	closed.Stop = Closes
	return append(all, unreachable, canceled, closed)
}

// apart are endings that have nothing to add here: words of HTTP/2, which are others
// over HTTP/1.1, and more of the same.
var apart = map[string]bool{
	"goaway": true, "going-away": true, "reset-stream": true,
	"refused-400": true, "refused-403": true, "refused-404": true, "refused-503": true,
}
