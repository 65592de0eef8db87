package clients

import (
	"context"
	"errors"
	"net/http"

	"github.com/endwell-go/endwell/endwelltest"
)

// Client is an SDK, and how a program asks it for a streamed answer.
type Client struct {
	// Name is what the table calls it.
	Name string
	// Module is the path of the module that it comes from.
	Module string
	// Wire is what it reads.
	Wire endwelltest.Wire
	// Retries says how its own retries are switched off here.
	Retries string
	// Keeps says what it keeps to itself, also over endwell.
	Keeps Keeps
	// Hint says what its user can do about that.
	Hint string
	// Below and Above change the transport below and above endwell, or instead of it,
	// where an SDK cannot do without; nil leaves it as it is.
	Below, Above func(http.RoundTripper) http.RoundTripper
	// Ask asks once at url over h. Each piece of the answer's text is said; when say
	// returns false the program has had enough, and closes the answer. Ask returns the
	// SDK's own error, nil for an answer that ended as far as the SDK tells.
	Ask func(ctx context.Context, url string, h *http.Client, say func(string) bool) error
	// Status is the status in an error that the SDK made of a refused call, 0 when
	// the error says none. Nil is for an SDK whose errors are text.
	Status func(error) int
}

// Keeps says what an SDK keeps from a program. What it keeps, transport.WithEnding
// tells.
type Keeps uint8

const (
	// Faults is an SDK to which every fault of a body is an end.
	Faults Keeps = 1 << iota
	// Types is an SDK that makes text of such a fault.
	Types
	// Calls is an SDK that makes text of a call that failed before its answer came.
	Calls
	// Cancellation is an SDK to which the program's own cancellation is an end.
	Cancellation
	// Connection is an SDK that does not let go of an answer which the program has
	// closed, until the context ends.
	Connection
)

// Clients are the SDKs, in the order of the table.
func Clients() []Client {
	return []Client{
		openaiChat, openaiResponses, goOpenAI, langchain, eino,
		anthropicMessages, fantasyAnthropic,
		gemini, ollama, cohereChat, bedrockConverse, bedrockInvoke,
	}
}

// errEnough is what a callback returns when the program has had enough.
var errEnough = errors.New("clients: enough")

// fakeKey is what SDKs are given that insist on a key.
const fakeKey = "sk-test-not-a-real-key"

// model is the name of no model.
const model = "test-model"
