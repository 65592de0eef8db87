package dialects

import "testing"

func ollamaChat(members string) string {
	return `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",` + members + `},"done":false}`
}

func ollamaDone(members string) string {
	return `{"model":"m","created_at":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":""},"done":true` + members + `}`
}

const ollamaStop = `,"done_reason":"stop","total_duration":5,"prompt_eval_count":7,"eval_count":3`

func TestOllama(t *testing.T) {
	hi, stop := ollamaChat(`"content":"Hi"`), ollamaDone(ollamaStop)
	hiWords, stopWords := "text(Hi)", "finish(stop stop)@settled usage(7 3 0 r0 c0)@ended"
	call := func(id, name, args string) string {
		return `{` + id + `"function":{"index":0,"name":"` + name + `"` + args + `}}`
	}
	runContent(t, "ollama", []contentRow{
		{name: "whole", body: lines(hi, stop), want: hiWords + " " + stopWords},
		{name: "glued", body: hi + hi + stop, want: "text(Hi) text(Hi) " + stopWords},
		{name: "last line has text", body: lines(`{"message":{"content":"Hi"},"done":true,"done_reason":"length"}`), want: "text(Hi) finish(length length)@ended"},
		{name: "/api/generate", body: lines(
			`{"model":"m","response":"Hi","done":false}`,
			`{"model":"m","response":"","done":true,"done_reason":"stop","context":[1,2,3],"prompt_eval_count":7,"eval_count":3}`,
		), want: "text(Hi) " + stopWords},
		{name: "not streamed", body: `{"model":"m","message":{"content":"Hi"},"done":true` + ollamaStop + `}`, want: "text(Hi) " + stopWords},
		{name: "not streamed, pretty-printed", body: "{\n  \"response\": \"Hi\",\n  \"done\": true\n}\n", want: "text(Hi) finish(unknown )@ended"},
		{name: "as SSE", body: frames(hi, stop, "[DONE]"), want: hiWords + " " + stopWords + " meta"},
		{name: "sentinel of another family appended", body: lines(hi, stop, "[DONE]"), want: hiWords + " " + stopWords},
		{name: "sentinel of another family alone", body: lines(hi, "[DONE]"), want: hiWords},

		// How an answer is cut.
		{name: "clean end without done", body: lines(hi), want: hiWords},
		{name: "cut inside a line", body: lines(hi) + hi[:30], want: hiWords, end: cutEnd},
		{name: "cut inside the last line", body: lines(hi) + stop[:len(stop)-1], want: hiWords, end: cutEnd},
		{name: "line end in a string", body: hi[:len(hi)-30] + "\n" + stop, end: unparseableEnd},
		{name: "line that is no JSON", body: lines(hi, `{"message":{"content":nope}}`), want: hiWords, end: unparseableEnd},

		// Finish words.
		{name: "done without a reason", body: lines(hi, ollamaDone("")), want: hiWords + " finish(unknown )@ended"},
		{name: "done with an empty reason", body: lines(hi, ollamaDone(`,"done_reason":""`)), want: hiWords + " finish(unknown )@ended"},
		{name: "done with null for a reason", body: lines(hi, ollamaDone(`,"done_reason":null`)), want: hiWords + " finish(unknown )@ended"},
		{name: "unknown reason", body: lines(hi, ollamaDone(`,"done_reason":"bored"`)), want: hiWords + " finish(unknown bored)@ended"},
		{name: "reason before done", body: lines(hi, `{"done_reason":"stop","done":true}`), want: hiWords + " finish(stop stop)@ended"},
		{name: "reason without done", body: lines(`{"message":{"content":"Hi"},"done":false,"done_reason":"stop"}`), want: hiWords},
		{name: "reason that is a fault", body: lines(hi, ollamaDone(`,"done_reason":"error"`)), want: hiWords, end: reported("error", "")},
		{name: "model loaded", body: lines(ollamaDone(`,"done_reason":"load"`)), want: "output finish(stop load)@ended"},
		{name: "model unloaded", body: lines(`{"model":"m","response":"","done":true,"done_reason":"unload"}`), want: "output finish(stop unload)@ended"},
		{name: "loaded after text", body: lines(hi, ollamaDone(`,"done_reason":"load"`)), want: hiWords + " finish(stop load)@ended"},
		{name: "nothing said", body: lines(stop), want: stopWords},

		// Faults.
		{name: "error line", body: lines(hi, `{"error":"model runner has stopped"}`), want: hiWords, end: reported("", "model runner has stopped")},
		{name: "error first", body: lines(`{"error":"model 'x' not found"}`), end: reported("", "model 'x' not found")},
		{name: "error without line end", body: lines(hi) + `{"error":"gone"}`, want: hiWords, end: reported("", "gone")},
		{
			name: "error of the cloud, glued", body: lines(hi)[:len(hi)] + `{"StatusCode":429,"Status":"429 Too Many Requests","error":"slow down"}`,
			want: hiWords, end: evidenceWith("reported", "429", "", "", "slow down"),
		},
		{
			name: "error of the cloud without text", body: lines(hi) + `{"StatusCode":503,"Status":"503 Service Unavailable","error":""}`,
			want: hiWords, end: evidenceWith("reported", "503", "", "", ""),
		},
		{name: "signed out", body: lines(`{"error":"unauthorized","signin_url":"https://example.test"}`), end: reported("", "unauthorized")},
		{name: "error as an object", body: lines(`{"error":{"code":"busy","message":"later"}}`), end: reported("busy", "later")},
		{name: "error beside done", body: lines(hi, ollamaDone(`,"error":"late"`)), want: hiWords, end: reported("", "late")},
		{name: "error twice, one is null", body: lines(`{"error":null,"error":"x"}`), end: reported("", "x")},
		{name: "error as a plain line", body: lines(hi, "error: out of memory"), want: hiWords, end: reported("", "error: out of memory")},
		{name: "error as an event", body: "event: error\ndata: gone\n\n", end: reported("", "gone")},
		{name: "error in a list", body: lines(`[{"error":"x"}]`), end: reported("", "x")},
		{name: "error of a gateway", body: lines(`{"detail":"Not Found"}`), end: reported("", "Not Found")},
		{name: "page", body: "<html>no</html>", end: notAStreamEnd},
		{name: "plain text", body: "404 page not found\n", end: notAStreamEnd},
		{name: "text for a payload", body: `data: "text"` + "\n\n", end: unparseableEnd},

		// Not faults.
		{name: "error is null", body: lines(`{"message":{"content":"Hi"},"error":null}`, stop), want: hiWords + " " + stopWords},
		{name: "error is empty in an answer", body: lines(`{"message":{"content":"Hi"},"error":"","done":false}`, stop), want: hiWords + " " + stopWords},
		{name: "prose about errors", body: lines(ollamaChat(`"content":"{\"error\":\"x\"}"`), stop), want: `text({"error":"x"}) ` + stopWords},
		{name: "junk lines", body: "warming up\n" + lines(hi, "", "[INFO] tick", stop), want: hiWords + " " + stopWords},
		{name: "status lines", body: lines(`{"status":"pulling manifest"}`, hi, stop), want: "meta " + hiWords + " " + stopWords},
		{name: "log probabilities only", body: lines(ollamaChat(`"content":"","logprobs":[]`), hi, stop), want: "meta " + hiWords + " " + stopWords},
		{name: "unknown fields", body: lines(`{"x":{"error":"no"},"message":{"y":[1],"content":"Hi"},"done":false}`, stop), want: hiWords + " " + stopWords},
		{name: "null for a document", body: frames("null") + frames(hi, stop), want: "meta " + hiWords + " " + stopWords},

		// What else is said.
		{name: "thinking", body: lines(ollamaChat(`"content":"","thinking":"hm"`), hi, stop), want: "reasoning(hm) " + hiWords + " " + stopWords},
		{name: "thinking of /api/generate", body: lines(`{"response":"","thinking":"hm","done":false}`, stop), want: "reasoning(hm) " + stopWords},
		{name: "thinking and text in one line", body: lines(ollamaChat(`"content":"Hi","thinking":"hm"`), stop), want: "reasoning(hm) text(Hi) " + stopWords},
		{
			name: "parallel calls with the same number",
			body: lines(
				ollamaChat(`"content":"","tool_calls":[`+call("", "f", `,"arguments":{"city":"Par\"is"}`)+`,`+call("", "g", `,"arguments":{}`)+`]`),
				ollamaChat(`"content":"","tool_calls":[`+call(`"id":"c3",`, "h", "")+`]`), stop,
			),
			want: `tool_call(0  f {"city":"Par\"is"}) tool_call(1  g {}) tool_call(2 c3 h ) ` + stopWords,
		},
		{name: "calls that are null or none", body: lines(ollamaChat(`"content":"Hi","tool_calls":null`), ollamaChat(`"content":"","tool_calls":[]`), stop), want: "text(Hi) meta " + stopWords},
		{name: "call in the last line", body: lines(`{"message":{"content":"","tool_calls":[` + call("", "f", `,"arguments":{"a":1}`) + `]},"done":true,"done_reason":"stop"}`), want: `tool_call(0  f {"a":1}) finish(stop stop)@ended`},
		{name: "image", body: lines(`{"model":"m","image":"aGk=","done":true,"done_reason":"stop"}`), want: "output finish(stop stop)@ended"},
	})
}
