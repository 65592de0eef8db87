package endwelltest

import (
	"encoding/json"
	"strings"
)

// Wire is a dialect in which a gateway's steps can speak. Frames of any other one
// are written with [Write].
type Wire uint8

// The wires. The set is closed.
const (
	// OpenAI is OpenAI chat completions (wire/openai-family.md §1). It is the zero
	// value.
	OpenAI Wire = iota
	// Anthropic is Anthropic messages (wire/other-families.md §1).
	Anthropic

	wireEnd // one past the last wire
)

var wireNames = [...]string{"openai", "anthropic"}

// Wires returns all wires, in order.
func Wires() []Wire { return []Wire{OpenAI, Anthropic} }

// String is the name that dialects.ByName knows.
func (w Wire) String() string {
	if w < wireEnd {
		return wireNames[w]
	}
	return "none"
}

// Begin writes what comes before any text.
func (w Wire) Begin() Step {
	if w == Anthropic {
		return Script(
			w.frame(`{"type":"message_start","message":{"id":"msg_test","type":"message","role":"assistant",`+
				`"model":"test-model","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}`),
			w.frame(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		)
	}
	return w.frame(chatHead + `"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`)
}

// Text writes a frame for each piece of answer text.
func (w Wire) Text(pieces ...string) Step {
	frames := make([]Step, 0, len(pieces))
	for _, p := range pieces {
		if w == Anthropic {
			frames = append(frames, w.frame(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quoted(p)+`}}`))
		} else {
			frames = append(frames, w.frame(chatHead+`"choices":[{"index":0,"delta":{"content":`+quoted(p)+`},"finish_reason":null}]}`))
		}
	}
	return Script(frames...)
}

// ToolCall writes a tool call, after [Wire.Begin] and before the finish: its id, its
// name, and a frame for each piece of its arguments.
func (w Wire) ToolCall(id, name string, arguments ...string) Step {
	if w == Anthropic {
		return w.anthropicCall(id, name, arguments)
	}
	call := func(members string) Step {
		return w.frame(chatHead + `"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,` + members + `}]},"finish_reason":null}]}`)
	}
	frames := []Step{call(`"id":` + quoted(id) + `,"type":"function","function":{"name":` + quoted(name) + `,"arguments":""}`)}
	for _, a := range arguments {
		frames = append(frames, call(`"function":{"arguments":`+quoted(a)+`}`))
	}
	return Script(frames...)
}

func (w Wire) anthropicCall(id, name string, arguments []string) Step {
	frames := []Step{w.frame(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":` +
		quoted(id) + `,"name":` + quoted(name) + `,"input":{}}}`)}
	for _, a := range arguments {
		frames = append(frames, w.frame(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":`+quoted(a)+`}}`))
	}
	return Script(append(frames, w.frame(`{"type":"content_block_stop","index":1}`))...)
}

// Finish writes the provider's word for why the model stopped, such as "stop" or
// "end_turn", with what the wire says around it.
func (w Wire) Finish(word string) Step {
	if w == Anthropic {
		return Script(
			w.frame(`{"type":"content_block_stop","index":0}`),
			w.frame(`{"type":"message_delta","delta":{"stop_reason":`+quoted(word)+`,"stop_sequence":null},"usage":{"output_tokens":5}}`),
		)
	}
	return w.frame(chatHead + `"choices":[{"index":0,"delta":{},"finish_reason":` + quoted(word) + `}]}`)
}

// Done writes the sentinel, after which nothing more is owed.
func (w Wire) Done() Step {
	if w == Anthropic {
		return w.frame(`{"type":"message_stop"}`)
	}
	return Write("data: [DONE]\n\n")
}

// Answer is a whole answer that says these pieces of text.
func (w Wire) Answer(pieces ...string) Step {
	return Script(w.Begin(), w.Text(pieces...), w.Finish(w.stopWord()), w.Done())
}

func (w Wire) stopWord() string {
	if w == Anthropic {
		return "end_turn"
	}
	return "stop"
}

// KeepAlive writes a sign of life without content.
func (w Wire) KeepAlive() Step {
	if w == Anthropic {
		return w.frame(`{"type":"ping"}`)
	}
	return Write(": keep-alive\n\n")
}

// Fault writes an error frame, as a provider does in the middle of a stream. The
// token is the provider's word, such as "overloaded_error"; the message is prose,
// which nobody should have to read.
func (w Wire) Fault(token, message string) Step { return w.frame(w.failure(token, message)) }

// Refuse answers with an unsuccessful status and the provider's error document.
// Put [RetryAfter] before it for a refusal that says how long to wait.
func (w Wire) Refuse(status int, token, message string) Step {
	return Document(status, "application/json", w.failure(token, message))
}

func (w Wire) failure(token, message string) string {
	if w == Anthropic {
		return `{"type":"error","error":{"type":` + quoted(token) + `,"message":` + quoted(message) + `}}`
	}
	return `{"error":{"message":` + quoted(message) + `,"type":` + quoted(token) + `,"param":null,"code":` + quoted(token) + `}}`
}

// chatHead is how OpenAI's frames begin.
const chatHead = `{"id":"chatcmpl-test","object":"chat.completion.chunk","created":1796000000,"model":"test-model",`

// frame writes one event. Anthropic's name their type, which is their first member.
func (w Wire) frame(data string) Step {
	if w != Anthropic {
		return Write("data: " + data + "\n\n")
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
	return Write("event: " + name + "\ndata: " + data + "\n\n")
}

// quoted is s as JSON has it.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always can
	return string(b)
}
