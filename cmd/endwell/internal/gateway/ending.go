package gateway

import "net/http"

// Ending is a way in which the gateway ends an answer.
type Ending uint8

// The endings. The set is closed. A name says what happens on the wire.
const (
	// Whole is five words, a finish word and the sentinel.
	Whole Ending = iota
	// NoSentinel is whole without data: [DONE].
	NoSentinel
	// ToolCall is a tool call and no text.
	ToolCall
	// LongSilence is 2.5 s of keep-alives, then a whole answer.
	LongSilence
	// Unreachable is a port where nothing listens.
	Unreachable
	// BadKey is a 401.
	BadKey
	// TooMany is a 429 that asks to wait a second; from the caller's second call on
	// it is Whole.
	TooMany
	// SilentFirst is a header, and nothing after it.
	SilentFirst
	// SilentLater is three words, and nothing after them.
	SilentLater
	// AliveOnly is three words, and keep-alives for ever after.
	AliveOnly
	// Reset is three words, then a TCP reset.
	Reset
	// CleanClose is three words, then a clean end of the body.
	CleanClose
	// ErrorFirst is an error document as the first frame.
	ErrorFirst
	// ErrorFinish is three words, then the finish word "error" and the sentinel.
	ErrorFinish
	// TornFrame is three words, half a frame in the place of the fourth, and the
	// rest as if nothing had happened.
	TornFrame
	// Page is an HTML page behind a 200.
	Page
	// NoAnswer is a finish word and the sentinel, and nothing else.
	NoAnswer
	// LimitUsedUp is a finish word for the token limit, with all tokens spent on
	// reasoning.
	LimitUsedUp

	endingEnd // one past the last ending
)

// script is the name of an ending, which is part of its URL, and what it does.
type script struct {
	name string
	play func(*exchange)
}

var scripts = [endingEnd]script{
	Whole:       {"whole", whole},
	NoSentinel:  {"no-sentinel", func(x *exchange) { x.say(len(words)); x.data(finish("stop")) }},
	ToolCall:    {"tool-call", toolCall},
	LongSilence: {"long-silence", longSilence},
	Unreachable: {"unreachable", whole},
	BadKey:      {"bad-key", func(x *exchange) { x.refuse(http.StatusUnauthorized, "application/json", badKey) }},
	TooMany:     {"too-many", tooManyOnce},
	SilentFirst: {"silent-first", func(x *exchange) { x.open(); x.hang() }},
	SilentLater: {"silent-later", func(x *exchange) { x.say(3); x.hang() }},
	AliveOnly:   {"alive-only", func(x *exchange) { x.say(3); x.alive(-1) }},
	Reset:       {"reset", func(x *exchange) { x.say(3); x.reset() }},
	CleanClose:  {"clean-close", func(x *exchange) { x.say(3) }},
	ErrorFirst:  {"error-first", func(x *exchange) { x.open(); x.data(overloaded) }},
	ErrorFinish: {"error-finish", func(x *exchange) { x.say(3); x.done("error") }},
	TornFrame:   {"torn-frame", tornFrame},
	Page:        {"page", func(x *exchange) { x.refuse(http.StatusOK, "text/html", page) }},
	NoAnswer:    {"no-answer", func(x *exchange) { x.say(0); x.done("stop") }},
	LimitUsedUp: {"limit-used-up", limitUsedUp},
}

// String returns the ending's name.
func (e Ending) String() string {
	if e < endingEnd {
		return scripts[e].name
	}
	return "none"
}

// ByName returns the ending of that name, and whether there is one.
func ByName(name string) (Ending, bool) {
	for e := range endingEnd {
		if e.String() == name {
			return e, true
		}
	}
	return 0, false
}

func whole(x *exchange) {
	x.say(len(words))
	x.done("stop")
}

func longSilence(x *exchange) {
	x.open()
	x.alive(silence)
	x.data(role)
	x.words(0, len(words))
	x.done("stop")
}

func toolCall(x *exchange) {
	x.say(0)
	x.data(callBegins)
	x.data(callGoesOn)
	x.data(callEnds)
	x.done("tool_calls")
}

func tooManyOnce(x *exchange) {
	if x.call > 1 {
		whole(x)
		return
	}
	x.out.Header().Set("Retry-After", "1")
	x.refuse(http.StatusTooManyRequests, "application/json", tooMany)
}

func tornFrame(x *exchange) {
	x.say(3)
	x.data(torn)
	x.words(4, len(words))
	x.done("stop")
}

func limitUsedUp(x *exchange) {
	x.say(0)
	x.data(finish("length"))
	x.data(usedUp)
	x.data("[DONE]")
}
