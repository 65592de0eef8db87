package dialects

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// answer is a whole answer of a family, with everything in it, to be mutated.
type answer struct {
	name    string
	dialect string
	frames  []string
	// last is the frame with which the answer is whole, up to its line ends.
	last  int
	text  string
	calls []endwell.ToolCall
	// begun is what a body holds that has begun: a cut behind it is a truncation,
	// one before it may be taken for no answer at all. Empty means "{".
	begun string
	// proofs are what frames hold that may end the answer: without all of them a
	// body is not whole, whatever was done to it.
	proofs []string
	// alive are signs of life, which make no difference wherever they are put.
	alive []string

	// What the mutations do not hold for, and why.
	resets string // why a reset behind the last frame breaks the answer all the same
	spared string // a word that may become a finish word when a bit of it flips, in
	// a dialect where any other word there is one
	sealed bool // every message has checksums: no flipped bit gets past them
}

var (
	lifeInEvents = []string{": ping\n\n", "\n", "\r\n", "id: 3\n\n", "event: ping\ndata:\n\n", "data:\n\n"}
	lifeInLines  = []string{"\n", "\r\n", " \n", "[INFO] tick\n", "tick\n"}
	lifeInGlue   = []string{"\n", "\r\n", " \n"}
	lifeInList   = []string{"\n", " \r\n", "\t"}
	lifeInTyped  = append([]string{named(aPing), "data: [DONE]\n\n"}, lifeInEvents...)
	lifeInAWS    = []string{
		awsSend("initial-response", `{}`), awsSend("chunk", `{"p":"abc"}`),
		awsSend("ping", `not JSON`), awsSend("contentBlockDelta", ""),
	}
)

const listGoesOn = "an error document may follow the list or the events, so that only a clean end ends them"

// geminiSays is the payloads of a Gemini answer, in whatever framing.
var geminiSays = []string{
	geminiParts(`{"text":"hm","thought":true}`, `,"index":0`),
	geminiText(`one \u00e9\ud83d\ude42`),
	geminiCalls(`{"name":"f","id":"c","willContinue":true}`),
	geminiCalls(`{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x"}],"willContinue":true}`),
	geminiCalls(`{}`),
	`{"candidates":[{"content":{"parts":[{"text":"two"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":3}}`,
}

var geminiMade = []endwell.ToolCall{{ID: "c", Name: "f", Arguments: `{"a":["x"]}`}}

// geminiEvents writes payloads as Google does.
func geminiEvents(payloads ...string) string {
	return "data: " + strings.Join(payloads, "\r\n\r\ndata: ") + "\r\n\r\n"
}

func geminiWrapped(payloads ...string) string {
	return frames(`{"response":` + strings.Join(payloads, "") + `,"traceId":"t"}`)
}

// geminiList has each element with the comma before it.
func geminiList() []string {
	list := []string{"[" + geminiSays[0] + "\n"}
	for _, s := range geminiSays[1:] {
		list = append(list, ",\r\n"+s+"\n")
	}
	return append(list, "]\n")
}

// answers has at least one row for every family.
var answers = slices.Concat(chatAnswers, typedAnswers, googleAnswers, nativeAnswers, bedrockAnswers)

var chatAnswers = []answer{
	{
		name: "chat", dialect: "openai", text: "one é🙂", last: 5, alive: lifeInEvents,
		calls:  []endwell.ToolCall{{ID: "t", Name: "f", Arguments: "{}"}},
		proofs: []string{`"finish_reason":"stop"`, "[DONE]"},
		frames: append([]string{": hello\n\n"}, each(
			frames,
			`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"think"},"finish_reason":null}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{"content":"one \u00e9\ud83d\ude42"},"finish_reason":null}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
			"[DONE]",
		)...),
	},
	{
		name: "writer", dialect: "writer", text: "one", last: 2, alive: lifeInEvents,
		proofs: []string{`"finish_reason":"stop"`},
		frames: each(
			frames,
			`{"choices":[{"index":0,"finish_reason":null,"message":{"content":null},"delta":{"content":null,"role":"assistant"}}]}`,
			`{"choices":[{"index":0,"finish_reason":null,"message":{"content":"one"},"delta":{"content":"one"}}]}`,
			`{"choices":[{"index":0,"finish_reason":"stop","delta":{"content":null}}]}`,
			`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
		),
	},
	{
		name: "watsonx generation", dialect: "watsonx", text: "one two", last: 2, alive: lifeInEvents,
		proofs: []string{"eos_token"}, spared: "not_finished",
		frames: []string{
			"id: 1\nevent: message\ndata: {}\n\n",
			"id: 2\nevent: message\n" + frames(`{"model_id":"m","results":[{"generated_text":"one ","generated_token_count":1,"input_token_count":2,"stop_reason":"not_finished"}]}`),
			"id: 3\nevent: message\n" + frames(`{"model_id":"m","results":[{"generated_text":"two","generated_token_count":2,"input_token_count":0,"stop_reason":"eos_token"}]}`),
		},
	},
}

var typedAnswers = []answer{
	{
		name: "anthropic", dialect: "anthropic", text: "one é🙂", last: 11, alive: lifeInTyped,
		calls:  []endwell.ToolCall{{ID: "t", Name: "f", Arguments: `{"a":1}`}},
		proofs: []string{`"stop_reason":"tool_use"`, `"message_stop"`},
		frames: each(
			named,
			`{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"ping"}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"one \u00e9\ud83d\ude42"}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`,
			`{"type":"content_block_stop","index":2}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":4}}`,
			`{"type":"message_stop"}`,
		),
	},
	{
		name: "responses", dialect: "responses", text: "one é🙂", last: 11, alive: lifeInTyped,
		calls:  []endwell.ToolCall{{ID: "call_1", Name: "f", Arguments: `{"a":1}`}},
		proofs: []string{`"type":"response.completed"`},
		frames: each(
			named,
			`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress","error":null,"output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`,
			`{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"hm"}`,
			`{"type":"keepalive","sequence_number":3}`,
			`{"type":"response.output_item.added","output_index":1,"item":{"id":"m_1","type":"message","content":[]}}`,
			`{"type":"response.output_text.delta","item_id":"m_1","output_index":1,"content_index":0,"delta":"one \u00e9\ud83d\ude42"}`,
			`{"type":"response.output_text.done","item_id":"m_1","output_index":1,"content_index":0,"text":"one \u00e9\ud83d\ude42"}`,
			`{"type":"response.output_item.done","output_index":1,"item":{"id":"m_1","type":"message","content":[{"type":"output_text","text":"one \u00e9\ud83d\ude42"}]}}`,
			`{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"{\"a\":1}"}`,
			`{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}`,
			`{"type":"response.completed","response":{"id":"resp_1","status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","text":"one \u00e9\ud83d\ude42"}]},{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}],"usage":{"input_tokens":5,"output_tokens":2,"total_tokens":7}}}`,
		),
	},
}

var googleAnswers = []answer{
	{
		name: "gemini events", dialect: "gemini", text: "one é🙂two", last: 5, alive: lifeInEvents,
		calls: geminiMade, proofs: []string{`"STOP"`}, resets: listGoesOn,
		frames: append(each(geminiEvents, geminiSays...), "\r\n"),
	},
	{
		name: "gemini wrapped", dialect: "gemini", text: "one é🙂two", last: 5, alive: lifeInEvents,
		calls: geminiMade, proofs: []string{`"STOP"`}, resets: listGoesOn,
		frames: each(geminiWrapped, geminiSays...),
	},
	{
		name: "gemini list", dialect: "gemini", text: "one é🙂two", last: 6, alive: lifeInList,
		calls: geminiMade, proofs: []string{`"STOP"`}, resets: listGoesOn,
		frames: geminiList(),
	},
	{
		name: "interactions", dialect: "interactions", text: "one é🙂two", last: 12, alive: lifeInEvents,
		calls: geminiMade, proofs: []string{"interaction.completed"},
		frames: each(
			frames,
			interactionsCreated, interactionsUpdate,
			interactionsStart("0", `{"type":"thought"}`), `{"index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"hm"}},"event_type":"step.delta"}`,
			`{"index":0,"event_type":"step.stop"}`, interactionsStart("1", `{"type":"model_output"}`),
			interactionsDelta(`{"type":"text","text":"one \u00e9\ud83d\ude42"}`), interactionsDelta(`{"type":"text","text":"two"}`), interactionsStop,
			interactionsStart("2", `{"type":"function_call","id":"c","name":"f","arguments":{}}`),
			`{"index":2,"delta":{"type":"arguments_delta","arguments":"{\"a\":[\"x\"]}"},"event_type":"step.delta"}`, `{"index":2,"event_type":"step.stop"}`,
			interactionsDone, "[DONE]",
		),
	},
}

var nativeAnswers = []answer{
	{
		name: "ollama chat", dialect: "ollama", text: `one é🙂{"`, last: 4, alive: lifeInLines,
		calls: []endwell.ToolCall{{Name: "f", Arguments: `{"a":[1,{"b":"}"}]}`}}, proofs: []string{`"done":true`},
		frames: each(
			lines,
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`,
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"one "},"done":false}`,
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"\u00e9\ud83d\ude42{\""},"done":false}`,
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":[1,{"b":"}"}]}}}]},"done":false}`,
			`{"model":"m","created_at":"t","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`,
		),
	},
	{
		name: "ollama generate, glued", dialect: "ollama", text: "one", last: 1, alive: lifeInGlue, proofs: []string{`"done":true`},
		frames: []string{
			`{"model":"m","response":"one","done":false}`,
			`{"model":"m","response":"","done":true,"done_reason":"length","context":[1,2]}`,
		},
	},
	{
		name: "cohere", dialect: "cohere", text: "one é", last: 9, alive: lifeInEvents,
		calls: []endwell.ToolCall{{ID: "c", Name: "f", Arguments: "{}"}}, proofs: []string{"message-end"},
		frames: append(each(
			cohereFrames,
			`{"id":"m1","type":"message-start","delta":{"message":{"role":"assistant","content":[]}}}`,
			`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}`,
			cohereDelta("0", `"thinking":"hm"`), cohereDelta("1", `"text":"one "`), cohereDelta("1", `"text":"\u00e9"`),
			`{"type":"content-end","index":1}`,
			`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c","function":{"name":"f","arguments":""}}}}}`,
			`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`,
			`{"type":"tool-call-end","index":0}`,
			`{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":1,"output_tokens":2}}}}`,
		), "data: [DONE]\n\n"),
	},
	{
		name: "cohere v1", dialect: "cohere-v1", text: "one", last: 4, alive: lifeInLines,
		calls: []endwell.ToolCall{{Name: "f", Arguments: "{}"}}, proofs: []string{"stream-end", `"is_finished":true`},
		frames: each(
			lines,
			`{"is_finished":false,"event_type":"stream-start","generation_id":"g"}`,
			`{"is_finished":false,"event_type":"text-generation","text":"one"}`,
			`{"is_finished":false,"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f","parameters":"{}"}}`,
			`{"is_finished":false,"event_type":"citation-generation","citations":[{"start":0}]}`,
			`{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"one","meta":{"tokens":{"input_tokens":1,"output_tokens":2}}}}`,
		),
	},
	{
		name: "cohere v1 as SSE", dialect: "cohere-v1", text: "one", last: 2, alive: lifeInEvents, proofs: []string{"stream-end", `"is_finished":true`},
		frames: []string{
			"event: stream-start\n" + frames(`{"is_finished":false,"event_type":"stream-start"}`),
			"event: text-generation\n" + frames(`{"is_finished":false,"event_type":"text-generation","text":"one"}`),
			"event: stream-end\n" + frames(`{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE"}`),
		},
	},
	{
		name: "replicate", dialect: "replicate", text: "one \n{}\nx", last: 4, alive: lifeInEvents, begun: "data: o", proofs: []string{"event: done"},
		frames: []string{
			": hi\n\n",
			"event: output\nid: 1:0\ndata: one \n\n",
			"event: output\nid: 1:1\ndata: \ndata: {}\n\n",
			"event: output\nid: 1:2\ndata: \ndata: x\n\n",
			"event: done\nid: 1:3\ndata: {}\n\n",
			":408: 408 Request Timeout\n\n",
		},
	},
}

const awsCounts = `"amazon-bedrock-invocationMetrics":{"inputTokenCount":3,"outputTokenCount":4}`

var bedrockAnswers = []answer{
	{
		name: "converse", dialect: "bedrock-converse", text: "one é🙂", last: 6, alive: lifeInAWS, begun: "\x00", sealed: true,
		calls: []endwell.ToolCall{{ID: "t", Name: "f", Arguments: "{}"}}, proofs: []string{":event-type\x07\x00\x0bmessageStop"},
		frames: []string{
			awsSend("messageStart", `{"role":"assistant","p":"abc"}`),
			awsSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}},"p":"a"}`),
			awsSend("contentBlockStop", `{"contentBlockIndex":0}`),
			awsSend("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"one \u00e9🙂"},"p":"ab"}`),
			awsSend("contentBlockStart", `{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}`),
			awsSend("contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}`),
			awsSend("messageStop", `{"stopReason":"tool_use","p":"abcd"}`),
			awsSend("metadata", `{"usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7},"p":"a"}`),
		},
	},
	invoked("Claude", "one", 4, 2,
		`{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":3}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"one"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`,
		`{"type":"message_stop",`+awsCounts+`}`),
	invoked("Nova", "one", 2, 1,
		`{"messageStart":{"role":"assistant"}}`,
		`{"contentBlockDelta":{"delta":{"text":"one"},"contentBlockIndex":0}}`,
		`{"messageStop":{"stopReason":"end_turn"}}`,
		`{"metadata":{"usage":{"inputTokens":3,"outputTokens":4}},`+awsCounts+`}`),
	invoked("Titan", "one two", 1, 1,
		`{"outputText":"one ","index":0,"completionReason":null}`,
		`{"outputText":"two","index":0,"completionReason":"FINISH",`+awsCounts+`}`),
}

// invoked is an answer of a model that Bedrock invokes, whole with frame last; so
// many frames from there on may end it.
func invoked(model, text string, last, ends int, docs ...string) answer {
	fs := each(invokeChunks, docs...)
	return answer{
		name: "invoke " + model, dialect: "bedrock-invoke", frames: fs, last: last, text: text,
		begun: "\x00", proofs: fs[last : last+ends], alive: lifeInAWS, sealed: true,
	}
}

func answerNamed(name string) answer {
	return answers[slices.IndexFunc(answers, func(a answer) bool { return a.name == name })]
}

func (a answer) body() string { return strings.Join(a.frames, "") }

// part is the answer without its last frame.
func (a answer) part() string { return strings.Join(a.frames[:a.last], "") }

// whole is where the answer is whole: with its last frame, up to the line ends.
func (a answer) whole() int {
	last := a.frames[a.last]
	if !a.sealed {
		last = strings.TrimRight(last, "\r\n")
	}
	return len(a.part()) + len(last)
}

// mayEnd reports whether a body holds what may end the answer.
func (a answer) mayEnd(body string) bool {
	return slices.ContainsFunc(a.proofs, func(p string) bool { return strings.Contains(body, p) })
}

// hasBegun reports whether a beginning of the body is enough to know the answer by.
func (a answer) hasBegun(body string) bool {
	if a.begun == "" {
		return strings.Contains(body, "{")
	}
	return strings.Contains(body, a.begun)
}

func TestEveryFamilyHasAnAnswer(t *testing.T) {
	have := map[Family]bool{}
	for _, a := range answers {
		have[MustByName(a.dialect).Family()] = true
	}
	for _, name := range Names() {
		require.True(t, have[MustByName(name).Family()], name)
	}
}
