package dialects

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// Behind a frame of no known wire, a model's frame and a fault are told from what other
// programs have of the same names.
func TestClearBehindStrangeFrames(t *testing.T) {
	for _, row := range []struct {
		frame string // an event's data, or an event
		clear bool
	}{
		{`{"choices":[{"delta":{}}]}`, true},
		{`{"choices":[{"message":{}}]}`, true},
		{`{"choices":[{"finish_reason":null}]}`, true},
		{`{"choices":[{"index":0,"text":"a"}]}`, true},
		{`{"choices":[],"model":"m"}`, true},
		{`{"choices":[],"object":"o"}`, true},
		{`{"choices":[],"usage":{}}`, true},
		{`{"choices":[{"text":"a"}]}`, false},
		{`{"choices":[{"message":"a"}]}`, false},
		{`{"choices":[{"delta":1}]}`, false},
		{`{"choices":["a","b"],"model":"m"}`, false},
		{`{"choices":["a","b"],"model_id":1}`, false},
		{`{"choices":[],"model_id":"m","model":"m"}`, true},
		{`{"results":[{"generated_text":"a"}]}`, true},
		{`{"results":[{"text":"a"}]}`, false},
		{`{"value":"a"}`, false},
		{`{"choices":[{"index":0}]}`, false},
		{`{"choices":[{"text":"a"}],"model":"m"}`, false},
		{`{"choices":[]}`, false},

		{`{"candidates":[{"content":{}}]}`, true},
		{`{"candidates":[{"finishReason":"OTHER"}]}`, true},
		{`{"candidates":[{"index":0}],"modelVersion":"m"}`, true},
		{`{"candidates":[{"index":0}]}`, false},
		{`{"candidates":[{"content":"a"}]}`, false},
		{`{"candidates":[{"name":"a"}]}`, false},
		{`{"candidates":[{"name":"a"}],"modelVersion":"m"}`, false},
		{`[{"candidates":[{"content":{}}]}]`, true},
		{`{"response":{"candidates":[{"content":{}}]}}`, true},
		{`{"response":[{"candidates":[{"content":{}}]}]}`, false},
		{`{"promptFeedback":{"blockReason":"OTHER"}}`, true},
		{`{"usageMetadata":{"totalTokenCount":1},"modelVersion":"m"}`, true},
		{`{"usageMetadata":{"totalTokenCount":1}}`, false},

		{`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a"}}}}`, true},
		{`{"type":"message-start","id":"x"}`, false},
		{`{"id":"x","finish_reason":"COMPLETE","message":{"role":"assistant","content":[]}}`, true},
		{`{"event_type":"text-generation","text":"a"}`, true},
		{`{"is_finished":false,"text":"a"}`, false},
		{`{"event_type":"purchase","response_id":"r"}`, false},
		{`{"event_type":"interaction.created","contact":5}`, false},
		{`{"event_type":"interaction.status_update","interaction_id":"x"}`, true},
		{`{"type":"response.received","sensor":4}`, false},
		{`{"type":"response.created","response":{}}`, true},
		{`{"type":"response.output_text.delta","item_id":"i","delta":"a"}`, true},
		{`{"event_type":"interaction.start","interaction":{}}`, true},
		{`{"event_type":"step.start","step":{}}`, false},
		{`{"object":"interaction","status":"in_progress"}`, true},
		{aStart, true},
		{aPing, false},
		{"event: output\ndata: a", false},

		{`{"error":{"message":"m"}}`, true},
		{`{"error":{"type":"t"}}`, true},
		{`{"error":{"code":1}}`, true},
		{`{"error":{"message":"m"},"error":{"x":1}}`, true},
		{`{"error":{"x":1}}`, false},
		{`{"error":{}}`, false},
		{`{"error":"m"}`, true},
		{`{"error":"m","a":1}`, false},
		{`{"error":""}`, false},
		{`{"error":0.5}`, false},
		{`{"type":"error","message":"m"}`, true},
		{`{"object":"error","message":"m"}`, true},
		{`{"type":"error","object":"o"}`, true},
		{`{"type":"error"}`, false},
		{`{"jsonrpc":"2.0","error":{"message":"m"}}`, false},
		{`[{"error":{"message":"m"}}]`, true},
		{`{"error":{"message":"m"}} and more`, false},
		{`{"error":{"message":"m"}`, false},
		{"event: error\ndata: m", true},
		{"event: error\ndata: null", false},
		{"event: error\ndata: ", false},
		{"error: m", true},
		{"error: null", false},
		{"error: ", false},
		{"\n{\"error\":{\"message\":\"m\"}}", true},
		{"[DONE]", false},
		{"{\"a", false},
	} {
		body := "data: {\"x\":1}\n\n"
		switch row.frame[0] {
		case 'e', '\n':
			body += row.frame + "\n\n"
		default:
			body += frames(row.frame)
		}
		h := hear(Detecting(bodyOf(body), "text/event-stream", "", Options{Lenient: true}))
		last := h.chunks[len(h.chunks)-1]
		strange := h.end == io.EOF && last.Kind == endwell.KindOutput && last.End == endwell.Ended
		require.Equal(t, !row.clear, strange, "%s %v", row.frame, h.end)
	}
}

// An event at the end of a body is a whole one without its blank line.
func TestClearWithoutABlankLine(t *testing.T) {
	for _, front := range []string{"", ": hi\n\n", frames(`{"x":1}`)} {
		for _, doc := range []string{
			geminiText("a"), `{"type":"message","role":"assistant","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn"}`,
		} {
			h := hear(Detecting(bodyOf(front+"data: "+doc), "text/event-stream", "", Options{Lenient: true}))
			require.Contains(t, words(h.chunks), "text(a)", "%s%s %v", front, doc, h.end)
		}
	}
}
