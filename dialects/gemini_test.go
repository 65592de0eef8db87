package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// geminiText is a frame with text of candidate 0.
func geminiText(text string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[{"text":"` + text + `"}]},"index":0}]}`
}

// geminiStop is a frame with a finish word and no content.
func geminiStop(word string) string {
	return `{"candidates":[{"content":{"role":"model"},"finishReason":"` + word + `","index":0}]}`
}

// geminiParts is a frame with parts of candidate 0 and more members of it.
func geminiParts(parts, more string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `]}` + more + `}]}`
}

// geminiOf is geminiText with the answer's id.
func geminiOf(id, text string) string {
	return `{"responseId":"` + id + `",` + geminiText(text)[1:]
}

const geminiBusy = `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`

const geminiBusySaid = "reported status=503 type=UNAVAILABLE code=503 message=The model is overloaded."

func TestGemini(t *testing.T) {
	for _, tt := range []struct{ name, body, want, end string }{
		// The terminal.
		{
			"finish on the last text", frames(geminiText("a"), geminiParts(`{"text":"b"}`, `,"finishReason":"STOP"`)),
			"text(a) text(b) finish(stop STOP)@may_end", "eof",
		},
		{
			"finish on an empty text", frames(geminiText("a"), geminiParts(`{"text":""}`, `,"finishReason":"STOP"`)),
			"text(a) finish(stop STOP)@may_end", "eof",
		},
		{
			"finish on a signature", frames(geminiText("a"), geminiParts(`{"text":"","thoughtSignature":"c2ln"}`, `,"finishReason":"STOP"`)),
			"text(a) finish(stop STOP)@may_end", "eof",
		},
		{"finish without parts", frames(geminiText("a"), geminiStop("STOP")), "text(a) finish(stop STOP)@may_end", "eof"},
		{
			"finish without content", frames(geminiText("a"), `{"candidates":[{"finishReason":"STOP"}]}`),
			"text(a) finish(stop STOP)@may_end", "eof",
		},
		{"no finish", frames(geminiText("a")), "text(a)", "eof"},
		{
			"finish on every frame", frames(geminiParts(`{"text":"a"}`, `,"finishReason":"STOP"`), geminiParts(`{"text":"b"}`, `,"finishReason":"STOP"`)),
			"text(a) finish(stop STOP)@may_end text(b) finish(stop STOP)", "eof",
		},
		{
			"finish before the text", frames(geminiStop("STOP"), geminiText("a")),
			"finish(stop STOP)@may_end text(a)", "eof",
		},
		{
			"one of two candidates finished", frames(`{"candidates":[{"index":0,"finishReason":"STOP"},{"index":1,"content":{"parts":[{"text":"b"}]}}]}`),
			"finish(stop STOP)@may_end text#1(b)@open", "eof",
		},
		{
			"index after the content", frames(
				`{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":0,"finishReason":"STOP"}]}`,
				`{"candidates":[{"content":{"parts":[{"text":"b"}]},"index":1}]}`,
				`{"candidates":[{"finishReason":"MAX_TOKENS","index":1}]}`,
			),
			"text(a) finish(stop STOP)@may_end text#1(b)@open finish#1(length MAX_TOKENS)@may_end", "eof",
		},
		{
			"usage after the finish", frames(geminiStop("STOP"), `{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":12,"thoughtsTokenCount":5,"cachedContentTokenCount":2}}`),
			"finish(stop STOP)@may_end usage(3 4 12 r5 c2)", "eof",
		},
		{
			"usage without counts", frames(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"trafficType":"ON_DEMAND"}}`),
			"text(a)", "eof",
		},
		{"last event without its blank line", "data: " + geminiStop("STOP"), "finish(stop STOP)@may_end", "eof"},
		{"half a frame", frames(geminiText("a"), geminiStop("STOP")) + `data: {"usageMeta`, "text(a) finish(stop STOP)@may_end", "cut status=0 type= code= message="},

		// The sentinel of gateways.
		{"sentinel after the finish", frames(geminiStop("STOP"), "[DONE]"), "finish(stop STOP)@may_end meta@ended", "eof"},
		{"sentinel without a finish", frames(geminiText("a"), "[DONE]"), "text(a) meta", "eof"},
		{"half a sentinel after the finish", frames(geminiStop("STOP")) + "data: [DO", "finish(stop STOP)@may_end meta", "eof"},
		{"half a sentinel without a finish", frames(geminiText("a")) + "data: [DO", "text(a)", "cut status=0 type= code= message="},

		// Finish words.
		{"token limit", frames(geminiStop("MAX_TOKENS")), "finish(length MAX_TOKENS)@may_end", "eof"},
		{"safety", frames(geminiStop("SAFETY")), "finish(filter SAFETY)@may_end", "eof"},
		{"images", frames(geminiStop("IMAGE_RECITATION")), "finish(filter IMAGE_RECITATION)@may_end", "eof"},
		{"other is not stop", frames(geminiStop("OTHER")), "finish(unknown OTHER)@may_end", "eof"},
		{"a new word is no fault", frames(geminiStop("NEW_WORD")), "finish(unknown NEW_WORD)@may_end", "eof"},
		{"the unused zero is not finished", frames(geminiStop("FINISH_REASON_UNSPECIFIED")), "meta", "eof"},
		{"null is not finished", frames(`{"candidates":[{"finishReason":null}]}`), "meta", "eof"},
		{"empty is not finished", frames(geminiStop("")), "meta", "eof"},
		{"the word null is not finished", frames(geminiStop("null")), "meta", "eof"},
		{"a translated word", frames(geminiStop("length")), "finish(length length)@may_end", "eof"},
		{"the enum's number", frames(`{"candidates":[{"finishReason":1}]}`), "finish(unknown 1)@may_end", "eof"},
		{"the enum's zero", frames(`{"candidates":[{"finishReason":0}]}`), "meta", "eof"},
		{
			"malformed call", frames(`{"candidates":[{"content":{"parts":[]},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"No input."}],"usageMetadata":{"promptTokenCount":3}}`),
			"", "bad_output status=0 type= code=MALFORMED_FUNCTION_CALL message=No input.",
		},
		{"unexpected call", frames(geminiText("a"), geminiStop("UNEXPECTED_TOOL_CALL")), "text(a)", "bad_output status=0 type= code=UNEXPECTED_TOOL_CALL message="},
		{"missing signature", frames(geminiStop("MISSING_THOUGHT_SIGNATURE")), "", "reported status=0 type= code=MISSING_THOUGHT_SIGNATURE message="},
		{
			"a message beside STOP", frames(`{"candidates":[{"finishReason":"STOP","finishMessage":"Model generated function call(s)."}]}`),
			"finish(stop STOP)@may_end", "eof",
		},
		{"a blocked prompt", frames(`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":7}}`), "finish(filter SAFETY)@may_end usage(7 0 0 r0 c0)", "eof"},
		{"blocked on the way", frames(geminiText("a"), `{"promptFeedback":{"blockReason":"OTHER"}}`), "text(a) finish(filter OTHER)@may_end", "eof"},
		{"feedback without a block", frames(`{"promptFeedback":{"safetyRatings":[]}}`, geminiText("a")), "meta text(a)", "eof"},
		{"the unused zero of a block", frames(`{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}}`), "meta", "eof"},
		{
			"a block beside candidates", frames(`{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`),
			"text(a)", "eof",
		},

		// Errors in the body.
		{"error frame", frames(geminiText("a"), geminiBusy), "text(a)", geminiBusySaid},
		{"error after the finish", frames(geminiText("a"), geminiStop("STOP"), geminiBusy), "text(a) finish(stop STOP)@may_end", geminiBusySaid},
		{"error beside candidates", frames(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), "", geminiBusySaid},
		{"bare error over several lines", frames(geminiText("a")) + strings.ReplaceAll(geminiBusy, ",", ",\n  ") + "\n", "text(a)", geminiBusySaid},
		{"bare error on one line", geminiBusy, "", geminiBusySaid},
		{"bare error in a list, on the way", frames(geminiText("a")) + "[" + strings.ReplaceAll(geminiBusy, ",", ",\n") + "\n]\n", "text(a)", geminiBusySaid},
		{"error in a list, as event", frames(geminiText("a"), "["+geminiBusy+"]"), "text(a)", geminiBusySaid},
		{"error in a list, as body", "[" + geminiBusy + "]", "", geminiBusySaid},
		{"error with doubled commas", frames(geminiText("a")) + strings.ReplaceAll(geminiBusy, ",", ",\n,") + "\n", "text(a)", geminiBusySaid},
		{"half a bare error", frames(geminiText("a")) + "{\n  \"error\": {\n", "text(a)", "cut status=0 type= code= message="},
		{"event named error", "event: error\ndata: " + geminiBusy + "\n\n", "", geminiBusySaid},
		{"field named error", "error: {\"code\":503}\n\n", "", "reported status=503 type= code=503 message="},
		{"error of a gateway", frames(`{"detail":"upstream is gone"}`), "", "reported status=0 type= code= message=upstream is gone"},
		{"error in Code Assist's wrapper", frames(`{"response":` + geminiBusy + `}`), "", geminiBusySaid},
		{
			"details", frames(`{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}`),
			"", "reported status=429 type=RESOURCE_EXHAUSTED code=429 message=m",
		},
		{"null error", frames(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"error":null}`), "text(a)", "eof"},
		{"empty error beside candidates", frames(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"error":{}}`), "text(a)", "eof"},
		{"prose about errors", frames(geminiText(`{\"error\":{\"code\":503}}`)), `text({"error":{"code":503}})`, "eof"},
		{"not JSON", frames(geminiText("a"), "{what}"), "text(a)", "unparseable status=0 type= code= message="},
		{"a string as payload", frames(`"error"`), "", "unparseable status=0 type= code= message="},
		{"nothing as payload", frames("null", "[]", `""`, "false", "{}", "[null]"), "meta meta meta meta meta meta", "eof"},
		{"chunks in a list", frames("[" + geminiText("a") + "," + geminiStop("STOP") + "]"), "text(a) finish(stop STOP)@may_end", "eof"},
		{"a page", "<html></html>", "", "not_a_stream status=0 type= code= message="},

		// Order and kinds.
		{"Code Assist", frames(`{"response":`+geminiText("a")+`,"traceId":"t"}`, `{"response":`+geminiStop("STOP")+`}`), "text(a) finish(stop STOP)@may_end", "eof"},
		{"thoughts", frames(geminiParts(`{"text":"answer"},{"text":"think","thought":true}`, "")), "reasoning(think) text(answer)", "eof"},
		{"an image of a thought", frames(geminiParts(`{"thought":true,"inlineData":{"mimeType":"image/png","data":"AA=="}}`, "")), "meta", "eof"},
		{"an image", frames(geminiParts(`{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"text":"a"}`, "")), "text(a) output", "eof"},
		{"code and its result", frames(geminiParts(`{"executableCode":{"code":"1"}},{"text":""}`, ""), geminiParts(`{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}`, "")), "output output", "eof"},
		{"a part of an unknown kind", frames(geminiParts(`{"hologram":{}}`, `,"newField":1`)), "meta", "eof"},
		{"no candidates", frames(`{"candidates":[],"modelVersion":"m"}`), "meta", "eof"},
		{"candidates are null", frames(`{"candidates":null,"usageMetadata":{}}`), "meta", "eof"},
		{"comments and blank lines", ": hi\n\n\n" + frames(geminiText("a")) + ": hi\n\n", "keep_alive keep_alive text(a) keep_alive", "eof"},
		{"byte order mark", "\xef\xbb\xbf" + frames(geminiText("a")), "text(a)", "eof"},
		{"blank lines first", "\r\n \n" + frames(geminiText("a")), "keep_alive keep_alive text(a)", "eof"},
		{"a body that is not streamed", "{\n  \"candidates\": [\n    {\"content\": {\"parts\": [{\"text\": \"a\"}]},\n\n \"finishReason\": \"STOP\"}\n  ]\n}\n", "text(a) finish(stop STOP)@may_end", "eof"},

		// Two answers.
		{
			"two answers in one", frames(geminiOf("r1", "a"), geminiOf("r1", "b"), geminiOf("r2", "a")),
			"text(a) text(b)", "spliced status=0 type= code= message=",
		},
		{
			"two answers in one, the first of a single frame", frames(geminiOf("r1", "a"), geminiOf("r2", "a"), geminiOf("r2", "b")),
			"text(a) text(a)", "spliced status=0 type= code= message=",
		},
		{"an id for each frame", frames(geminiOf("r1", "a"), geminiOf("r2", "b"), geminiOf("r3", "c")), "text(a) text(b) text(c)", "eof"},
		{"an earlier answer that said nothing", frames(geminiOf("r1", ""), geminiOf("r1", ""), geminiOf("r2", "a"), geminiOf("r2", "b")), "meta meta text(a) text(b)", "eof"},
		{
			"an answer that a gateway goes on with", frames(geminiOf("r1", "a"), geminiOf("r1", "b"), `{"responseId":"r1","usageMetadata":{"promptTokenCount":5}}`,
				`{"responseId":"r2","usageMetadata":{"promptTokenCount":9}}`, geminiOf("r2", "c")),
			"text(a) text(b) usage(5 0 0 r0 c0) usage(9 0 0 r0 c0) text(c)", "eof",
		},
		{"an id that is missing", frames(geminiOf("r1", "a"), geminiText("b"), geminiOf("r1", "c")), "text(a) text(b) text(c)", "eof"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requireSaid(t, MustByName("gemini"), tt.body, tt.want, tt.end)
		})
	}
}

// TestGeminiEnds holds how answers end above the standard stack.
func TestGeminiEnds(t *testing.T) {
	text, stop := geminiText("a"), geminiStop("STOP")
	for _, tt := range []struct {
		name, body, fault string
		category          endwell.Category
	}{
		{"whole", frames(text, stop), "whole", 0},
		{"no finish", frames(text), "truncated", endwell.MalformedResponse},
		{"a sentinel instead", frames(text, "[DONE]"), "truncated", endwell.MalformedResponse},
		{"other", frames(text, geminiStop("OTHER")), "whole", 0},
		{"a blocked prompt", frames(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`), "empty", endwell.ContentBlocked},
		{"a blocked answer", frames(geminiStop("SAFETY")), "empty", endwell.ContentBlocked},
		{"thoughts used up the limit", frames(geminiStop("MAX_TOKENS")), "empty", endwell.RequestInvalid},
		{"stop without parts", frames(stop), "empty", endwell.MalformedResponse},
		{"thoughts only", frames(geminiParts(`{"text":"hm","thought":true}`, ""), stop), "empty", endwell.MalformedResponse},
		{"a call only", frames(geminiParts(`{"functionCall":{"name":"f"}}`, ""), stop), "whole", 0},
		{"an image only", frames(geminiParts(`{"inlineData":{"data":"AA=="}}`, ""), stop), "whole", 0},
		{"malformed call", frames(text, geminiStop("MALFORMED_FUNCTION_CALL")), "faulted", endwell.MalformedResponse},
		{"missing signature", frames(geminiStop("MISSING_THOUGHT_SIGNATURE")), "faulted", endwell.RequestInvalid},
		{"overload on the way", frames(text, geminiBusy), "faulted", endwell.Overloaded},
		{"a call that is cut", frames(geminiParts(`{"functionCall":{"name":"f","willContinue":true}}`, ""), stop), "truncated", endwell.MalformedResponse},
		{"a call cut at the token limit", frames(geminiParts(`{"functionCall":{"name":"f","willContinue":true}}`, ""), geminiStop("MAX_TOKENS")), "whole", 0},
		{"an array", "[" + text + ",\r\n" + stop + "]", "whole", 0},
		{"an array without its bracket", "[" + text + ",\r\n" + stop + "\n", "truncated", endwell.MalformedResponse},
		{"an array without a finish", "[" + text + "]", "truncated", endwell.MalformedResponse},
		{"an empty array", "[]", "empty", endwell.MalformedResponse},
		{"nothing", "", "empty", endwell.MalformedResponse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := judge(t, MustByName("gemini"), bodyOf(tt.body))
			require.Equal(t, tt.fault, v.fault)
			if v.err != nil {
				require.Equal(t, tt.category, v.err.Category)
			}
		})
	}
}

func TestGeminiRefusal(t *testing.T) {
	body := `[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]`
	ev := MustByName("gemini").Refusal(400, nil, []byte(body))
	require.Equal(t, "API_KEY_INVALID", ev.Reason)
	require.Equal(t, "INVALID_ARGUMENT", ev.Type)
}
