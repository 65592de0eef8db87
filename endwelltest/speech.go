package endwelltest

import (
	"encoding/json"
	"strings"

	"github.com/endwell-go/endwell"
)

// speech is what has been said on an answer.
type speech struct {
	frames int      // how many frames, for wires that number or separate them
	blocks int      // how many blocks of content have begun
	open   bool     // the last one is text, and goes on
	text   string   // all text
	calls  int      // how many tool calls
	items  []string // what the wire repeats of blocks that are complete
	word   string   // the finish
	usage  bool     // the request asks for a usage record
}

// voice writes the frames of a wire. What it returns may be empty: there is no such
// thing on the wire then.
type voice interface {
	begin(s *speech) string
	say(s *speech, text string) string
	call(s *speech, id, name string, arguments []string) []string
	finish(s *speech, word string) string
	done(s *speech) string
	alive(s *speech) string
	fault(s *speech, token, message string) string
	// unary is a whole answer that is not streamed.
	unary(text string) string
	// refusal is the document of an unsuccessful response.
	refusal(status int, token, message string) string
}

// speaks makes a step of a voice.
func (w Wire) speaks(frame func(voice, *speech) string) Step {
	return Step{play: func(x *exchange) {
		if f := frame(w.traits().voice, &x.said); f != "" {
			x.speak(w.traits(), f)
		}
	}}
}

// speak writes a frame, with what the header of such a stream has.
func (x *exchange) speak(t *wireTraits, frame string) {
	if !x.begun {
		x.preset("Content-Type", t.typ)
		x.identify(t)
		x.unmeasured()
	}
	x.write([]byte(frame))
	if x.gap > 0 {
		Delay(x.gap).run(x)
	}
}

// unmeasured keeps net/http from telling the length of a short answer: no provider knows
// that of a stream, and with it a cut answer would look complete.
func (x *exchange) unmeasured() {
	if x.w.Header().Get("Content-Length") == "" {
		x.preset("Transfer-Encoding", "chunked")
	}
}

// identify sets the header with the request's id.
func (x *exchange) identify(t *wireTraits) {
	if t.id != "" {
		x.preset(t.id, requestID)
	}
}

// Begin writes what comes before any text: on some wires nothing.
func (w Wire) Begin() Step {
	return Step{play: func(x *exchange) {
		x.said = speech{frames: x.said.frames, usage: x.wantsUsage()}
		w.speaks(voice.begin).run(x)
	}}
}

// Text writes a frame for each piece of answer text.
func (w Wire) Text(pieces ...string) Step {
	frames := make([]Step, 0, len(pieces))
	for _, p := range pieces {
		frames = append(frames, w.speaks(func(v voice, s *speech) string {
			f := v.say(s, p)
			s.text += p
			return f
		}))
	}
	return Script(frames...)
}

// ToolCall writes a tool call, after [Wire.Begin] and before the finish: its id, its
// name, and a frame for each piece of its arguments.
//
// Gemini and Ollama send arguments as an object and in one piece. Arguments that are
// no JSON leave the call open on Gemini, and the line unfinished on Ollama, after
// which no frame should follow. CohereV1 has no ids, and Completions no tool calls:
// it writes nothing.
func (w Wire) ToolCall(id, name string, arguments ...string) Step {
	return Step{play: func(x *exchange) {
		for _, f := range w.traits().call(&x.said, id, name, arguments) {
			w.speaks(func(voice, *speech) string { return f }).run(x)
		}
		x.said.calls++
	}}
}

// Finish writes the provider's word for why the model stopped, such as [Wire.Word]
// knows, with what the wire says around it.
//
// On Ollama, Cohere, CohereV1, Gemini and BedrockConverse it is what makes the answer
// whole. On Responses and Interactions it ends the text, and the word, a status or
// the reason of an incomplete response, is for [Wire.Done] to say.
func (w Wire) Finish(word string) Step {
	return w.speaks(func(v voice, s *speech) string {
		f := v.finish(s, word)
		s.word = word
		return f
	})
}

// Done writes the sentinel, after which nothing more is owed. Gemini, CohereV1 and
// Ollama have none: it writes nothing. On BedrockConverse it writes the usage record,
// on GeminiArray the end of the array.
func (w Wire) Done() Step { return w.speaks(voice.done) }

// Answer is a whole answer that says these pieces of text.
func (w Wire) Answer(pieces ...string) Step {
	return Script(w.Begin(), w.Text(pieces...), w.Finish(w.Word(endwell.FinishStop)), w.Done())
}

// Unary is a whole answer that says these pieces of text, in one document, as for a
// request that asks for no stream.
func (w Wire) Unary(pieces ...string) Step {
	return w.document(200, w.traits().unary(strings.Join(pieces, "")))
}

// KeepAlive writes a sign of life without content, which clients of the wire can
// read: a comment, a ping, or, where the wire knows nothing of that kind, empty
// lines on Gemini and Interactions, white space on GeminiArray, a piece of text that
// is empty on Ollama and CohereV1. On BedrockConverse and BedrockInvoke it writes
// nothing, since AWS sends nothing.
func (w Wire) KeepAlive() Step { return w.speaks(voice.alive) }

// Fault writes an error frame, as a provider does in the middle of a stream. The
// token is the provider's word, such as [Wire.Token] knows; the message is prose,
// which nobody should have to read. Ollama has no place for a token. Cohere and
// CohereV1 have one for their finish words ERROR, ERROR_TOXIC, ERROR_LIMIT and
// TIMEOUT; another token is ERROR.
func (w Wire) Fault(token, message string) Step {
	return w.speaks(func(v voice, s *speech) string { return v.fault(s, token, message) })
}

// Refuse answers with an unsuccessful status and the provider's error document.
// Put [RetryAfter] before it for a refusal that says how long to wait. Cohere and
// Ollama have no place for a token.
func (w Wire) Refuse(status int, token, message string) Step {
	doc := w.document(status, w.traits().refusal(status, token, message))
	if w != BedrockConverse && w != BedrockInvoke {
		return doc
	}
	return Script(Header("X-Amzn-Errortype", upperFirst(token)), doc)
}

// document answers with a document of this wire.
func (w Wire) document(status int, body string) Step {
	return Script(Step{play: func(x *exchange) { x.identify(w.traits()) }}, Document(status, jsonDocument, body))
}

// event is a server-sent event with data and no name.
func event(data string) string { return "data: " + data + "\n\n" }

// typed is a server-sent event whose name is its type, the first member of data.
func typed(data string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
	return "event: " + name + "\ndata: " + data + "\n\n"
}

// quoted is s as JSON has it.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always can
	return string(b)
}

// object is arguments as a JSON object, and whether they are JSON. None at all are an
// empty object.
func object(arguments []string) (string, bool) {
	joined := strings.Join(arguments, "")
	if joined == "" {
		joined = "{}"
	}
	return joined, json.Valid([]byte(joined))
}
