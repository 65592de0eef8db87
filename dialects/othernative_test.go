package dialects

import "testing"

func TestReplicate(t *testing.T) {
	out := func(text string) string { return "event: output\nid: 1:0\ndata: " + text + "\n\n" }
	done := "event: done\nid: 1:9\ndata: {}\n\n"
	runContent(t, "replicate", []contentRow{
		{name: "whole", body: ": hi\n\n" + out("Hi") + out(" there") + done + ":408: 408 Request Timeout\n\n", want: "text(Hi) text( there) meta@ended"},
		{name: "empty output", body: out("") + out("Hi") + done, want: "meta text(Hi) meta@ended"},
		{name: "blank output", body: out(" ") + out("\ndata: ") + done, want: "text( ) text(\n) meta@ended"},
		{name: "text of several lines", body: out("a\ndata: \ndata: b") + done, want: "text(a\n\nb) meta@ended"},
		{name: "text that looks like JSON", body: out("{}\ndata: [DONE]") + out(`{"error":"x"}`) + out(`\u0041"`) + done, want: `text({}` + "\n" + `[DONE]) text({"error":"x"}) text(\u0041") meta@ended`},
		{name: "error event", body: out("Hi") + "event: error\ndata: {\"detail\":\"CUDA out of memory\"}\n\n" + done, want: "text(Hi)", end: reported("", "CUDA out of memory")},
		{name: "error event of plain text", body: "event: error\ndata: gone\n\n", end: reported("", "gone")},
		{name: "done with an error", body: out("Hi") + "event: done\ndata: {\"reason\":\"error\"}\n\n", want: "text(Hi)", end: reported("error", "")},
		{name: "canceled by someone else", body: out("Hi") + "event: done\ndata: {\"reason\":\"canceled\"}\n\n", want: "text(Hi)", end: reported("canceled", "")},
		{name: "unknown reason", body: out("Hi") + "event: done\ndata: {\"reason\":\"bored\"}\n\n", want: "text(Hi) finish(unknown bored)@ended"},
		{name: "clean end", body: out("Hi"), want: "text(Hi)"},
		{name: "cut inside the sentinel", body: out("Hi") + "event: done\ndata: {", want: "text(Hi)", end: cutEnd},
		{name: "sentinel of another family", body: out("Hi") + "data: [DONE]\n\n" + done, want: "text(Hi) meta meta@ended"},
		{name: "unknown events", body: "event: logs\ndata: {x\n\n" + out("Hi") + done, want: "meta text(Hi) meta@ended"},
		{name: "error document behind a 200", body: `{"title":"Unauthenticated","detail":"no token","status":401}`, end: evidenceWith("reported", "401", "", "", "no token")},
		{name: "prediction that is not streamed", body: `{"id":"p","status":"succeeded","error":null,"output":["Hi"," there"]}`, want: "text(Hi) text( there) finish(stop succeeded)@ended"},
		{name: "prediction that goes on", body: `{"id":"p","status":"processing","output":null}`, want: "meta"},
		{name: "prediction that failed", body: `{"id":"p","status":"failed","error":"boom","output":null}`, end: evidenceWith("reported", "0", "failed", "", "boom")},
	})
}

func TestWriter(t *testing.T) {
	hi := `{"choices":[{"index":0,"finish_reason":null,"message":{"content":"Hi"},"delta":{"content":"Hi"}}]}`
	runContent(t, "writer", []contentRow{
		{name: "chat", body: frames(hi, `{"choices":[{"index":0,"finish_reason":"stop","delta":{"content":null}}]}`), want: "text(Hi) finish(stop stop)@settled"},
		{name: "chat that is cut", body: frames(hi), want: "text(Hi)"},
		{name: "completions", body: frames(`{"value":"Hi"}`, `{"value":"!"}`), want: "text(Hi)@may_end text(!)"},
		{name: "completions with a sentinel", body: frames(`{"value":"Hi"}`, "[DONE]"), want: "text(Hi)@may_end meta@ended"},
		{name: "completions cut inside a frame", body: frames(`{"value":"Hi"}`) + `data: {"val`, want: "text(Hi)@may_end", end: cutEnd},
		{name: "completions with an error", body: frames(`{"value":"Hi"}`, `{"error":{"message":"boom"}}`), want: "text(Hi)@may_end", end: reported("", "boom")},
		{name: "value beside choices", body: frames(`{"value":"no","choices":[{"index":0,"delta":{"content":"Hi"}}]}`), want: "text(Hi)"},
		{name: "value that is no text", body: frames(`{"value":1}`), want: "meta"},
	})
}

func TestWatsonx(t *testing.T) {
	result := func(text, reason string, in, out string) string {
		return `{"model_id":"m","created_at":"2026-01-01T00:00:00Z","results":[{"generated_text":"` + text + `","generated_token_count":` + out + `,"input_token_count":` + in + `,"stop_reason":"` + reason + `"}]}`
	}
	hi := result("Hi", "not_finished", "7", "1")
	runContent(t, "watsonx", []contentRow{
		{name: "generation", body: "id: 1\nevent: message\ndata: {}\n\n" + frames(hi, result("!", "eos_token", "0", "2")), want: "meta text(Hi) text(!) finish(stop eos_token)@settled usage(7 2 0 r0 c0)"},
		{name: "generation that is cut", body: frames(hi), want: "text(Hi)"},
		{name: "token limit", body: frames(result("Hi", "token_limit", "7", "1")), want: "text(Hi) finish(length token_limit)@settled usage(7 1 0 r0 c0)"},
		{name: "time limit", body: frames(result("Hi", "time_limit", "0", "0")), want: "text(Hi) finish(length time_limit)@settled"},
		{name: "unknown word", body: frames(result("Hi", "bored", "0", "0")), want: "text(Hi) finish(unknown bored)@settled"},
		{name: "error word", body: frames(hi, result("", "error", "0", "0")), want: "text(Hi)", end: reported("error", "")},
		{name: "canceled by someone else", body: frames(hi, result("", "cancelled", "0", "0")), want: "text(Hi)", end: reported("cancelled", "")},
		{name: "error event", body: frames(hi) + "event: error\ndata: {\"errors\":[{\"code\":\"downstream_request_failed\",\"message\":\"boom\"}],\"trace\":\"t\",\"status_code\":500}\n\n", want: "text(Hi)", end: evidenceWith("reported", "500", "", "downstream_request_failed", "boom")},
		{name: "errors without an event", body: frames(hi, `{"errors":[{"code":"token_quota_reached","message":"no"}],"trace":"t","status_code":403}`), want: "text(Hi)", end: evidenceWith("reported", "403", "", "token_quota_reached", "no")},
		{name: "chat", body: frames(`{"id":"c","model_id":"m","choices":[{"index":0,"finish_reason":null,"delta":{"content":"Hi"}}]}`, `{"choices":[{"index":0,"finish_reason":"stop","delta":{}}]}`), want: "text(Hi) finish(stop stop)@settled"},
		{name: "chat stopped by the time limit", body: frames(`{"choices":[{"index":0,"finish_reason":"time_limit","delta":{"content":"Hi"}}]}`), want: "text(Hi) finish(length time_limit)@settled"},
		{name: "not streamed", body: result("Hi", "max_tokens", "7", "1"), want: "text(Hi) finish(length max_tokens)@settled usage(7 1 0 r0 c0)"},
		{name: "results of something else", body: frames(`{"results":[{"embedding":[1]}]}`), want: "meta"},
	})
}

// The signatures take the frames of their own family and leave those of the others.
func TestNativeSignatures(t *testing.T) {
	rows := []struct{ name, body, want string }{
		{"ollama", lines(ollamaChat(`"content":"Hi"`)), "ollama"},
		{"ollama generate", `{"model":"m","response":"","done":false}`, "ollama"},
		{"cohere", cohereFrames(cohereBegin), "cohere"},
		{"cohere, not streamed", `{"id":"x","message":{},"finish_reason":"COMPLETE","usage":{"billed_units":{}}}`, "cohere"},
		{"cohere v1", `{"is_finished":false,"event_type":"stream-start"}` + "\n", "cohere-v1"},
		{"replicate", "event: output\nid: 1:0\ndata: Hi\n\n", "replicate"},
		{"writer completions", frames(`{"value":"Hi"}`), "writer"},
		{"writer chat", frames(`{"choices":[{"delta":{"graph_data":null}}]}`), "writer"},
		{"watsonx generation", frames(`{"results":[{"generated_text":""}]}`), "watsonx"},
		{"watsonx chat", frames(`{"model_id":"m","choices":[]}`), "watsonx"},
		{"chat", frames(`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"delta":{"content":"\"graph_data\": x"}}]}`), ""},
		{"chat of Workers AI", frames(`{"response":"Hi"}`), ""},
		{"anthropic", frames(`{"type":"message_start","message":{}}`), ""},
		{"responses", frames(`{"type":"response.created","response":{}}`), ""},
		{"interactions", frames(`{"event_type":"interaction.created"}`), ""},
		{"UI messages", frames(`{"type":"text-start","id":"1"}`), ""},
		{"value beside other members", frames(`{"value":"x","id":1}`), ""},
		{"error document", `{"error":"x"}`, ""},
		{"output of something else", "event: output\ndata: {\"a\":1}\n\n", ""},
		{"nothing", "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := signed(row.body, new(sse), signCohere, signOllama, signReplicate, signWriter, signWatsonx); got != row.want {
				t.Fatalf("got %q, want %q", got, row.want)
			}
		})
	}
}
