package dialects

import (
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/stretchr/testify/require"
)

// delta is a frame of choice 0 with that delta; finishing is its last one.
func delta(members string) string {
	return `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

func finishing(word string) string {
	return `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"` + word + `"}]}`
}

const done = "[DONE]"

func TestChat(t *testing.T) {
	hi := delta(`"content":"Hi"`)
	tests := []struct {
		name string
		body string
		want string
		end  string
	}{
		// How an answer ends.
		{
			"whole", frames(delta(`"role":"assistant","content":""`), hi, finishing("stop"), done),
			"meta text(Hi) finish(stop stop)@settled meta@ended", "eof",
		},
		{"finish without sentinel", frames(hi, finishing("stop")), "text(Hi) finish(stop stop)@settled", "eof"},
		{"sentinel without finish", frames(hi, done), "text(Hi) meta@ended", "eof"},
		{"cut between frames", frames(hi), "text(Hi)", "eof"},
		{"cut inside a frame", frames(hi) + `data: {"choices":[{"ind`, "text(Hi)", "cut status=0 type= code= message="},
		{"cut inside the sentinel", frames(hi) + `data: [DON`, "text(Hi)", "cut status=0 type= code= message="},
		{"last frame without blank line", frames(hi) + "data: " + finishing("stop"), "text(Hi) finish(stop stop)@settled", "eof"},
		{"sentinel quoted", frames(hi, `"[DONE]"`), "text(Hi) meta@ended", "eof"},
		{"sentinel in lower case", frames(hi, ` [done] `), "text(Hi) meta@ended", "eof"},
		{"sentinel with an event name", frames(hi) + "event: done\ndata: [DONE]\n\n", "text(Hi) meta@ended", "eof"},
		{
			"two choices, the first finishes before the second starts",
			frames(
				`{"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}`,
				`{"choices":[{"index":1,"delta":{"content":"B"},"finish_reason":null}]}`,
				`{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`,
			),
			"text(A) finish(stop stop)@settled text#1(B)@open finish#1(length length)@settled", "eof",
		},
		{
			"annotation after the finish",
			frames(hi, finishing("stop"), `{"id":"","choices":[{"index":0,"finish_reason":null,"content_filter_results":{}}]}`),
			"text(Hi) finish(stop stop)@settled meta", "eof",
		},

		// Finish words.
		{
			"finish is null, empty or the word null",
			frames(`{"choices":[{"delta":{"content":"x"},"finish_reason":"null"}]}`, finishing("")), "text(x) meta", "eof",
		},
		{"unknown word", frames(hi, finishing("banana")), "text(Hi) finish(unknown banana)@settled", "eof"},
		{"text rides with the finish", frames(`{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}`), "text(lo) finish(stop stop)@settled", "eof"},
		{"finish before delta in the frame", frames(`{"choices":[{"finish_reason":"stop","delta":{"content":"lo"},"index":2}]}`), "text#2(lo) finish#2(stop stop)@settled", "eof"},
		{"fault word", frames(hi, finishing("error")), "text(Hi)", "reported status=0 type= code=error message="},
		{"fault word of two", frames(hi, `{"choices":[{"delta":{},"finish_reason":"error","finish_reason":"stop"}]}`), "text(Hi)", "reported status=0 type= code=error message="},
		{"hidden output fault", frames(hi, `{"choices":[{"delta":{"content":""},"finish_reason":"stop","native_finish_reason":"MALFORMED_FUNCTION_CALL"}]}`), "text(Hi)", "bad_output status=0 type= code=MALFORMED_FUNCTION_CALL message="},
		{"native word that is fine", frames(`{"choices":[{"delta":{"content":"x"},"finish_reason":"stop","native_finish_reason":"end_turn"}]}`), "text(x) finish(stop stop)@settled", "eof"},
		{"context used up after text", frames(hi, finishing(contextWord)), "text(Hi) finish(length model_context_window_exceeded)@settled", "eof"},
		{"context used up before any text", frames(finishing(contextWord)), "", "reported status=0 type= code=model_context_window_exceeded message="},

		{"a sentinel behind a message, without a finish word", frames(hi, `{"message":"An invalid response was received from the upstream server"}`, done), "text(Hi) meta meta", "eof"},
		{"a sentinel behind an exception", frames(hi, `{"internalServerException":{"message":"x"}}`, done), "text(Hi) meta meta", "eof"},
		{"a sentinel behind an error in a wrapper", frames(hi, `{"Response":{"Error":{"Code":"X"},"RequestId":"r"}}`, done), "text(Hi) meta meta", "eof"},
		{"a sentinel behind an error code", frames(hi, `{"errcode":1,"errmsg":"x"}`, done), "text(Hi) meta meta", "eof"},
		{"a sentinel behind no error", frames(hi, `{"error":null,"errcode":0,"data":{"error":""}}`, done), "text(Hi) meta meta@ended", "eof"},
		{"a sentinel behind facts", frames(hi, `{"citations":["a"],"search_results":[{"title":"t"}],"data":{"errands":["x"]},"metrics":{"errors":3},"usage_error_margin":0.1}`, done), "text(Hi) meta meta@ended", "eof"},
		{"a sentinel behind a status", frames(hi, `{"message":"queued","status":"processing"}`, `{"type":"status","message":"done"}`, done), "text(Hi) meta meta meta@ended", "eof"},
		{"a message before a finish word", frames(hi, `{"message":"queued"}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, done), "text(Hi) meta finish(stop stop)@settled meta@ended", "eof"},
		{"a field that says that there is no error", "error: false\n\n" + frames(hi, done), "keep_alive text(Hi) meta@ended", "eof"},

		// What a delta holds.
		{"reasoning under three names", frames(delta(`"reasoning_content":"a"`), delta(`"reasoning":"b"`), delta(`"reasoning_text":"c"`)), "reasoning(a) reasoning(b) reasoning(c)", "eof"},
		{"reasoning twice in a delta", frames(delta(`"reasoning":"a","reasoning_content":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]`)), "reasoning(a)", "eof"},
		{"reasoning only in details", frames(delta(`"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.encrypted","data":"x"}]`)), "reasoning(a)", "eof"},
		{"reasoning, text and refusal in the fixed order", frames(delta(`"refusal":"c","content":"b","reasoning":"a"`)), "reasoning(a) text(b) refusal(c)", "eof"},
		{"content as parts", frames(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]},{"type":"text","text":"b"},{"type":"reference","x":1}]`)), "reasoning(a) text(b)", "eof"},
		{"content null", frames(delta(`"content":null`)), "meta", "eof"},
		{"escapes", frames(delta(`"content":"a\"\\\u00e9\ud83d\ude42\n"`)), "text(a\"\\é🙂\n)", "eof"},
		{"bytes that are not UTF-8", frames(delta("\"content\":\"a\xffb\"")), "text(a\xffb)", "eof"},
		{"an image", frames(delta(`"images":[{"type":"image_url"}]`)), "output", "eof"},
		{"no image", frames(delta(`"images":[ ]`)), "meta", "eof"},
		{"audio", frames(delta(`"audio":{"data":"x"}`)), "output", "eof"},

		// Answers in other forms.
		{"legacy completions", frames(`{"object":"text_completion","choices":[{"text":"a","index":0,"finish_reason":null}]}`, `{"choices":[{"text":"b","index":0,"finish_reason":"length"}]}`), "text(a) text(b) finish(length length)@settled", "eof"},
		{"text beside delta counts once", frames(`{"choices":[{"index":0,"text":"a","delta":{"content":"a"}}]}`), "text(a)", "eof"},
		{"message beside delta counts once", frames(`{"choices":[{"index":0,"message":{"content":"ab"},"delta":{"content":"b"}}]}`), "text(b)", "eof"},
		{"message repeated at the end counts once", frames(hi, `{"object":"chat.completion","choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}`), "text(Hi) finish(stop stop)@settled", "eof"},
		{"not streamed", `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"total_tokens":3}}`, "text(Hi) finish(stop stop)@settled usage(0 0 3 r0 c0)", "eof"},
		{"not streamed, over lines", "{\n \"choices\": [\n  {\"message\": {\"content\": \"Hi\"}, \"finish_reason\": \"stop\"}\n ]\n}\n", "text(Hi) finish(stop stop)@settled", "eof"},
		{"Workers AI's own form", frames(`{"response":"a","p":"xyz"}`, `{"response":"","usage":{"prompt_tokens":2}}`, done), "text(a) usage(2 0 0 r0 c0) meta@ended", "eof"},

		// Usage.
		{"usage frame", frames(hi, finishing("stop"), `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":1}}}`), "text(Hi) finish(stop stop)@settled usage(5 2 7 r1 c1)", "eof"},
		{"usage frame without choices", frames(`{"usage":{"total_tokens":3}}`), "usage(0 0 3 r0 c0)", "eof"},
		{"usage null", frames(`{"choices":[],"usage":null}`), "meta", "eof"},
		{"usage in the choice", frames(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"total_tokens":3}}]}`), "finish(stop stop)@settled usage(0 0 3 r0 c0)", "eof"},
		{"usage in x_groq", frames(`{"choices":[],"x_groq":{"id":"r","usage":{"total_tokens":3}}}`), "usage(0 0 3 r0 c0)", "eof"},
		{"usage with absurd numbers", frames(`{"choices":[],"usage":{"total_tokens":-3,"prompt_tokens":1e99,"completion_tokens":"x"}}`), "meta", "eof"},

		// Signs of life.
		{"comments, blank lines, ids", ": ping\n\n\nid: 1\n\n" + frames(hi), "keep_alive keep_alive keep_alive text(Hi)", "eof"},
		{"frames that say nothing", frames(`{}`, `null`, `[]`, `""`, `{"id":"x"}`) + "data:\n\n", "meta meta meta meta meta keep_alive", "eof"},
		{"text outside of the protocol, after a payload", frames(hi) + "upstream error: reset\n", "text(Hi) keep_alive", "eof"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireSaid(t, MustByName("openai"), tt.body, tt.want, tt.end) })
	}
}

func TestChatReportsFaults(t *testing.T) {
	hi := delta(`"content":"Hi"`)
	tests := []struct {
		name string
		body string
		end  string
	}{
		{"error object", frames(`{"error":{"message":"m","type":"server_error","param":null,"code":null}}`), "reported status=0 type=server_error code= message=m"},
		{"error object with a numeric code", frames(`{"error":{"message":"m","code":502}}`), "reported status=502 type= code=502 message=m"},
		{"error object with a numeric string", frames(`{"error":{"message":"m","code":"500","type":"None"}}`), "reported status=500 type= code=500 message=m"},
		{"error object with status_code", frames(`{"error":{"message":"m","type":"t","code":"tool_use_failed","status_code":400}}`), "reported status=400 type=t code=tool_use_failed message=m"},
		{"error string", frames(`{"error":"m"}`), "reported status=0 type= code= message=m"},
		{"error beside choices", frames(`{"error":{"code":"server_error","message":"m"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), "reported status=0 type= code=server_error message=m"},
		{"error beside text", frames(`{"choices":[{"index":0,"delta":{"content":"lost"}}],"error":{"message":"m"}}`), "reported status=0 type= code= message=m"},
		{"error after null", frames(`{"error":null,"error":{"message":"m"}}`), "reported status=0 type= code= message=m"},
		{"error before null", frames(`{"error":{"message":"m"},"error":null}`), "reported status=0 type= code= message=m"},
		{"error with an escaped name", frames(`{"\u0065rror":{"message":"m"}}`), "reported status=0 type= code= message=m"},
		{"error empty and nothing else", frames(`{"error":{}}`), "reported status=0 type= code= message="},
		{"error in the choice", frames(`{"choices":[{"index":0,"error":{"message":"m","code":502}}]}`), "reported status=502 type= code=502 message=m"},
		{"error inside error", frames(`{"error":{"error":{"message":"m","code":"c"}}}`), "reported status=0 type= code=c message=m"},
		{"object is error", frames(`{"object":"error","message":"m","type":"invalid_request_error","code":400}`), "reported status=400 type=invalid_request_error code=400 message=m"},
		{"type is error", frames(`{"type":"error","code":"c","message":"m"}`), "reported status=0 type= code=c message=m"},
		{"detail", frames(`{"detail":"m"}`), "reported status=0 type= code= message=m"},
		{"detail as a list", frames(`{"detail":[{"loc":["body"],"msg":"m"}]}`), `reported status=0 type= code= message=[{"loc":["body"],"msg":"m"}]`},
		{"problem document", frames(`{"type":"urn:x","title":"t","status":500,"detail":"m"}`), "reported status=500 type=urn:x code= message=m"},
		{"Apigee fault", frames(`{"fault":{"faultstring":"m","detail":{"errorcode":"c"}}}`), "reported status=0 type= code=c message=m"},
		{"Cloudflare errors", frames(`{"result":null,"success":false,"errors":[{"code":3040,"message":"m"}],"messages":[]}`), "reported status=0 type= code=3040 message=m"},
		{"MiniMax business error", "{\"base_resp\":{\"status_code\":1008,\"status_msg\":\"m\"}}\n", "reported status=0 type= code=1008 message=m"},
		{"x_groq.error", frames(`{"choices":[{"index":0,"delta":{}}],"x_groq":{"id":"r","error":"m"}}`), "reported status=0 type= code= message=m"},
		{"sentence as code", `{"code":"The service is down","error":"m"}`, "reported status=0 type= code=The service is down message=m"},
		{"flat, with a code", frames(`{"code":"Throttling","message":"m","request_id":"r"}`), "reported status=0 type= code=Throttling message=m"},
		{"flat, with the type of an error", frames(`{"type":"server_error","message":"m"}`), "reported status=0 type=server_error code= message=m"},
		{"in a list", frames(`[{"error":{"message":"m"}}]`), "reported status=0 type= code= message=m"},
		{"event error with JSON", "event: error\ndata: {\"message\":\"m\",\"code\":\"c\"}\n\n", "reported status=0 type= code=c message=m"},
		{"event error with text", "event: error\ndata: m\n\n", "reported status=0 type= code= message=m"},
		{"event error without data", "event: error\n\n", "reported status=0 type= code= message="},
		{"event error with the sentinel", "event: error\ndata: [DONE]\n\n", "reported status=0 type= code= message=[DONE]"},
		{"field named error", "error: {\"code\":400,\"message\":\"m\",\"type\":\"t\"}\n\n", "reported status=400 type=t code=400 message=m"},
		{"text that says it is an error", frames(`error: m`), "reported status=0 type= code= message=error: m"},
		{"text in brackets", frames(`[ERROR] m`), "reported status=0 type= code= message=[ERROR] m"},
		{"bare document", "{\n \"error\": {\n  \"code\": 503,\n  \"message\": \"m\",\n  \"status\": \"UNAVAILABLE\"\n }\n}\n", "reported status=503 type=UNAVAILABLE code=503 message=m"},
		{"bare document without newline", `{"error":"m"}`, "reported status=0 type= code= message=m"},
		{"without the blank line", "data: {\"error\":\"m\"}", "reported status=0 type= code= message=m"},
		{"not JSON", frames(`{"choices":[{"index":0,"delta":{"content":"B`), "unparseable status=0 type= code= message="},
		{"raw control byte in a string", frames("{\"choices\":[{\"delta\":{\"content\":\"\x1b[31m\"}}]}"), "unparseable status=0 type= code= message="},
		{"two documents in one frame", frames(`{"a":1}{"b":2}`), "unparseable status=0 type= code= message="},
		{"a number", frames(`42`), "unparseable status=0 type= code= message="},
		{"a text", frames(`"hello"`), "unparseable status=0 type= code= message="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requireSaid(t, MustByName("openai"), tt.body, "", tt.end)
			// After text, the same: the fault is reported and the text stays.
			requireSaid(t, MustByName("openai"), frames(hi)+tt.body, "text(Hi)", tt.end)
		})
	}
}

func TestChatKnowsAPageFromAStream(t *testing.T) {
	const page = "not_a_stream status=0 type= code= message="
	for name, body := range map[string]string{
		"HTML":                       "<!DOCTYPE html><html></html>",
		"HTML after blanks":          "\r\n  <html>\n</html>",
		"HTML after a mark":          "\xef\xbb\xbf<html>",
		"plain text":                 "unauthorized: token expired\n",
		"half a document, then text": "{\"a\":\nid: 7\n",
	} {
		for way, open := range splits(body) {
			err := hear(MustByName("openai").Stream(open(), Options{})).end
			require.Equal(t, page, ending(err), "%s, %s", name, way)
		}
	}
}

func TestChatDoesNotCryWolf(t *testing.T) {
	tests := []struct {
		name    string
		payload string
	}{
		{"error null", `{"choices":[{"index":0,"delta":{"content":"x"}}],"error":null}`},
		{"error empty, beside choices", `{"choices":[{"index":0,"delta":{"content":"x"}}],"error":{}}`},
		{"error an empty text, beside choices", `{"choices":[{"index":0,"delta":{"content":"x"}}],"error":""}`},
		{"error false", `{"choices":[{"index":0,"delta":{"content":"x"}}],"error":false}`},
		{"prose about errors", `{"choices":[{"index":0,"delta":{"content":"{\"error\":{}}"}}]}`},
		{"base_resp 0", `{"choices":[{"index":0,"delta":{"content":"x"}}],"base_resp":{"status_code":0,"status_msg":""}}`},
		{"errors empty", `{"choices":[{"index":0,"delta":{"content":"x"}}],"errors":[]}`},
		{"errors beside an answer that succeeded", `{"choices":[{"index":0,"delta":{"content":"x"}}],"errors":[{"m":1}],"success":true}`},
		{"code and message beside choices", `{"choices":[{"index":0,"delta":{"content":"x"}}],"code":200,"message":"ok"}`},
		{"detail beside choices", `{"choices":[{"index":0,"delta":{"content":"x"}}],"detail":"high"}`},
		{"status beside choices", `{"choices":[{"index":0,"delta":{"content":"x"}}],"status":500}`},
		{"message without a code", `{"type":"info","message":"loading"}`},
		{"code for success", `{"code":0,"message":"success"}`},
		{"choices null", `{"choices":null,"copilot_references":[]}`},
		{"x_groq without error", `{"choices":[],"x_groq":{"id":"r"}}`},
		{"unknown fields of any type", `{"choices":"x","usage":3,"error":null,"object":7,"type":null,"x":[{"error":1}]}`},
		{"tool arguments that speak of errors", `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"error\":1}"}}]}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := hear(MustByName("openai").Stream(bodyOf(frames(tt.payload)), Options{})).end
			require.Equal(t, "eof", ending(err))
		})
	}
}

func TestChatToolCalls(t *testing.T) {
	call := func(members string) string { return delta(`"tool_calls":[{` + members + `}]`) }
	tests := []struct {
		name string
		body string
		want string
	}{
		{"in pieces", frames(call(`"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}`), call(`"index":0,"function":{"arguments":"{\"x\""}`), call(`"index":0,"function":{"arguments":":1}"}`)), `tool_call(0 a f ) tool_call(0   {"x") tool_call(0   :1})`},
		{"parallel, interleaved", frames(call(`"index":0,"id":"a","function":{"name":"f"}`), call(`"index":1,"id":"b","function":{"name":"g"}`), call(`"index":0,"function":{"arguments":"{}"}`), call(`"index":1,"function":{"arguments":"[]"}`)), "tool_call(0 a f ) tool_call(1 b g ) tool_call(0   {}) tool_call(1   [])"},
		{"two in one frame", frames(delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]`)), "tool_call(0 a f {}) tool_call(1 b g {})"},
		{"no index, whole calls", frames(call(`"id":"a","function":{"name":"f","arguments":"{}"}`), call(`"id":"b","function":{"name":"g","arguments":"{}"}`)), "tool_call(0 a f {}) tool_call(1 b g {})"},
		{"no index, continued", frames(call(`"id":"a","function":{"name":"f"}`), call(`"function":{"arguments":"{}"}`)), "tool_call(0 a f ) tool_call(0   {})"},
		{"index inside the function", frames(call(`"id":"a","function":{"index":3,"name":"f","arguments":"{}"}`)), "tool_call(3 a f {})"},
		{"index null", frames(call(`"index":null,"id":"a","function":{"name":"f","arguments":"{}"}`)), "tool_call(0 a f {})"},
		{"index repeated with another id", frames(call(`"index":0,"id":"a","function":{"name":"f","arguments":"{}"}`), call(`"index":0,"id":"b","function":{"name":"f","arguments":"{"}`), call(`"index":0,"function":{"arguments":"}"}`)), "tool_call(0 a f {}) tool_call(1 b f {) tool_call(1   })"},
		{"id empty in continuations", frames(call(`"index":0,"id":"a","function":{"name":"f"}`), call(`"index":0,"id":"","type":"function","function":{"arguments":"{}"}`)), "tool_call(0 a f ) tool_call(0   {})"},
		{"name repeated", frames(call(`"index":0,"id":"a","function":{"name":"f","arguments":"{"}`), call(`"index":0,"function":{"name":"f","arguments":"}"}`)), "tool_call(0 a f {) tool_call(0  f })"},
		{"arguments as an object", frames(call(`"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}`)), `tool_call(0 a f {"x":1})`},
		{"arguments absent", frames(call(`"index":0,"id":"a","function":{"name":"f"}`)), "tool_call(0 a f )"},
		{"legacy function_call", frames(delta(`"function_call":{"name":"f","arguments":"{"}`), delta(`"function_call":{"arguments":"}"}`)), "tool_call(0  f {) tool_call(0   })"},
		{"null and empty lists", frames(delta(`"tool_calls":null`), delta(`"tool_calls":[]`)), "meta meta"},
		{"elements that are no objects", frames(delta(`"tool_calls":[null,7]`)), "meta"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireSaid(t, MustByName("openai"), tt.body, tt.want, "eof") })
	}
}

func TestChatConfigAddsWords(t *testing.T) {
	d := Chat(ChatConfig{Name: "mine", Finish: map[string]endwell.Finish{"finished": endwell.FinishStop}})
	requireSaid(t, d, frames(finishing("finished")), "finish(stop finished)@settled", "eof")
	requireSaid(t, MustByName("openai"), frames(finishing("finished")), "finish(unknown finished)@settled", "eof")
	require.Panics(t, func() { Chat(ChatConfig{}) })
}

func TestFreeTextIsNoJSON(t *testing.T) {
	tests := []struct {
		name, dialect, body string
	}{
		{"chat", "openai", frames(
			delta(`"tool_calls":[{"index":0,"id":"t","type":"custom","custom":{"name":"grep","input":"[^\"]"}}]`), finishing("tool_calls"), done,
		)},
		{"responses, in deltas", "responses", frames(
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","id":"i","call_id":"c","name":"grep","input":""}}`,
			`{"type":"response.custom_tool_call_input.delta","output_index":0,"item_id":"i","delta":"[^\"]"}`,
			`{"type":"response.completed","response":{"status":"completed","output":[]}}`,
		)},
		{"responses, item lost", "responses", frames(
			`{"type":"response.custom_tool_call_input.done","output_index":0,"item_id":"i","input":"[^\"]"}`,
			`{"type":"response.completed","response":{"status":"completed","output":[]}}`,
		)},
		{"responses, at the end only", "responses", frames(
			`{"type":"response.completed","response":{"status":"completed","output":[{"type":"custom_tool_call","id":"i","call_id":"c","name":"grep","input":"[^\"]"}]}}`,
		)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := MustByName(tt.dialect).Stream(bodyOf(tt.body), Options{})
			tr, err := endwell.Collect(st)
			require.NoError(t, err)
			require.Len(t, tr.ToolCalls, 1)
			require.Equal(t, `[^"]`, tr.ToolCalls[0].Arguments)
			require.True(t, tr.ToolCalls[0].FreeText)
			require.False(t, tr.ToolCalls[0].Incomplete)
		})
	}
}
