package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	rCreated  = `{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress","error":null,"usage":null,"output":[]}}`
	rProgress = `{"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_1","status":"in_progress","error":null,"output":[]}}`
	rMessage  = `{"type":"response.output_item.added","output_index":0,"item":{"id":"m_1","type":"message","status":"in_progress","content":[],"role":"assistant"}}`
	rPart     = `{"type":"response.content_part.added","item_id":"m_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`
	rHi       = `{"type":"response.output_text.delta","item_id":"m_1","output_index":0,"content_index":0,"delta":"Hi","logprobs":[],"obfuscation":"x"}`
	rTextDone = `{"type":"response.output_text.done","item_id":"m_1","output_index":0,"content_index":0,"text":"Hi"}`
	rPartDone = `{"type":"response.content_part.done","item_id":"m_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hi"}}`
	rItemDone = `{"type":"response.output_item.done","output_index":0,"item":` + rHiItem + `}`
	rHiItem   = `{"id":"m_1","type":"message","status":"completed","content":[{"type":"output_text","text":"Hi"}],"role":"assistant"}`
	rUsage    = `"usage":{"input_tokens":5,"input_tokens_details":{"cached_tokens":3},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":7}`
	rFinished = " finish(stop completed)@settled usage(5 2 7 r1 c3)@ended"
)

// rFinal is the last event, with that status, those members and those items.
func rFinal(status, members, items string) string {
	return `{"type":"response.` + status + `","response":{"id":"resp_1","object":"response","status":"` + status + `",` + members +
		`"error":null,"output":[` + items + `],` + rUsage + `}}`
}

func rItem(event, index, item string) string {
	return `{"type":"response.output_item.` + event + `","output_index":` + index + `,"item":` + item + `}`
}

func rCall(id, call, name, args string) string {
	return `{"id":"` + id + `","type":"function_call","status":"in_progress","call_id":"` + call + `","name":"` + name + `","arguments":"` + args + `"}`
}

func rArgs(index, id, piece string) string {
	return `{"type":"response.function_call_arguments.delta","output_index":` + index + `,"item_id":"` + id + `","delta":"` + piece + `"}`
}

func rArgsDone(index, id, args string) string {
	return `{"type":"response.function_call_arguments.done","output_index":` + index + `,"item_id":"` + id + `","arguments":"` + args + `"}`
}

func rDelta(kind, index, text string) string {
	return `{"type":"response.` + kind + `.delta","output_index":` + index + `,"delta":"` + text + `"}`
}

func TestResponses(t *testing.T) {
	completed := rFinal("completed", "", rHiItem)
	tests := []struct {
		name string
		body string
		want string
		end  string
	}{
		// How an answer ends.
		{
			"whole", named(rCreated, rProgress, rMessage, rPart, rHi, rTextDone, rPartDone, rItemDone, completed),
			"meta meta meta meta text(Hi) meta meta meta" + rFinished, "eof",
		},
		{"sentinel added", named(rHi, completed) + frames(done), "text(Hi)" + rFinished + " meta", "eof"},
		{"sentinel after a cut", named(rHi, rItemDone) + frames(done), "text(Hi) meta meta", "eof"},
		{"last frame without blank line", named(rHi) + "data: " + completed, "text(Hi)" + rFinished, "eof"},
		{"lifecycle only", named(rCreated, rProgress), "meta meta", "eof"},
		{"cut after the last item", named(rHi, rTextDone, rItemDone), "text(Hi) meta meta", "eof"},
		{"cut inside the final response", named(rHi) + "event: response.completed\ndata: {\"type\":\"response.comp", "text(Hi)", "cut status=0 type= code= message="},
		{"types without event names", frames(rHi, completed), "text(Hi)" + rFinished, "eof"},
		{"event names without types", "event: response.output_text.delta\ndata: {\"delta\":\"Hi\"}\n\nevent: response.completed\ndata: {\"response\":{}}\n\n", "text(Hi) finish(stop completed)@ended", "eof"},
		{"final response without a status", named(rHi, `{"type":"response.completed","response":{"output":[]}}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"final response with a stale status", named(rHi, `{"type":"response.completed","response":{"status":"in_progress"}}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"final response missing", named(rHi, `{"type":"response.completed"}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"done with a status", named(rHi, `{"type":"response.done","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`), "text(Hi) finish(length incomplete)@ended", "eof"},

		// How it finished.
		{"token limit", named(rHi, rFinal("incomplete", `"incomplete_details":{"reason":"max_output_tokens"},`, "")), "text(Hi) finish(length incomplete)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"content filter", named(rFinal("incomplete", `"incomplete_details":{"reason":"content_filter"},`, "")), "finish(filter incomplete)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"incomplete for an unknown reason", named(rFinal("incomplete", `"incomplete_details":{"reason":"tired"},`, "")), "finish(unknown incomplete)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"incomplete inside completed", named(rHi, `{"type":"response.completed","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`), "text(Hi) finish(length incomplete)@ended", "eof"},
		{"unknown status", named(rHi, `{"type":"response.completed","response":{"status":"tired"}}`), "text(Hi) finish(unknown tired)@ended", "eof"},
		{"cancelled", named(rHi, rFinal("cancelled", "", "")), "text(Hi)", "reported status=0 type= code=cancelled message="},
		{
			"refusal", named(rDelta("refusal", "0", "No"), `{"type":"response.refusal.done","output_index":0,"refusal":"No"}`,
				rFinal("completed", "", `{"type":"message","content":[{"type":"refusal","refusal":"No"}]}`)),
			"refusal(No) meta finish(filter completed)@settled usage(5 2 7 r1 c3)@ended", "eof",
		},

		// Signs of life.
		{"keep-alives", named(`{"type":"keepalive","sequence_number":3}`, rHi, `{"type":"ping"}`) + ": ping\n\n", "keep_alive text(Hi) keep_alive keep_alive", "eof"},
		{"queued", named(`{"type":"response.queued","response":{"status":"queued"}}`), "meta", "eof"},
		{"unknown events", named(`{"type":"response.new_thing","delta":"x"}`, `{"type":"other.delta","message":"m"}`, `{"type":"codex.rate_limits","status":429}`), "meta meta meta", "eof"},
		{"annotation", named(rHi, `{"type":"response.output_text.annotation.added","output_index":0,"annotation":{"url":"u"}}`), "text(Hi) meta", "eof"},
		{"values that say nothing", frames("null", "{}", `""`, "[]"), "meta meta meta meta", "eof"},
		{"ids that change with every event", named(rCreated, strings.ReplaceAll(rProgress, "resp_1", "resp_2"), rHi, strings.ReplaceAll(rItemDone, "m_1", "m_2")), "meta meta text(Hi) meta", "eof"},

		// Order.
		{"the same response again", named(rCreated, rHi, rCreated), "meta text(Hi) meta", "eof"},
		{"another response before output", named(rCreated, strings.ReplaceAll(rCreated, "resp_1", "resp_2"), rHi), "meta meta text(Hi)", "eof"},
		{"another response", named(rCreated, rHi, strings.ReplaceAll(rCreated, "resp_1", "resp_2")), "meta text(Hi)", "spliced status=0 type= code= message="},

		// Text that is repeated, and text that is said once only.
		{"only text.done", named(rTextDone, rPartDone, rItemDone, completed), "text(Hi) meta meta" + rFinished, "eof"},
		{"only part.done", named(rPartDone, rItemDone, completed), "text(Hi) meta" + rFinished, "eof"},
		{"only item.done", named(rItemDone, completed), "text(Hi)" + rFinished, "eof"},
		{"only the final response", named(rCreated, completed), "meta text(Hi)" + rFinished, "eof"},
		{"only output_text", named(`{"type":"response.completed","response":{"status":"completed","output_text":"Hi","output":[]}}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"output_text repeated", named(rHi, `{"type":"response.completed","response":{"status":"completed","output_text":"Hi","output":[]}}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"content as a string", named(rItem("done", "0", `{"type":"message","content":"Hi"}`)), "text(Hi)", "eof"},
		{"no indices, repeated", named(`{"type":"response.output_text.delta","delta":"Hi"}`, rTextDone, rPartDone, rItemDone, completed), "text(Hi) meta meta meta" + rFinished, "eof"},
		{
			"no indices, two items", named(`{"type":"response.output_item.done","item":`+rHiItem+`}`, `{"type":"response.output_item.done","item":`+strings.ReplaceAll(rHiItem, "m_1", "m_2")+`}`),
			"text(Hi) text(Hi)", "eof",
		},
		{
			"two parts, the second without deltas", named(rHi, rTextDone, `{"type":"response.output_text.done","output_index":0,"content_index":1,"text":"B"}`,
				rItem("done", "0", `{"type":"message","content":[{"type":"output_text","text":"Hi"},{"type":"output_text","text":"B"}]}`)),
			"text(Hi) meta text(B) meta", "eof",
		},
		{"two parts in an item that is done", named(rItem("done", "0", `{"type":"message","content":[{"type":"output_text","text":"A"},{"type":"output_text","text":"B"}]}`)), "text(A) text(B)", "eof"},
		{"two items, the second without deltas", named(rHi, rItemDone, rItem("done", "1", `{"type":"message","content":[{"type":"output_text","text":"B"}]}`), completed), "text(Hi) meta text(B)" + rFinished, "eof"},
		{"an index that changes", named(rHi, strings.ReplaceAll(rItemDone, `"output_index":0`, `"output_index":3`)), "text(Hi) meta", "eof"},
		{"empty deltas, then done", named(rDelta("output_text", "0", ""), rTextDone), "meta text(Hi)", "eof"},

		// Reasoning.
		{
			"reasoning, both kinds", named(rDelta("reasoning_summary_text", "0", "S"), rDelta("reasoning_text", "0", "R"),
				`{"type":"response.reasoning_summary_text.done","output_index":0,"text":"S"}`, `{"type":"response.reasoning_text.done","output_index":0,"text":"R"}`,
				`{"type":"response.reasoning_summary_part.done","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"S"}}`,
				rItem("done", "0", `{"type":"reasoning","summary":[{"type":"summary_text","text":"S"}],"content":[{"type":"reasoning_text","text":"R"}]}`),
				rFinal("completed", "", `{"type":"reasoning","summary":[{"type":"summary_text","text":"S"}]}`)),
			"reasoning(S) reasoning(R) meta meta meta meta" + rFinished, "eof",
		},
		{"reasoning, only item.done", named(rItem("done", "0", `{"type":"reasoning","encrypted_content":"x","summary":[{"type":"summary_text","text":"S"}]}`)), "reasoning(S)", "eof"},
		{"reasoning, encrypted only", named(rItem("added", "0", `{"type":"reasoning","summary":[]}`), rItem("done", "0", `{"type":"reasoning","encrypted_content":"x","summary":[]}`)), "meta meta", "eof"},

		// Tool calls.
		{
			"call", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rArgs("0", "fc_1", `{\"a\":`), rArgs("0", "fc_1", "1}"), rArgsDone("0", "fc_1", `{\"a\":1}`),
				rItem("done", "0", rCall("fc_1", "call_1", "f", `{\"a\":1}`)), rFinal("completed", "", rCall("fc_1", "call_1", "f", `{\"a\":1}`))),
			`tool_call(0 call_1 f ) tool_call(0   {"a":) tool_call(0   1}) meta meta finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended`, "eof",
		},
		{"call, arguments in arguments.done only", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rArgsDone("0", "fc_1", "{}"), rItem("done", "0", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f ) tool_call(0   {}) meta", "eof"},
		{"call, arguments in item.done only", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rItem("done", "0", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f ) tool_call(0   {})", "eof"},
		{"call, in item.done only", named(rItem("done", "0", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f {})", "eof"},
		{"call, in the final response only", named(rFinal("completed", "", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f {}) finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"call, arguments in the final response only", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rFinal("completed", "", rHiItem+","+rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f ) text(Hi) tool_call(0   {}) finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"call, arguments with its beginning only", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "{}")), rFinal("completed", "", "")), "tool_call(0 call_1 f ) tool_call(0   {}) finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof"},
		{"call, arguments with its beginning and as deltas", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "{}")), rArgs("0", "fc_1", "{}"), rItem("done", "0", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0 call_1 f ) tool_call(0   {}) meta", "eof"},
		{"call without arguments", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rArgsDone("0", "fc_1", ""), rItem("done", "0", rCall("fc_1", "call_1", "f", ""))), "tool_call(0 call_1 f ) meta meta", "eof"},
		{"call whose beginning was lost", named(rArgs("0", "fc_1", "{}"), rItem("done", "0", rCall("fc_1", "call_1", "f", "{}"))), "tool_call(0   ) tool_call(0   {}) tool_call(0 call_1 f )", "eof"},
		{
			"parallel calls, interleaved", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rItem("added", "1", rCall("fc_2", "call_2", "g", "")),
				rArgs("1", "fc_2", "[]"), rArgs("0", "fc_1", "{}"), rFinal("completed", "", rCall("fc_1", "call_1", "f", "{}")+","+rCall("fc_2", "call_2", "g", "[]"))),
			"tool_call(0 call_1 f ) tool_call(1 call_2 g ) tool_call(1   []) tool_call(0   {}) finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof",
		},
		{
			"calls that share an index", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rItem("added", "0", rCall("fc_2", "call_2", "g", "")),
				rArgs("0", "fc_1", "{}"), rArgs("0", "fc_2", "[]"), rItem("done", "0", rCall("fc_1", "call_1", "f", "{}")), rItem("done", "0", rCall("fc_2", "call_2", "g", "[]"))),
			"tool_call(0 call_1 f ) tool_call(1 call_2 g ) tool_call(0   {}) tool_call(1   []) meta meta", "eof",
		},
		{
			"calls that share an id", named(rItem("added", "0", rCall("", "call_0", "f", "")), rArgs("0", "", "{}"), rItem("added", "1", rCall("", "call_0", "g", "")), rArgs("1", "", "[]")),
			"tool_call(0 call_0 f ) tool_call(0   {}) tool_call(1 call_0 g ) tool_call(1   [])", "eof",
		},
		{
			"ids that change", named(rItem("added", "0", rCall("a", "call_1", "f", "")), rArgs("0", "b", "{}"), rItem("done", "0", rCall("c", "call_1", "f", "{}")), rFinal("completed", "", rCall("d", "call_9", "f", "{}"))),
			"tool_call(0 call_1 f ) tool_call(0   {}) meta finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof",
		},
		{
			"a call that no event brought", named(rItem("added", "0", rCall("fc_1", "call_1", "f", "")), rArgs("0", "fc_1", "{}"), rFinal("completed", "", rCall("fc_1", "call_1", "f", "{}")+","+rCall("fc_2", "call_2", "g", "[]"))),
			"tool_call(0 call_1 f ) tool_call(0   {}) tool_call(1 call_2 g []) finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof",
		},
		{
			"custom call", named(rItem("added", "0", `{"type":"custom_tool_call","id":"c_1","call_id":"call_1","name":"sql","input":""}`), rDelta("custom_tool_call_input", "0", "SELECT"),
				`{"type":"response.custom_tool_call_input.done","output_index":0,"input":"SELECT"}`, rItem("done", "0", `{"type":"custom_tool_call","id":"c_1","call_id":"call_1","name":"sql","input":"SELECT"}`)),
			"tool_call(0 call_1 sql ) tool_call(0   SELECT) meta meta", "eof",
		},
		{"arguments as a value", named(rItem("done", "0", `{"type":"function_call","call_id":"call_1","name":"f","arguments":{"a":1}}`)), `tool_call(0 call_1 f {"a":1})`, "eof"},

		// Other output.
		{
			"hosted tools", named(rItem("added", "0", `{"type":"web_search_call","id":"w"}`), `{"type":"response.web_search_call.searching","output_index":0}`, rItem("done", "0", `{"type":"web_search_call","id":"w"}`),
				rItem("added", "1", `{"type":"code_interpreter_call","id":"c","code":""}`), rDelta("code_interpreter_call_code", "1", "print"), rFinal("completed", "", `{"type":"web_search_call","id":"w"}`)),
			"output meta meta output output" + rFinished, "eof",
		},
		{
			"mcp", named(rItem("added", "0", `{"type":"mcp_list_tools","tools":[]}`), rItem("added", "1", `{"type":"mcp_call","arguments":""}`), rDelta("mcp_call_arguments", "1", "{}"),
				`{"type":"response.mcp_call_arguments.done","output_index":1,"arguments":"{}"}`, rItem("done", "2", `{"type":"mcp_approval_request","arguments":"{}"}`)),
			"meta output output meta output", "eof",
		},
		{"image", named(rItem("added", "0", `{"type":"image_generation_call"}`), `{"type":"response.image_generation_call.partial_image","output_index":0,"partial_image_b64":"eHg="}`), "output output", "eof"},
		{"image in the final response only", named(rFinal("completed", "", `{"type":"image_generation_call","result":"eHg="}`)), "output" + rFinished, "eof"},

		// Errors inside a 200.
		{"error, flat", named(rCreated, `{"type":"error","sequence_number":2,"code":"server_is_overloaded","message":"x","param":null}`), "meta", "reported status=0 type= code=server_is_overloaded message=x"},
		{
			"error, nested, then failed", named(rCreated, `{"type":"error","sequence_number":2,"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"x","param":null}}`,
				`{"type":"response.failed","response":{"status":"failed","error":{"code":"insufficient_quota","message":"y"}}}`),
			"meta", "reported status=0 type=insufficient_quota code=insufficient_quota message=x",
		},
		{"failed", named(rHi, `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"x"}}}`), "text(Hi)", "reported status=0 type= code=rate_limit_exceeded message=x"},
		{"failed without an error", named(`{"type":"response.failed","response":{"status":"failed","error":null}}`), "", "reported status=0 type= code= message="},
		{"failed inside completed", named(`{"type":"response.completed","response":{"status":"failed","error":{"code":"server_error","message":"x"}}}`), "", "reported status=0 type= code=server_error message=x"},
		{"completed with an error", named(`{"type":"response.completed","response":{"status":"completed","error":{"code":"server_error","message":"x"}}}`), "", "reported status=0 type= code=server_error message=x"},
		{"completed with an empty error", named(rHi, `{"type":"response.completed","response":{"status":"completed","error":{}}}`), "text(Hi) finish(stop completed)@ended", "eof"},
		{"response.error", named(`{"type":"response.error","error":{"code":"server_error","message":"x"}}`), "", "reported status=0 type= code=server_error message=x"},
		{"error without an envelope", frames(`{"error":{"message":"x","type":"server_error","code":null}}`), "", "reported status=0 type=server_error code= message=x"},
		{"error as a string", frames(`{"error":"x"}`), "", "reported status=0 type= code= message=x"},
		{"error in words", "event: error\ndata: it broke\n\n", "", "reported status=0 type= code= message=it broke"},
		{"error field", "error: {\"code\":400,\"message\":\"x\"}\n\n", "", "reported status=400 type= code=400 message=x"},
		{"error document", `{"error":{"message":"x","code":"rate_limit_exceeded"}}`, "", "reported status=0 type= code=rate_limit_exceeded message=x"},
		{"error in a list", frames(`[{"error":{"message":"x"}}]`), "", "reported status=0 type= code= message=x"},

		// What cannot be read.
		{"raw control byte in a string", named(rCreated, "{\"type\":\"response.output_text.delta\",\"delta\":\"col\x1b[31m\"}"), "meta", "unparseable status=0 type= code= message="},
		{"another value", frames("17"), "", "unparseable status=0 type= code= message="},
		{"page", "<html>busy</html>", "", "not_a_stream status=0 type= code= message="},

		// An answer that is not streamed.
		{
			"not streamed", `{"id":"resp_1","object":"response","status":"completed","error":null,"text":{"format":{"type":"text"}},"output":[` + rCall("fc_1", "call_1", "f", "{}") + `,` + rHiItem +
				`,{"type":"reasoning","summary":[{"type":"summary_text","text":"S"}]},{"type":"web_search_call"}],` + rUsage + `}`,
			"reasoning(S) text(Hi) tool_call(0 call_1 f {}) output finish(tool_calls completed)@settled usage(5 2 7 r1 c3)@ended", "eof",
		},
		{"not streamed, in progress", `{"object":"response","status":"queued","output":[]}`, "meta", "eof"},
		{"not streamed, failed", `{"object":"response","status":"failed","error":{"code":"server_error","message":"x"},"output":[]}`, "", "reported status=0 type= code=server_error message=x"},
		{"not streamed, cut", `{"object":"response","status":"completed","output":[{"type":"mess`, "", "cut status=0 type= code= message="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireSaid(t, MustByName("responses"), tt.body, tt.want, tt.end) })
	}
}

func TestResponsesTooManyCalls(t *testing.T) {
	var b strings.Builder
	for range maxResponsesCalls + 1 {
		b.WriteString(named(`{"type":"response.output_item.done","item":{"type":"function_call","name":"f"}}`))
	}
	err := hear(MustByName("responses").Stream(bodyOf(b.String()), Options{})).end
	require.Equal(t, "unparseable status=0 type= code= message=", ending(err))
}

func TestSignResponses(t *testing.T) {
	for body, want := range map[string]string{
		named(rCreated): "responses", frames(rHi): "responses",
		named(`{"type":"keepalive","sequence_number":1}`):                      "responses",
		named(`{"type":"error","sequence_number":2,"code":"x","message":"x"}`): "responses",
		`{"object":"response","status":"completed","output":[]}`:               "responses",

		frames(delta(`"content":"Hi"`)): "",
		named(aStart):                   "",
		frames(`{"type":"error","error":{"type":"overloaded_error"}}`): "",
		frames(`{"response":"Hi","p":"xx"}`):                           "",
		frames(`{"type":"responses"}`):                                 "",
		frames(`{"event_type":"response.created"}`):                    "",
		frames(`{"object":"response","status":"completed"}`):           "",
	} {
		require.Equal(t, want, signed(body, new(sse), signResponses), body)
	}
}
