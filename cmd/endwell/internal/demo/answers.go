package demo

import (
	"net/http"

	et "github.com/endwell-go/endwell/endwelltest"
)

// answers are what a client gets, one for each time that it asks; the last one is for
// all further times, too.
type answers []et.Step

// nothing is a port where nothing listens.
var nothing answers

// chat is the wire of all answers.
const chat = et.OpenAI

// words is what the gateway says.
var words = []string{"All's", " well", " that", " ends", " well."}

// torn is an event that ends in the middle of its JSON.
const torn = `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" en` + "\n\n"

// tooMany is a refusal, overloaded an error as a frame.
var (
	tooMany    = chat.Refuse(http.StatusTooManyRequests, chat.Token(http.StatusTooManyRequests), "Three requests a minute are enough.")
	overloaded = chat.Fault(chat.Token(http.StatusServiceUnavailable), "Our servers are busy at the moment.")
)

// plays is one answer. Its header has the request's id.
func plays(steps ...et.Step) answers {
	return answers{et.Script(et.Header("X-Request-Id", "req-demo-7f3a"), et.Script(steps...))}
}

// says is one answer: the first n words, and what comes then.
func says(n int, then ...et.Step) answers {
	return plays(chat.Begin(), chat.Text(words[:n]...), et.Script(then...))
}

// done is a finish word and the sentinel.
func done(word string) et.Step { return et.Script(chat.Finish(word), chat.Done()) }

// ends is one answer with the ending of that name. It says three words before it, unless
// the ending leaves no place for any.
func ends(name string) answers {
	e, _ := et.EndingByName(name) // what does not exist is whole, and its row wrong
	return plays(e.Step(chat, words[:3]...))
}
