package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// named makes SSE events of payloads, each named by its type as Anthropic and
// OpenAI do.
func named(payloads ...string) string {
	var b strings.Builder
	for _, p := range payloads {
		_, typ, _ := strings.Cut(p, `"type":"`)
		typ, _, _ = strings.Cut(typ, `"`)
		b.WriteString("event: " + typ + "\ndata: " + p + "\n\n")
	}
	return b.String()
}

const (
	aStart = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":5,"cache_read_input_tokens":3,"output_tokens":1}}}`
	aOther = `{"type":"message_start","message":{"id":"msg_2","type":"message","role":"assistant","content":[]}}`
	aStop  = `{"type":"message_stop"}`
	aPing  = `{"type": "ping"}`
	aOpen  = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	aClose = `{"type":"content_block_stop","index":0}`
	aHi    = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
)

func aBlock(index, block string) string {
	return `{"type":"content_block_start","index":` + index + `,"content_block":` + block + `}`
}

func aTool(index, id, name, input string) string {
	return aBlock(index, `{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}`)
}

func aDelta(index, delta string) string {
	return `{"type":"content_block_delta","index":` + index + `,"delta":` + delta + `}`
}

func aArgs(index, piece string) string {
	return aDelta(index, `{"type":"input_json_delta","partial_json":"`+piece+`"}`)
}

func aEnd(index string) string { return `{"type":"content_block_stop","index":` + index + `}` }

func aReason(word string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + word + `","stop_sequence":null},"usage":{"output_tokens":4}}`
}

func TestAnthropic(t *testing.T) {
	const begun = "usage(5 1 0 r0 c3) meta"
	const text = begun + " text(Hi)"
	const finish = " finish(stop end_turn)@settled usage(0 4 0 r0 c0)"
	answer := []string{aStart, aOpen, aHi, aClose}
	with := func(more ...string) string { return named(append(append([]string{}, answer...), more...)...) }
	tests := []struct {
		name string
		body string
		want string
		end  string
	}{
		// How an answer ends.
		{"whole", with(aReason("end_turn"), aStop), text + " meta" + finish + " meta@ended", "eof"},
		{"stop reason without message_stop", with(aReason("end_turn")), text + " meta" + finish, "eof"},
		{"sentinel for message_stop", with(aReason("end_turn")) + frames(done), text + " meta" + finish + " meta@ended", "eof"},
		{
			"sentinel after message_stop", with(aReason("end_turn"), aStop) + "event: done\n" + frames(done),
			text + " meta" + finish + " meta@ended meta", "eof",
		},
		{"sentinel after a cut", with() + frames(done), text + " meta meta", "eof"},
		{
			"half of message_stop", with(aReason("end_turn")) + "event: message_stop\ndata: {\"type\":\"mess",
			text + " meta" + finish, "cut status=0 type= code= message=",
		},
		{"message_stop without blank line", with(aReason("end_turn")) + "data: " + aStop, text + " meta" + finish + " meta@ended", "eof"},
		{"message_stop without a stop reason", with(aStop), text + " meta meta@ended", "eof"},
		{"cut between frames", with(), text + " meta", "eof"},
		{"cut inside a frame", with() + `data: {"type":"mess`, text + " meta", "cut status=0 type= code= message="},
		{
			"stop reason while a block is open, closed later", named(aStart, aOpen, aHi, aReason("end_turn"), aClose),
			text + " finish(stop end_turn) usage(0 4 0 r0 c0) meta@settled", "eof",
		},
		{
			"stop reason while a block is open", named(aStart, aOpen, aHi, aReason("end_turn")),
			text + " finish(stop end_turn) usage(0 4 0 r0 c0)", "eof",
		},
		{
			"a block after the stop reason", with(aReason("end_turn"), aOpen, aHi, aClose),
			text + " meta" + finish + " meta@open text(Hi) meta@settled", "eof",
		},
		{
			"two message deltas", with(`{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":2}}`, aReason("end_turn")),
			text + " meta usage(0 2 0 r0 c0)" + finish, "eof",
		},

		// Names of frames.
		{"types without event names", frames(aStart, aOpen, aHi, aClose, aReason("end_turn"), aStop), text + " meta" + finish + " meta@ended", "eof"},
		{
			"event names without types", "event: message_start\ndata: {\"message\":{\"id\":\"m\"}}\n\n" +
				"event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"text\":\"Hi\"}}\n\nevent: message_stop\ndata: {}\n\n",
			"meta text(Hi) meta@ended", "eof",
		},
		{"the type outranks the event name", "event: ping\ndata: " + aStart + "\n\nevent: error\ndata: " + aHi + "\n\n", "usage(5 1 0 r0 c3) text(Hi)", "eof"},
		{"event name without data", named(aStart) + "event: content_block_delta\n\n" + named(aHi), "usage(5 1 0 r0 c3) keep_alive text(Hi)", "eof"},

		// Signs of life.
		{
			"pings anywhere", named(aPing, aStart, aPing, aOpen, aPing, aHi, aClose, aPing, aReason("end_turn"), aPing, aStop),
			"keep_alive usage(5 1 0 r0 c3) keep_alive meta keep_alive text(Hi) meta keep_alive" + finish + " keep_alive meta@ended", "eof",
		},
		{"unknown events", named(`{"type":"vertex_event","usage":{"x":1}}`, aStart, `{"type":"new_event","message":"x","status":500}`), "meta usage(5 1 0 r0 c3) meta", "eof"},
		{"unknown delta", with(aDelta("0", `{"type":"new_delta","text":"x"}`)), text + " meta meta", "eof"},
		{"null error", named(`{"type":"message_start","message":{"id":"m"},"error":null}`, `{"type":"ping","error":{}}`), "meta keep_alive", "eof"},
		{"values that say nothing", frames("null", "{}", `""`, "[]"), "meta meta meta meta", "eof"},
		{"text about errors", named(aStart, aDelta("0", `{"type":"text_delta","text":"{\"error\":1}"}`)), `usage(5 1 0 r0 c3) text({"error":1})`, "eof"},

		// Order.
		{"the same message_start again", named(aStart, aOpen, aStart, aHi), "usage(5 1 0 r0 c3) meta usage(5 1 0 r0 c3) text(Hi)", "eof"},
		{"another message_start", named(aStart, aOpen, aHi, aOther, aHi), text, "spliced status=0 type= code= message="},
		{"message_start without an id", named(aStart, aHi, `{"type":"message_start","message":{}}`, aHi), "usage(5 1 0 r0 c3) text(Hi) meta text(Hi)", "eof"},
		{"delta before message_start", named(aPing, aHi), "keep_alive", "unparseable status=0 type= code= message="},
		{"message_stop before message_start", named(aStop), "", "unparseable status=0 type= code= message="},
		{"block without start", named(aStart, aHi, aEnd("7")), "usage(5 1 0 r0 c3) text(Hi) meta", "eof"},

		// Finish words.
		{"stop sequence", with(aReason("stop_sequence")), text + " meta finish(stop stop_sequence)@settled usage(0 4 0 r0 c0)", "eof"},
		{"token limit", with(aReason("max_tokens")), text + " meta finish(length max_tokens)@settled usage(0 4 0 r0 c0)", "eof"},
		{"pause", with(aReason("pause_turn")), text + " meta finish(pause pause_turn)@settled usage(0 4 0 r0 c0)", "eof"},
		{"compaction", with(aReason("compaction")), text + " meta finish(pause compaction)@settled usage(0 4 0 r0 c0)", "eof"},
		{"refusal", with(aReason("refusal")), text + " meta finish(filter refusal)@settled usage(0 4 0 r0 c0)", "eof"},
		{"refusal without a block", named(aStart, aReason("refusal"), aStop), "usage(5 1 0 r0 c3) finish(filter refusal)@settled usage(0 4 0 r0 c0) meta@ended", "eof"},
		{"context used up", with(aReason("model_context_window_exceeded")), text + " meta finish(length model_context_window_exceeded)@settled usage(0 4 0 r0 c0)", "eof"},
		{"context used up by the request", named(aStart, aReason("model_context_window_exceeded")), "usage(5 1 0 r0 c3)", "reported status=0 type= code=model_context_window_exceeded message="},
		{"unknown word", with(aReason("tired")), text + " meta finish(unknown tired)@settled usage(0 4 0 r0 c0)", "eof"},
		{"words for not finished", with(aReason(""), aReason("null")), text + " meta usage(0 4 0 r0 c0) usage(0 4 0 r0 c0)", "eof"},
		{"word for a fault", with(aReason("error")), text + " meta", "reported status=0 type= code=error message="},
		{"tool use without a call", with(aReason("tool_use")), text + " meta", "bad_output status=0 type= code=tool_use message="},
		{
			"tool use after a hosted call", named(aStart, aBlock("0", `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), aEnd("0"), aReason("tool_use")),
			"usage(5 1 0 r0 c3) output meta finish(tool_calls tool_use)@settled usage(0 4 0 r0 c0)", "eof",
		},

		// Blocks.
		{
			"thinking", named(aStart, aBlock("0", `{"type":"thinking","thinking":"","signature":""}`),
				aDelta("0", `{"type":"thinking_delta","thinking":"hm"}`), aDelta("0", `{"type":"signature_delta","signature":"c2ln"}`), aEnd("0"),
				aBlock("1", `{"type":"redacted_thinking","data":"eHg="}`), aEnd("1"), aBlock("2", `{"type":"fallback","model":"m"}`), aEnd("2")),
			begun + " reasoning(hm) meta meta meta meta meta meta", "eof",
		},
		{"text with its start", named(aStart, aBlock("0", `{"type":"text","text":"A"}`), aHi), "usage(5 1 0 r0 c3) text(A) text(Hi)", "eof"},
		{"citation", with(aDelta("0", `{"type":"citations_delta","citation":{"type":"char_location","cited_text":"x"}}`)), text + " meta meta", "eof"},
		{
			"hosted tools", named(aStart, aBlock("0", `{"type":"mcp_tool_use","id":"s","name":"f","input":{}}`), aArgs("0", `{\"q\":1}`), aEnd("0"),
				aBlock("1", `{"type":"mcp_tool_result","content":[]}`), aEnd("1")),
			"usage(5 1 0 r0 c3) output output meta output meta", "eof",
		},
		{
			"compaction block", named(aStart, aBlock("0", `{"type":"compaction","content":null}`), aDelta("0", `{"type":"compaction_delta","content":"S"}`), aEnd("0")),
			"usage(5 1 0 r0 c3) output output meta", "eof",
		},
		{
			"tool call", named(aStart, aTool("0", "t", "f", "{}"), aArgs("0", ""), aArgs("0", `{\"a\":`), aArgs("0", "1}"), aEnd("0"), aReason("tool_use"), aStop),
			`usage(5 1 0 r0 c3) tool_call(0 t f ) meta tool_call(0   {"a":) tool_call(0   1}) meta finish(tool_calls tool_use)@settled usage(0 4 0 r0 c0) meta@ended`, "eof",
		},
		{"tool call without arguments", named(aStart, aTool("0", "t", "f", "{}"), aEnd("0")), "usage(5 1 0 r0 c3) tool_call(0 t f ) meta", "eof"},
		{
			"arguments with the start", named(aStart, aTool("0", "t", "f", `{"a":1}`), aEnd("0")),
			`usage(5 1 0 r0 c3) tool_call(0 t f ) tool_call(0   {"a":1})`, "eof",
		},
		{
			"arguments with the start, stop lost", named(aStart, aTool("0", "t", "f", `{"a":1}`), aReason("tool_use"), aStop),
			`usage(5 1 0 r0 c3) tool_call(0 t f ) finish(tool_calls tool_use) usage(0 4 0 r0 c0) tool_call(0   {"a":1}) meta@ended`, "eof",
		},
		{
			"arguments with the start and as deltas", named(aStart, aTool("0", "t", "f", `{"a":1}`), aArgs("0", `{\"a\":1}`), aEnd("0")),
			`usage(5 1 0 r0 c3) tool_call(0 t f ) tool_call(0   {"a":1}) meta`, "eof",
		},
		{
			"parallel calls, interleaved", named(aStart, aTool("1", "t", "f", "{}"), aTool("2", "u", "g", "{}"), aArgs("1", "{}"), aArgs("2", "[]"), aEnd("1"), aEnd("2")),
			"usage(5 1 0 r0 c3) tool_call(0 t f ) tool_call(1 u g ) tool_call(0   {}) tool_call(1   []) meta meta", "eof",
		},
		{
			"calls that share an index", named(aStart, aTool("0", "t", "f", "{}"), aArgs("0", "{}"), aEnd("0"), aTool("0", "u", "g", "{}"), aArgs("0", "[]"), aEnd("0")),
			"usage(5 1 0 r0 c3) tool_call(0 t f ) tool_call(0   {}) meta tool_call(1 u g ) tool_call(1   []) meta", "eof",
		},
		{
			"calls without an index", named(aStart, `{"type":"content_block_start","content_block":{"type":"tool_use","id":"t","name":"f"}}`,
				`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{}"}}`, `{"type":"content_block_stop"}`,
				`{"type":"content_block_start","content_block":{"type":"tool_use","id":"u","name":"g","input":"[]"}}`, `{"type":"content_block_stop"}`),
			"usage(5 1 0 r0 c3) tool_call(0 t f ) tool_call(0   {}) meta tool_call(1 u g ) tool_call(1   [])", "eof",
		},
		{"the same call started again", named(aStart, aTool("0", "t", "f", "{}"), aTool("0", "t", "f", "{}"), aArgs("0", "{}")), "usage(5 1 0 r0 c3) tool_call(0 t f ) meta tool_call(0   {})", "eof"},
		{"arguments without a start", named(aStart, aArgs("0", "{}"), aReason("tool_use")), "usage(5 1 0 r0 c3) output finish(tool_calls tool_use)@settled usage(0 4 0 r0 c0)", "eof"},
		{
			"blocks that come with the message", named(`{"type":"message_start","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]}}`),
			`tool_call(0 t f {"a":1})`, "eof",
		},

		// Errors inside a 200.
		{
			"error with its padding and id",
			with(`{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}    ,"request_id":"req_1"   }`),
			text + " meta", "reported status=0 type=overloaded_error code= message=Overloaded",
		},
		{"error without an event name", frames(`{"type":"error","error":{"type":"api_error","message":"x"}}`), "", "reported status=0 type=api_error code= message=x"},
		{"error without a type", "event: error\ndata: {\"error\":{\"type\":\"api_error\",\"message\":\"x\"}}\n\n", "", "reported status=0 type=api_error code= message=x"},
		{"error in an error", frames(`{"type":"error","error":{"type":"error","error":{"type":"rate_limit_error","message":"x"}}}`), "", "reported status=0 type=rate_limit_error code= message=x"},
		{"error without an envelope", frames(`{"type":"overloaded_error","message":"x"}`), "", "reported status=0 type=overloaded_error code= message=x"},
		{"error of a gateway", frames(`{"error":{"message":"x","code":502}}`), "", "reported status=502 type= code=502 message=x"},
		{"error as a string", frames(`{"error":"x"}`), "", "reported status=0 type= code= message=x"},
		{"detail", "event: message\n" + frames(`{"detail":"x"}`), "", "reported status=0 type= code= message=x"},
		{"error beside an event", frames(`{"type":"message_delta","delta":{},"error":{"type":"api_error","message":"x"}}`), "", "reported status=0 type=api_error code= message=x"},
		{"error in words", "event: error\ndata: it broke\n\n", "", "reported status=0 type= code= message=it broke"},
		{"error without data", "event: error\n\n", "", "reported status=0 type= code= message="},
		{"error in a list", frames(`[{"type":"error","error":{"type":"api_error","message":"x"}}]`), "", "reported status=0 type=api_error code= message=x"},
		{"error field", "error: {\"code\":400,\"message\":\"x\"}\n\n", "", "reported status=400 type= code=400 message=x"},
		{"error after the stop reason", with(aReason("end_turn"), `{"type":"error","error":{"type":"api_error","message":"x"}}`), text + " meta" + finish, "reported status=0 type=api_error code= message=x"},
		{"error document", `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`, "", "reported status=0 type=overloaded_error code= message=x"},

		// What cannot be read.
		{"no JSON", named(aStart) + "data: {\"type\":\"cont}\n\n", "usage(5 1 0 r0 c3)", "unparseable status=0 type= code= message="},
		{"another value", frames("17"), "", "unparseable status=0 type= code= message="},
		{"page", "<html>busy</html>", "", "not_a_stream status=0 type= code= message="},

		// An answer that is not streamed.
		{
			"not streamed", `{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}},` +
				`{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"},{"type":"server_tool_use","id":"s"},{"type":"tool_use","id":"u","name":"g","input":{}}],` +
				`"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":4}}`,
			`reasoning(hm) text(Hi) tool_call(0 t f {"a":1}) tool_call(1 u g ) output finish(tool_calls tool_use)@settled usage(5 4 0 r0 c0)@ended`, "eof",
		},
		{"not streamed, no usage", `{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}`, "text(Hi) finish(stop end_turn)@ended", "eof"},
		{"not streamed, cut", `{"type":"message","content":[{"type":"text","te`, "", "cut status=0 type= code= message="},
		{"not streamed, unfinished", `{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":null}`, "text(Hi)", "eof"},
		{"the whole message repeated", named(aStart, aHi, `{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}`), "usage(5 1 0 r0 c3) text(Hi) finish(stop end_turn)@ended", "eof"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireSaid(t, MustByName("anthropic"), tt.body, tt.want, tt.end) })
	}
}

func TestAnthropicTooManyBlocks(t *testing.T) {
	var b strings.Builder
	b.WriteString(named(aStart))
	for range maxAnthropicBlocks + 1 {
		b.WriteString(named(`{"type":"content_block_start","content_block":{"type":"text"}}`))
	}
	err := hear(MustByName("anthropic").Stream(bodyOf(b.String()), Options{})).end
	require.Equal(t, "unparseable status=0 type= code= message=", ending(err))
}

func TestSignAnthropic(t *testing.T) {
	for body, want := range map[string]string{
		named(aStart): "anthropic", named(aHi): "anthropic", named(aPing): "anthropic", named(aStop): "anthropic",
		frames(`{"type":"error","error":{"type":"overloaded_error","message":"x"},"request_id":"r"}`): "anthropic",
		`{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}`:        "anthropic",

		frames(delta(`"content":"Hi"`)):                                       "",
		frames(`{"error":{"type":"api_error","message":"x"}}`):                "",
		frames(`{"type":"error","error":{"type":"x","code":"y"}}`):            "",
		frames(`{"type":"error","sequence_number":2,"error":{"type":"x"}}`):   "",
		frames(`{"type":"message-start","id":"x"}`):                           "",
		frames(`{"type":"message","content":"x"}`):                            "",
		frames(`{"type":"ping","cost":"0"}`):                                  "",
		frames(`["message_start"]`):                                           "",
		named(`{"type":"response.created","response":{}}`):                    "",
		frames(`{"candidates":[{"content":{"parts":[{"text":"message_start"`): "",
	} {
		require.Equal(t, want, signed(body, new(sse), signAnthropic), body)
	}
}
