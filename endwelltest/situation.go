package endwelltest

import (
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
)

// Situation is one of the ways in which [TestNext] wants a call to go.
type Situation uint8

// The situations. The set is closed.
const (
	// Answers is a whole answer of two chunks or more, one of which emits
	// something; the same one for every call.
	Answers Situation = iota
	// Fails is an answer that emits something and then breaks off.
	Fails
	// Hangs is an answer that emits something and then says nothing more, while the
	// connection stays open.
	Hangs
	// NeverOpens is a provider that does not answer at all, while the connection
	// stays open.
	NeverOpens
	// Refuses is a provider that refuses the call.
	Refuses

	situationEnd // one past the last situation
)

var situationNames = [...]string{"answers", "fails", "hangs", "never_opens", "refuses"}

// Situations returns all situations, in order.
func Situations() []Situation { return []Situation{Answers, Fails, Hangs, NeverOpens, Refuses} }

// String is the situation's name in snake_case.
func (s Situation) String() string {
	if s < situationEnd {
		return situationNames[s]
	}
	return "none"
}

// In is a script that brings about a situation.
func (w Wire) In(s Situation) Step {
	begin := Script(w.Begin(), w.Text("All's"))
	switch s {
	case Fails:
		return Script(begin, Abort())
	case Hangs:
		return Script(begin, Hang())
	case NeverOpens:
		return Hang()
	case Refuses:
		return w.Refuse(http.StatusUnauthorized, w.Token(http.StatusUnauthorized), "There is no such key.")
	default:
		return w.Answer("All's", " well", " that", " ends", " well.")
	}
}

// Behind is the argument of [TestNext] for a provider over HTTP: it puts a
// [Gateway] behind what provider returns, for each situation one. The scripts are a
// [Wire]'s In, or made of frames of another dialect. The gateways end with the test,
// which fails if an answer is still being read then.
func Behind(t T, script func(Situation) Step, provider Provider) func(Situation) endwell.Next {
	return behind(t, NewGateway, script, provider)
}

// BehindHTTP2 is [Behind] with gateways that speak HTTP/2 over TLS.
func BehindHTTP2(t T, script func(Situation) Step, provider Provider) func(Situation) endwell.Next {
	return behind(t, NewHTTP2Gateway, script, provider)
}

// Provider makes a provider that asks at url. The client trusts the gateway's
// certificate, and may be left aside over HTTP/1.1.
type Provider func(url string, client *http.Client) endwell.Next

func behind(t T, start func(...Step) *Gateway, script func(Situation) Step, provider Provider) func(Situation) endwell.Next {
	return func(s Situation) endwell.Next {
		g := start(script(s))
		t.Cleanup(func() {
			t.Helper()
			if !eventually(patience/2, func() bool { return g.Active() == 0 }) {
				t.Errorf("%v: %d answers are still being read when the test ends: a stream was not closed to the ground", s, g.Active())
			}
			g.Close()
		})
		return provider(g.URL, g.Client())
	}
}

// eventually asks until the answer is yes, less and less often, at most for some
// time.
func eventually(most time.Duration, ok func() bool) bool {
	for waited, pause := time.Duration(0), time.Millisecond; !ok(); pause = min(2*pause, 100*time.Millisecond) {
		if waited >= most {
			return false
		}
		rest(pause)
		waited += pause
	}
	return true
}

func rest(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	<-t.C
}
