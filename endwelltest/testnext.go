package endwelltest

import "github.com/endwell-go/endwell"

// TestNext checks that a provider, or a stack, keeps the contract of endwell.Next
// and endwell.Stream, and reports what it breaks, in the manner of fstest.TestFS.
//
// It asks in for a Next in each [Situation]; nil means that this one cannot be
// brought about, and its checks are left out. For a provider over HTTP that is
// [Behind]:
//
//	endwelltest.TestNext(t, endwelltest.Behind(t, endwelltest.OpenAI.In,
//		func(url string, client *http.Client) endwell.Next { return mine.New(url, client) }))
//
// The request has a payload that an OpenAI-like host would accept; a provider that
// needs one of its own is given it by an endwell.NextFunc around it.
//
// What is checked is what the contract promises of every stream, not of a complete
// stack only: raw errors are as good as an *endwell.Error. Nothing may hang for
// longer than 5 s or outlive its stream. The checks take a moment where a Recv must
// be seen to wait; inside a testing/synctest bubble they take no time, but there a
// stream that waits for a sync.Mutex for ever is not found to hang.
func TestNext(t T, in func(Situation) endwell.Next) {
	t.Helper()
	nexts := map[Situation]endwell.Next{}
	for _, s := range Situations() {
		if next := in(s); next != nil {
			nexts[s] = next
		}
	}
	if len(nexts) == 0 {
		t.Errorf("there is no Next for any situation, so nothing was checked")
	}
	for _, c := range nextChecks {
		if next := nexts[c.in]; next != nil {
			for _, wrong := range c.run(next) {
				t.Errorf("%v: %s: %s", c.in, c.name, wrong)
			}
		}
	}
}

// nextChecks are the checks of TestNext.
var nextChecks = []check{
	{"an answer, to its end", Answers, tryAnswer},
	{"several answers at once", Answers, tryAtOnce},
	{"closed before the first Recv", Answers, tryUnread},
	{"abandoned after the first chunk", Answers, tryAbandoned},
	{"a context that had ended before Open", Answers, tryLate},
	{"a failure, to its end", Fails, tryFailure},
	{"cancelled while Recv waits", Hangs, tryCancelRecv},
	{"closed while Recv waits", Hangs, tryCloseRecv},
	{"closed by many while Recv waits", Hangs, tryCloseMany},
	{"cancelled while Open waits", NeverOpens, tryCancelOpen},
	{"a refusal", Refuses, tryRefusal},
}
