package endwelltest

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
)

// whole ends what has been said as it should.
func whole(w Wire, said Step) Step {
	return Script(said, w.Finish(w.Word(endwell.FinishStop)), w.Done())
}

func noText(w Wire, _ Step) Step { return whole(w, w.Begin()) }

// late is whole after keep-alives.
func late(w Wire, said Step) Step { return Script(Repeat(5, pulse, w.KeepAlive()), whole(w, said)) }

// toolCall is text and a call.
func toolCall(w Wire, said Step) Step {
	return called(w, Script(said, w.ToolCall("call_test", "weather", `{"city":`, `"Oslo"}`)))
}

// toolCallCut is text and a call whose arguments are cut, while the rest of the answer
// is whole if the wire can have it so. Completions, which has no calls, is cut itself.
func toolCallCut(w Wire, said Step) Step {
	said = Script(said, w.ToolCall("call_test", "weather", `{"city":`, `"Os`))
	if w == Completions || w == Ollama {
		return said
	}
	return called(w, said)
}

// called ends an answer that waits for the results of calls.
func called(w Wire, said Step) Step {
	word := w.Word(endwell.FinishToolCalls)
	if word == "" {
		word = w.Word(endwell.FinishStop)
	}
	return Script(said, w.Finish(word), w.Done())
}

func cutInFrame(w Wire, said Step) Step {
	return Script(said, CutAt(20, Step{}), w.Text(" and"))
}

func keepAliveOnly(w Wire, said Step) Step {
	return Script(said, Repeat(-1, pulse, w.KeepAlive()))
}

func errorFrame(w Wire, said Step) Step { return Script(said, serverFault(w)) }

func serverFault(w Wire) Step {
	return w.Fault(w.Token(http.StatusInternalServerError), "The model failed.")
}

// always is the same on every wire.
func always(s Step) func(Wire) Step { return func(Wire) Step { return s } }

// refusal is an ending by an unsuccessful status.
func refusal(status int, why string, c endwell.Category) Ending {
	return Ending{
		Name: "refused-" + strconv.Itoa(status), What: "The request is refused: " + why + ".",
		Fault: endwell.Refused, Category: c, instead: refused(status),
	}
}

func refused(status int) func(Wire) Step {
	return func(w Wire) Step {
		no := w.Refuse(status, w.Token(status), "Refused: "+http.StatusText(status)+".")
		if status == http.StatusTooManyRequests {
			return Script(RetryAfter(2*time.Second), no)
		}
		return no
	}
}

// malformed goes on after a frame that is none.
func malformed(w Wire, said Step) Step { return whole(w, Script(said, Write(w.torn()))) }

// torn is a frame of this wire that cannot be read.
func (w Wire) torn() string {
	const half = `{"id":"test","text":"en`
	if w == Gemini {
		return geminiEvent(half)
	}
	switch typ, _, _ := strings.Cut(w.traits().typ, ";"); typ {
	case awsEventStream:
		message := []byte(awsEvent("messageStart", "{}"))
		message[len(message)-1] ^= 1 // the last checksum
		return string(message)
	case jsonDocument:
		return ",\r\n" + half + "\n"
	case "text/event-stream":
		return event(half)
	default:
		return half + "\n"
	}
}
