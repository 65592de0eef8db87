package dialects

import "testing"

func TestCohereV1(t *testing.T) {
	begin := `{"is_finished":false,"event_type":"stream-start","generation_id":"g1"}`
	hi := `{"is_finished":false,"event_type":"text-generation","text":"Hi"}`
	meta := `"meta":{"billed_units":{"input_tokens":1,"output_tokens":1},"tokens":{"input_tokens":60,"output_tokens":4}}`
	ending := func(word string) string {
		return `{"is_finished":true,"event_type":"stream-end","finish_reason":"` + word + `","response":{"text":"Hi","generation_id":"g1",` + meta + `}}`
	}
	stop := ending("COMPLETE")
	stopWords := "finish(stop COMPLETE)@settled usage(60 4 0 r0 c0)@ended"
	runContent(t, "cohere-v1", []contentRow{
		{name: "whole", body: lines(begin, hi, hi, stop), want: "meta text(Hi) text(Hi) " + stopWords},
		{name: "glued and split by blank lines", body: begin + hi + "\n\n\n" + hi + stop, want: "meta text(Hi) text(Hi) " + stopWords},
		{name: "as SSE", body: "event: stream-start\ndata: " + begin + "\n\n" + frames(hi, stop, "[DONE]"), want: "meta text(Hi) " + stopWords + " meta"},
		{name: "as SSE, event names instead of types", body: "event: text-generation\ndata: {\"text\":\"Hi\"}\n\nevent: stream-end\ndata: {\"finish_reason\":\"COMPLETE\"}\n\n", want: "text(Hi) finish(stop COMPLETE)@ended"},
		{name: "as SSE behind a field of nothing", body: "id\nevent: text-generation\ndata: {\"text\":\"Hi\"}\n\nevent: stream-end\ndata: {\"finish_reason\":\"COMPLETE\"}\n\n", want: "text(Hi) finish(stop COMPLETE)@ended"},
		{name: "as SSE behind a field that nobody knows", body: "status: 200\nevent: text-generation\ndata: {\"text\":\"Hi\"}\n\nevent: stream-end\ndata: {\"finish_reason\":\"COMPLETE\"}\n\n", want: "text(Hi) finish(stop COMPLETE)@ended"},
		{name: "as SSE, event name without meaning", body: "event: message\ndata: {\"text\":\"Hi\",\"is_finished\":false}\n\n", want: "text(Hi)"},
		{name: "end is all there is", body: lines(begin, stop), want: "meta text(Hi) " + stopWords},
		{name: "end without is_finished", body: lines(hi, `{"event_type":"stream-end","finish_reason":"COMPLETE"}`), want: "text(Hi) finish(stop COMPLETE)@ended"},
		{name: "end without a word", body: lines(hi, `{"event_type":"stream-end","is_finished":true}`), want: "text(Hi) meta@ended"},
		{name: "word inside the response", body: lines(hi, `{"event_type":"stream-end","is_finished":true,"response":{"text":"Hi","finish_reason":"MAX_TOKENS"}}`), want: "text(Hi) finish(length MAX_TOKENS)@ended"},
		{name: "not streamed", body: `{"response_id":"r","text":"Hi","generation_id":"g1","chat_history":[],"finish_reason":"COMPLETE",` + meta + `}`, want: "text(Hi) " + stopWords},
		{name: "not streamed, calls", body: `{"text":"","tool_calls":[{"name":"f","parameters":{"a":1}},{"name":"g","parameters":{}}],"finish_reason":"COMPLETE"}`, want: `tool_call(0  f {"a":1}) tool_call(1  g {}) finish(stop COMPLETE)@ended`},
		{name: "/v1/generate", body: lines(`{"text":"H","is_finished":false}`, `{"text":"i","is_finished":false,"event_type":"text-generation"}`, `{"is_finished":true,"finish_reason":"COMPLETE","response":{"generations":[{"text":"Hi","finish_reason":"COMPLETE"}]}}`), want: "text(H) text(i) finish(stop COMPLETE)@ended"},
		{name: "/v1/generate, two generations", body: lines(`{"index":0,"text":"A","is_finished":false}`, `{"index":1,"text":"B","is_finished":false}`), want: "text(A) text#1(B)"},
		{name: "/v1/generate, not streamed", body: `{"id":"x","generations":[{"text":"Hi","finish_reason":"COMPLETE"},{"text":"Ho"}]}`, want: "text(Hi) finish(stop COMPLETE)@ended"},

		// How an answer is cut.
		{name: "clean end", body: lines(begin, hi), want: "meta text(Hi)"},
		{name: "cut inside a line", body: lines(hi) + stop[:50], want: "text(Hi)", end: cutEnd},
		{name: "sentinel alone", body: frames(hi, "[DONE]"), want: "text(Hi) meta"},

		// Faults.
		{name: "error at the end", body: lines(hi, ending("ERROR")), want: "text(Hi)", end: reported("ERROR", "")},
		{name: "stream-error", body: lines(hi, `{"event_type":"stream-error","is_finished":true,"finish_reason":"ERROR","err":"backend gone"}`), want: "text(Hi)", end: reported("ERROR", "backend gone")},
		{name: "canceled by someone else", body: lines(hi, ending("USER_CANCEL")), want: "text(Hi)", end: reported("USER_CANCEL", "")},
		{name: "context used up before any text", body: lines(begin, `{"is_finished":true,"event_type":"stream-end","finish_reason":"ERROR_LIMIT","response":{"text":""}}`), want: "meta", end: reported("ERROR_LIMIT", "")},
		{name: "context used up after text", body: lines(hi, ending("ERROR_LIMIT")), want: "text(Hi) finish(length ERROR_LIMIT)@settled usage(60 4 0 r0 c0)@ended"},
		{name: "filter", body: lines(hi, ending("ERROR_TOXIC")), want: "text(Hi) finish(filter ERROR_TOXIC)@settled usage(60 4 0 r0 c0)@ended"},
		{name: "error document behind a 200", body: `{"message":"invalid api token"}`, end: reported("", "invalid api token")},
		{name: "two answers", body: lines(begin, hi, `{"event_type":"stream-start","generation_id":"g2"}`), want: "meta text(Hi)", end: splicedEnd},

		// Not faults.
		{name: "the same start again", body: lines(begin, begin, hi, stop), want: "meta meta text(Hi) " + stopWords},
		{name: "searches, citations, unknown events", body: lines(`{"event_type":"search-queries-generation","search_queries":[]}`, hi, `{"event_type":"citation-generation","citations":[]}`, `{"event_type":"debug","message":"x","code":"y","text":"no"}`, stop), want: "meta text(Hi) meta meta " + stopWords},

		// Tool calls.
		{
			name: "calls in pieces, then whole",
			body: lines(begin,
				`{"event_type":"tool-calls-chunk","text":"I will"}`,
				`{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f"}}`,
				`{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"parameters":"{\"a\":1}"}}`,
				`{"event_type":"tool-calls-chunk","tool_call_delta":{"index":1,"name":"g"}}`,
				`{"event_type":"tool-calls-generation","text":"I will","tool_calls":[{"name":"f","parameters":{"a":1}},{"name":"g","parameters":{}}]}`,
				stop),
			want: `meta reasoning(I will) tool_call(0  f ) tool_call(0   {"a":1}) tool_call(1  g ) meta ` + stopWords,
		},
		{name: "calls whole", body: lines(`{"event_type":"tool-calls-generation","text":"I will","tool_calls":[{"name":"f","parameters":{"a":1}},{"name":"g","parameters":{}}]}`, stop), want: `reasoning(I will) tool_call(0  f {"a":1}) tool_call(1  g {}) ` + stopWords},
	})
}
