package decode

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

var messages = Pair{
	Family: "Anthropic messages", Dialect: "anthropic",
	SDK:  "anthropic-sdk-go v2, MessageStreamEventUnion",
	Read: readMessages, body: messagesBody, long: 150,
}

func messagesBody(texts []string) *Body {
	b := &Body{ContentType: "text/event-stream; charset=utf-8"}
	for _, e := range claudeEvents(texts) {
		b.add("event: " + e.name + "\ndata: " + e.data + "\n\n")
	}
	return b
}

// claudeEvent is an event of an answer of Claude, on any host.
type claudeEvent struct{ name, data string }

func claudeEvents(texts []string) []claudeEvent {
	events := []claudeEvent{
		{"message_start", `{"type":"message_start","message":{"id":"msg_00harbour","type":"message","role":"assistant","model":"claude-0",` +
			`"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}`},
		{"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
	}
	for _, t := range texts {
		events = append(events, claudeEvent{
			"content_block_delta",
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quoted(t) + `}}`,
		})
	}
	return append(events,
		claudeEvent{"content_block_stop", `{"type":"content_block_stop","index":0}`},
		claudeEvent{"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}`},
		claudeEvent{"message_stop", `{"type":"message_stop"}`},
	)
}

func readMessages(f *Feed, to Sink) error {
	client := anthropic.NewClient(
		option.WithBaseURL(nowhere), option.WithAPIKey(fakeKey),
		option.WithHTTPClient(f.client()), option.WithMaxRetries(0),
	)
	st := client.Messages.NewStreaming(context.Background(), anthropic.MessageNewParams{})
	last := ""
	for st.Next() {
		ev := st.Current()
		last = ev.Type
		if ev.Delta.Type == "text_delta" {
			to(ev.Delta.Text)
		}
	}
	return ended(st.Err(), last, "message_stop")
}
