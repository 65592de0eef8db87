package endwelltest

import (
	"net/http"
	"slices"
	"time"

	"github.com/endwell-go/endwell"
)

// Ending is a way for an answer to end that has a name, and what it is on any wire. The
// zero Ending is an answer that is whole.
type Ending struct {
	// Name is in lower case with hyphens, such as "cut-in-frame".
	Name string
	// What says in a sentence what the provider does.
	What string
	// Fault is what a guarded client shall say of it; zero for an answer that is
	// whole.
	Fault endwell.Fault
	// Category is the category that goes with the fault; zero for an answer that is
	// whole.
	Category endwell.Category

	before  Step                         // of an answer that is whole
	tail    Step                         // after what is said
	instead func(Wire) Step              // of all that would be said
	script  func(w Wire, said Step) Step // all of it, for a stream
	deaf    bool                         // instead does not read the request
}

// Endings returns all named endings, those that are whole first.
func Endings() []Ending { return slices.Clone(endings[:]) }

// EndingByName returns the ending of that name, and whether there is one.
func EndingByName(name string) (Ending, bool) {
	for _, e := range endings {
		if e.Name == name {
			return e, true
		}
	}
	return Ending{}, false
}

// Whole reports whether the ending is an answer that is whole.
func (e Ending) Whole() bool { return e.Fault == 0 }

// Step is a script that ends a streamed answer so. The pieces of text are what is said
// before: all of an answer that is whole; they are left out where nothing is said. None
// at all are "All's", " well", " that", " ends", " well.".
func (e Ending) Step(w Wire, said ...string) Step {
	begun := Script(w.Begin(), w.Text(pieces(said)...))
	switch {
	case e.instead != nil:
		return e.instead(w)
	case e.script != nil:
		return e.script(w, begun)
	case e.Whole():
		return Script(e.before, whole(w, begun))
	default:
		return Script(begun, e.tail)
	}
}

// Unary is Step for a request that asks for no stream. The answer is one document; a
// fault in the middle comes after half of it, and what would be an error frame is a
// refusal with status 500.
func (e Ending) Unary(w Wire, said ...string) Step {
	doc := w.Unary(pieces(said)...)
	switch {
	case e.Name == "no-text":
		return w.Unary("")
	case e.Fault == endwell.Faulted:
		return refused(http.StatusInternalServerError)(w)
	case e.instead != nil:
		return e.instead(w)
	case e.Whole():
		return Script(e.before, doc)
	default:
		return Script(CutAt(len(w.traits().unary(""))/2, e.tail), doc)
	}
}

// wellKnown is what is said when nothing else is.
var wellKnown = []string{"All's", " well", " that", " ends", " well."}

func pieces(said []string) []string {
	if len(said) == 0 {
		return wellKnown
	}
	return said
}

// pulse is the time between two keep-alives, and between two frames of a slow answer.
const pulse = 100 * time.Millisecond

var endings = [...]Ending{
	{Name: "whole", What: "The answer is whole."},
	{Name: "slow", What: "The answer is whole, with a pause of 100 ms after each frame.", before: Paced(pulse)},
	{Name: "byte-by-byte", What: "The answer is whole, and each byte comes by itself.", before: Slowly(0)},
	{Name: "late", What: "The answer is whole, after half a second of keep-alives.", script: late, before: Delay(5 * pulse)},
	{Name: "gzip", What: "The answer is whole, and compressed.", before: Gzip()},
	{Name: "early-hints", What: "The answer is whole, after a status 103 and with a trailer.", before: Script(EarlyHints(), Trailer("X-Test-Trailer", "1"))},
	{Name: "going-away", What: "The answer is whole, and GOAWAY or Connection: close says that it is the last one here.", before: GoingAway(0)},
	{Name: "tool-call", What: "The answer is whole, and a tool call follows the text.", script: toolCall},

	{
		Name: "cut", What: "The body ends cleanly in the middle of the answer.",
		Fault: endwell.Truncated, Category: endwell.MalformedResponse,
	},
	{
		Name: "cut-in-frame", What: "The body ends cleanly in the middle of a frame.",
		Fault: endwell.Truncated, Category: endwell.MalformedResponse, script: cutInFrame,
	},
	{
		Name: "tool-call-cut", What: "A tool call's arguments end before their JSON does.",
		Fault: endwell.Truncated, Category: endwell.MalformedResponse, script: toolCallCut,
	},

	{
		Name: "abort", What: "The answer breaks off: no end of the chunked body, or RST_STREAM over HTTP/2.",
		Fault: endwell.Broken, Category: endwell.Network, tail: Abort(),
	},
	{
		Name: "reset-stream", What: "The answer breaks off: RST_STREAM with CANCEL over HTTP/2, no end of the chunked body over HTTP/1.1.",
		Fault: endwell.Broken, Category: endwell.Network, tail: ResetStream(8),
	},
	{
		Name: "hangup", What: "The connection is closed in the middle of the answer, with a FIN.",
		Fault: endwell.Broken, Category: endwell.Network, tail: Hangup(),
	},
	{
		Name: "reset", What: "The connection is reset in the middle of the answer.",
		Fault: endwell.Broken, Category: endwell.Network, tail: Script(Delay(pulse), Reset()),
	},
	{
		Name: "goaway", What: "The connection ends with GOAWAY over HTTP/2; over HTTP/1.1 it is a hangup.",
		Fault: endwell.Broken, Category: endwell.Network, tail: GoAway(2),
	},

	{
		Name: "stalled", What: "The answer stops in the middle, and the connection stays open.",
		Fault: endwell.Stalled, Category: endwell.Timeout, tail: Script(Flush(), Hang()),
	},
	{
		Name: "keepalive-only", What: "The answer stops in the middle, and keep-alives go on.",
		Fault: endwell.Stalled, Category: endwell.Timeout, script: keepAliveOnly, tail: Repeat(-1, pulse, Write("\n")),
	},
	{
		Name: "half-open", What: "The connection dies in the middle of the answer without a FIN.",
		Fault: endwell.Stalled, Category: endwell.Timeout, tail: HalfOpen(),
	},
	{
		Name: "silent", What: "The request is read and never answered.",
		Fault: endwell.Stalled, Category: endwell.Timeout, instead: always(Hang()),
	},

	{
		Name: "unread", What: "The request's body is not read, and never answered.",
		Fault: endwell.Stalled, Category: endwell.Timeout, instead: always(HalfOpen()), deaf: true,
	},
	{
		Name: "slow-header", What: "The response's header comes byte by byte, one each 100 ms, and does not end.",
		Fault: endwell.Stalled, Category: endwell.Timeout, instead: always(SlowHeader(pulse)),
	},

	{
		Name: "error-frame", What: "The provider reports an error in the middle of the answer.",
		Fault: endwell.Faulted, Category: endwell.ServerError, script: errorFrame,
	},
	{
		Name: "error-first", What: "The provider reports an error in the first frame.",
		Fault: endwell.Faulted, Category: endwell.ServerError, instead: serverFault,
	},

	{
		Name: "malformed", What: "A frame cannot be read, and the rest comes as if nothing had happened.",
		Fault: endwell.Malformed, Category: endwell.MalformedResponse, script: malformed,
	},
	{
		Name: "html", What: "A sign-in page comes in place of the answer, with status 200.",
		Fault: endwell.Malformed, Category: endwell.MalformedResponse, instead: always(Page(http.StatusOK)),
	},
	{
		Name: "empty", What: "The status is 200, and there is no body.",
		Fault: endwell.Empty, Category: endwell.MalformedResponse, instead: always(Step{}),
	},
	{
		Name: "no-text", What: "The answer is complete and says nothing.",
		Fault: endwell.Empty, Category: endwell.MalformedResponse, script: noText,
	},

	refusal(http.StatusBadRequest, "the request is not valid", endwell.RequestInvalid),
	refusal(http.StatusUnauthorized, "the key is not valid", endwell.AuthInvalid),
	refusal(http.StatusForbidden, "no permission", endwell.PermissionDenied),
	refusal(http.StatusNotFound, "no such model", endwell.ModelUnavailable),
	refusal(http.StatusTooManyRequests, "too many, wait 2 s", endwell.RateLimited),
	refusal(http.StatusInternalServerError, "the server failed", endwell.ServerError),
	refusal(http.StatusServiceUnavailable, "overloaded", endwell.Overloaded),

	{
		Name: "dropped", What: "The connection is reset before any answer.",
		Fault: endwell.Unreachable, Category: endwell.Network, instead: always(Reset()),
	},
	{
		Name: "endless-header", What: "The response's header does not end.",
		Fault: endwell.Unreachable, Category: endwell.Network, instead: always(EndlessHeader()),
	},
	{
		Name: "not-http", What: "The server speaks something that is not HTTP.",
		Fault: endwell.Unreachable, Category: endwell.Network, instead: always(Raw("SSH-2.0-OpenSSH_9.6\r\n")),
	},
}
