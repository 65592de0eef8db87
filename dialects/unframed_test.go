package dialects

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// Text outside of any field is a fault when it says so, and takes the proof from a
// bare sentinel in any case.
func TestUnframedText(t *testing.T) {
	hi := frames(delta(`"content":"Hi"`))
	stop, done := frames(finishing("stop")), frames("[DONE]")
	runVerdicts(t, []verdictRow{
		{"an error", "openai", hi + "Error: upstream\n\n" + done, "faulted", "Hi"},
		{"an error in capitals", "openai", hi + "ERROR: upstream\n\n" + stop + done, "faulted", "Hi"},
		{"an error with brackets", "openai", hi + "[ERROR] upstream\n\n" + done, "faulted", "Hi"},
		{"an error as the last line", "openai", hi + "Error: upstream", "faulted", "Hi"},
		{"an error with brackets as the last line", "openai", hi + "[error] upstream", "faulted", "Hi"},
		{"an error before anything else", "openai", "Error: upstream\n\n" + done, "faulted", ""},
		{"an error as the second line", "openai", hi + "upstream is gone\n Error: 17\n\n" + done, "faulted", "Hi"},
		{"an error after the finish", "openai", hi + stop + "Error: upstream\n\n" + done, "faulted", "Hi"},
		{"an error without a blank line before", "openai", "data: " + delta(`"content":"Hi"`) + "\nError: upstream\n" + done, "faulted", "Hi"},
		{"a document behind the label", "openai", hi + `ERROR: {"error":{"message":"m","code":"c"}}` + "\n\n", "faulted", "Hi"},
		{"a label and nothing", "openai", hi + "Error:\n\n" + stop + done, "whole", "Hi"},
		{"a null field", "openai", hi + "error: null\n\n" + stop + done, "whole", "Hi"},
		{"text, and a bare sentinel", "openai", hi + "upstream timed out\n\n" + done, "truncated", "Hi"},
		{"an exception, and a bare sentinel", "openai", hi + "ValueError: 17\n\n" + done, "truncated", "Hi"},
		{"a label that is cut, and a bare sentinel", "openai", hi + "Error in stream\n\n" + done, "truncated", "Hi"},
		{"text, and a finish", "openai", hi + "upstream timed out\n\n" + stop + done, "whole", "Hi"},
		{"text about errors in the answer", "openai", frames(delta(`"content":"Error: x\n\n[ERROR] y"`)) + stop + done, "whole", "Error: x\n\n[ERROR] y"},
		{"a bare sentinel", "openai", hi + done, "whole", "Hi"},
		{"an unknown field", "openai", hi + "foo: bar\n\n" + done, "whole", "Hi"},
		{"an unknown field in an event", "openai", hi + "x-accel: 1\n" + done, "whole", "Hi"},
		{"an unknown field without a value", "openai", hi + "heartbeat\n\n" + done, "whole", "Hi"},
		{"a field with another name", "openai", hi + "x-error: none\nerrors: 0\n\n" + done, "whole", "Hi"},
		{"comments", "openai", hi + ": Error: x\n:error: y\n\n" + done, "whole", "Hi"},
		{"ids", "openai", hi + "id: Error: 1\nretry: 3\n\n" + done, "whole", "Hi"},

		{"Anthropic", "anthropic", named(aStart) + "Error: upstream\n\n", "faulted", ""},
		{"responses", "responses", named(rCreated) + "[ERROR] upstream\n\n", "faulted", ""},
		{"Gemini", "gemini", geminiEvents(geminiText("Hi")) + "Error: upstream\n\n" + geminiEvents(geminiStop("STOP")), "faulted", "Hi"},
		{"Cohere", "cohere", cohereFrames(cohereDelta("0", `"text":"Hi"`)) + "Error: upstream\n\n", "faulted", "Hi"},
		{"Replicate", "replicate", "event: output\ndata: Hi\n\nError: upstream\n\nevent: done\ndata: {}\n\n", "faulted", "Hi"},
		{"Replicate, in the output", "replicate", "event: output\ndata: Error: Hi\n\nevent: done\ndata: {}\n\n", "whole", "Error: Hi"},
	})
}

// A line that is a fault is the message; a document behind its label says more.
func TestUnframedErrorsSayWhat(t *testing.T) {
	for _, row := range []struct{ line, code, message string }{
		{"Error: upstream timed out", "", "Error: upstream timed out"},
		{"[ERROR] upstream timed out", "", "[ERROR] upstream timed out"},
		{`ERROR: {"error":{"message":"m","code":"c"}}`, "c", "m"},
		{`ERROR: {"message":`, "", `ERROR: {"message":`},
	} {
		h := hear(MustByName("openai").Stream(bodyOf(": hello\n\n"+row.line+"\n\n"), Options{}))
		var ev *endwell.Evidence
		require.True(t, errors.As(h.end, &ev), "%v", h.end)
		require.Equal(t, endwell.Reported, ev.Kind)
		require.Equal(t, row.code, ev.Code)
		require.Equal(t, row.message, ev.Message)
		require.Contains(t, row.line, string(ev.Body))
		require.Equal(t, 2, ev.Frame)
	}
}

// A line that is a fault is not held back until something follows it.
func TestUnframedErrorsAreToldAtOnce(t *testing.T) {
	var f frame
	require.False(t, new(sse).next([]byte("upstream is gone\n"), false, &f))
	require.False(t, new(sse).next([]byte("Error: up"), false, &f))
	require.True(t, new(sse).next([]byte("upstream is gone\nError: up\nmore"), false, &f))
	require.Equal(t, "upstream is gone\nError: up\n", string(f.raw))
	require.Equal(t, frameJunk, f.kind)
}

// An event whose name is "error", however it is written, reports one.
func TestErrorEventInAnyCase(t *testing.T) {
	for _, d := range []string{"openai", "anthropic", "responses", "gemini", "interactions", "cohere", "cohere-v1", "bedrock-converse", "replicate", "ollama"} {
		for _, name := range []string{"error", "Error", "ERROR", "error "} {
			body := "event: " + name + "\ndata: {\"message\":\"m\"}\n\n"
			require.Equal(t, "faulted", judge(t, MustByName(d), bodyOf(body)).fault, "%s %q", d, name)
		}
	}
	require.Equal(t, "whole", judge(t, MustByName("openai"), bodyOf("event: errors\n"+frames(delta(`"content":"a"`), finishing("stop")))).fault)
}
