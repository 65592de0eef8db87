package dialects

import "testing"

// cohereFrames joins events as Cohere sends them, with their names.
func cohereFrames(docs ...string) string {
	body := ""
	for _, doc := range docs {
		typ := string(memberOf([]byte(doc), "type"))
		body += "event: " + typ[1:len(typ)-1] + "\ndata: " + doc + "\n\n"
	}
	return body
}

func cohereDelta(index, content string) string {
	return `{"type":"content-delta","index":` + index + `,"delta":{"message":{"content":{` + content + `}}}}`
}

func cohereEnd(members string) string { return `{"type":"message-end","delta":{` + members + `}}` }

const (
	cohereBegin = `{"id":"m1","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`
	cohereCount = `"usage":{"billed_units":{"input_tokens":5,"output_tokens":2},"tokens":{"input_tokens":60,"output_tokens":4},"cached_tokens":16}`
)

func TestCohere(t *testing.T) {
	hi, complete := cohereDelta("0", `"text":"Hi"`), cohereEnd(`"finish_reason":"COMPLETE",`+cohereCount)
	blank := `{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`
	done := "data: [DONE]\n\n"
	whole := cohereFrames(cohereBegin, blank, hi, `{"type":"content-end","index":0}`, complete)
	wholeWords := "meta meta text(Hi) meta finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"
	endingWith := func(members string) string { return cohereFrames(hi, cohereEnd(members)) + done }
	runContent(t, "cohere", []contentRow{
		{name: "whole", body: whole + done, want: wholeWords + " meta@ended"},
		{name: "without sentinel", body: whole, want: wholeWords},
		{name: "without event names", body: frames(cohereBegin, hi, complete, "[DONE]"), want: "meta text(Hi) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16) meta@ended"},
		{name: "event names instead of types", body: "event: content-delta\ndata: {\"delta\":{\"message\":{\"content\":{\"text\":\"Hi\"}}}}\n\nevent: message-end\ndata: {\"delta\":{\"finish_reason\":\"COMPLETE\"}}\n\n", want: "text(Hi) finish(stop COMPLETE)@settled"},
		{name: "last event without its blank line", body: cohereFrames(hi) + "data: " + complete, want: "text(Hi) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{
			name: "not streamed",
			body: `{"id":"m1","message":{"role":"assistant","tool_plan":"plan","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"},{"type":"text","text":"!"}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","function":{"name":"g","arguments":""}}]},"finish_reason":"COMPLETE",` + cohereCount + `}`,
			want: "reasoning(plan) reasoning(hm) text(Hi) text(!) tool_call(0 c1 f {}) tool_call(1 c2 g ) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)",
		},
		{name: "not streamed, a text for content", body: `{"message":{"content":"Hi"},"finish_reason":"COMPLETE"}`, want: "text(Hi) finish(stop COMPLETE)@settled"},

		// How an answer is cut.
		{name: "sentinel alone", body: cohereFrames(hi) + done, want: "text(Hi) meta"},
		{name: "sentinel first", body: done + whole, want: "meta " + wholeWords},
		{name: "clean end", body: cohereFrames(hi), want: "text(Hi)"},
		{name: "cut inside a frame", body: cohereFrames(hi) + "event: message-end\ndata: " + complete[:40], want: "text(Hi)", end: cutEnd},
		{name: "cut inside the event name", body: cohereFrames(hi) + "event: message-en", want: "text(Hi)"},
		{name: "frame that is no JSON", body: cohereFrames(hi) + frames(`{"type":content}`), want: "text(Hi)", end: unparseableEnd},

		// Finish words.
		{name: "stop sequence", body: endingWith(`"finish_reason":"STOP_SEQUENCE"`), want: "text(Hi) finish(stop STOP_SEQUENCE)@settled meta@ended"},
		{name: "token limit", body: endingWith(`"finish_reason":"MAX_TOKENS"`), want: "text(Hi) finish(length MAX_TOKENS)@settled meta@ended"},
		{name: "filter", body: endingWith(`"finish_reason":"ERROR_TOXIC"`), want: "text(Hi) finish(filter ERROR_TOXIC)@settled meta@ended"},
		{name: "context used up after text", body: endingWith(`"finish_reason":"ERROR_LIMIT"`), want: "text(Hi) finish(length ERROR_LIMIT)@settled meta@ended"},
		{name: "unknown word", body: endingWith(`"finish_reason":"BORED"`), want: "text(Hi) finish(unknown BORED)@settled meta@ended"},
		{name: "no word", body: endingWith(`"usage":{}`), want: "text(Hi) meta@settled meta@ended"},
		{name: "word is null", body: endingWith(`"finish_reason":null`), want: "text(Hi) meta@settled meta@ended"},
		{name: "billed units only", body: endingWith(`"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":5.0,"output_tokens":2}}`), want: "text(Hi) finish(stop COMPLETE)@settled usage(5 2 0 r0 c0) meta@ended"},
		{name: "reasoning counted", body: endingWith(`"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":5,"output_tokens":9,"reasoning_tokens":7}}`), want: "text(Hi) finish(stop COMPLETE)@settled usage(5 9 0 r7 c0) meta@ended"},

		// Faults.
		{name: "fault in the terminal frame", body: endingWith(`"finish_reason":"ERROR","error":"backend gone","usage":{}`), want: "text(Hi)", end: reported("ERROR", "backend gone")},
		{name: "fault without text", body: endingWith(`"finish_reason":"ERROR"`), want: "text(Hi)", end: reported("ERROR", "")},
		{name: "timeout", body: endingWith(`"finish_reason":"TIMEOUT"`), want: "text(Hi)", end: reported("TIMEOUT", "")},
		{name: "error beside a good word", body: endingWith(`"finish_reason":"COMPLETE","error":"x"`), want: "text(Hi)", end: reported("COMPLETE", "x")},
		{name: "context used up before any text", body: cohereFrames(cohereBegin, cohereEnd(`"finish_reason":"ERROR_LIMIT"`)), want: "meta", end: reported("ERROR_LIMIT", "")},
		{name: "error after the end", body: whole + frames(`{"error":"late"}`), want: wholeWords, end: reported("", "late")},
		{name: "error event", body: cohereFrames(hi) + "event: error\ndata: {\"message\":\"boom\"}\n\n", want: "text(Hi)", end: reported("", "boom")},
		{name: "error as a type", body: frames(hi, `{"type":"error","error":{"code":"x","message":"boom"}}`), want: "text(Hi)", end: reported("x", "boom")},
		{name: "error document behind a 200", body: `{"id":"e","message":"invalid api token"}`, end: reported("", "invalid api token")},
		{name: "error document in a stream", body: cohereFrames(hi) + `{"message":"too many tokens: 9"}` + "\n", want: "text(Hi)", end: reported("", "too many tokens: 9")},
		{name: "error of a known event", body: frames(hi, `{"type":"content-delta","error":{"message":"x"}}`), want: "text(Hi)", end: reported("", "x")},
		{name: "two answers", body: cohereFrames(cohereBegin, hi, `{"id":"m2","type":"message-start","delta":{}}`), want: "meta text(Hi)", end: splicedEnd},
		{name: "page", body: "<html>no</html>", end: notAStreamEnd},

		// Not faults.
		{name: "the same start again", body: cohereFrames(cohereBegin, hi, cohereBegin, complete), want: "meta text(Hi) meta finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{name: "a start without id", body: cohereFrames(cohereBegin, hi, `{"type":"message-start"}`, complete), want: "meta text(Hi) meta finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{name: "error is null", body: endingWith(`"finish_reason":"COMPLETE","error":null`), want: "text(Hi) finish(stop COMPLETE)@settled meta@ended"},
		{name: "unknown events", body: cohereFrames(hi, `{"type":"debug","message":"prompt","code":"x"}`, `{"type":"new-thing","delta":{"message":{"content":{"text":"no"}}}}`, complete), want: "text(Hi) meta meta finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{name: "keep-alives", body: ": hi\n\n" + "event: ping\ndata:\n\n" + cohereFrames(hi, complete), want: "text(Hi) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{name: "prose about errors", body: cohereFrames(cohereDelta("0", `"text":"{\"error\":1}"`), complete), want: `text({"error":1}) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)`},

		// What else is said.
		{name: "thinking, then text", body: cohereFrames(cohereDelta("0", `"thinking":"hm"`), cohereDelta("1", `"text":"Hi"`), complete), want: "reasoning(hm) text(Hi) finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
		{name: "text in the start of a block", body: cohereFrames(`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":"Hi"}}}}`), want: "text(Hi)"},
		{name: "citations", body: cohereFrames(hi, `{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":2,"text":"Hi","sources":[]}}}}`, `{"type":"citation-end","index":0}`), want: "text(Hi) meta meta"},
		{
			name: "tool turn",
			body: cohereFrames(
				cohereBegin, `{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will"}}}`,
				`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c1","type":"function","function":{"name":"f","arguments":""}}}}}`,
				`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"a\":"}}}}}`,
				`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"1}"}}}}}`,
				`{"type":"tool-call-end","index":0}`,
				`{"type":"tool-call-start","index":1,"delta":{"message":{"tool_calls":{"id":"c2","type":"function","function":{"name":"g","arguments":""}}}}}`,
				`{"type":"tool-call-end","index":1}`, cohereEnd(`"finish_reason":"TOOL_CALL"`),
			),
			want: `meta reasoning(I will) tool_call(0 c1 f ) tool_call(0   {"a":) tool_call(0   1}) meta tool_call(1 c2 g ) meta finish(tool_calls TOOL_CALL)@settled`,
		},
		{name: "nothing said", body: cohereFrames(cohereBegin, complete), want: "meta finish(stop COMPLETE)@settled usage(60 4 0 r0 c16)"},
	})
}
