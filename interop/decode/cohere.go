package decode

import (
	"context"
	"io"

	coherego "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/client"
	"github.com/cohere-ai/cohere-go/v2/option"
)

var cohere = Pair{
	Family: "Cohere v2", Dialect: "cohere",
	SDK:  "cohere-go v2, V2ChatStreamResponse",
	Read: readCohere, body: cohereBody, long: 160,
}

// cohereBody hands the line that ends an event over with the next event: alone, or
// with half of an event behind it, it is what the SDK cannot decode.
func cohereBody(texts []string) *Body {
	b := &Body{ContentType: "text/event-stream"}
	before := ""
	event := func(name, members string) {
		b.add(before + "event: " + name + "\ndata: {\"type\":\"" + name + `"` + members + "}\n")
		before = "\n"
	}
	event("message-start", `,"id":"00harbour","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}`)
	event("content-start", `,"index":0,"delta":{"message":{"content":{"type":"text","text":""}}}`)
	for _, t := range texts {
		event("content-delta", `,"index":0,"delta":{"message":{"content":{"text":`+quoted(t)+`}}}`)
	}
	event("content-end", `,"index":0`)
	event("message-end", `,"delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":9,"output_tokens":9}}}`)
	b.add("\ndata: [DONE]\n\n")
	return b
}

func readCohere(f *Feed, to Sink) error {
	c := client.NewClient(
		option.WithBaseURL(nowhere), option.WithToken(fakeKey),
		option.WithHTTPClient(f.client()), option.WithMaxAttempts(1),
	)
	st, err := c.V2.ChatStream(context.Background(), &coherego.V2ChatStreamRequest{})
	if err != nil {
		return err
	}
	last := ""
	for {
		ev, err := st.Recv()
		if err == io.EOF {
			return ended(st.Close(), last, "message-end")
		}
		if err != nil {
			return err
		}
		last = ev.Type
		if d := ev.ContentDelta; d != nil {
			to(*d.Delta.Message.Content.Text)
		}
	}
}
