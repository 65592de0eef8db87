package clients

import "github.com/endwell-go/endwell/endwelltest"

// said are the pieces of text of an answer.
var said = []string{"Once", " upon", " a", " time"}

// script is what the gateway does in a call: a program that ends the answer itself
// gets one that has no other end.
func (e Ending) script(w endwelltest.Wire) endwelltest.Step {
	if e.Stop == Never {
		return e.Step(w, said...)
	}
	return endwelltest.Script(w.Begin(), w.Text(said...), endwelltest.Hang())
}
