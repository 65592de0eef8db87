package decode

import (
	"context"
	"fmt"

	openairesponses "github.com/openai/openai-go/v3/responses"
)

var responses = Pair{
	Family: "OpenAI responses", Dialect: "responses",
	SDK:  "openai-go v3, ResponseStreamEventUnion",
	Read: readResponses, body: responsesBody, long: 10,
}

func responsesBody(texts []string) *Body {
	b := &Body{ContentType: "text/event-stream"}
	n := 0
	event := func(name, members string) {
		b.add(fmt.Sprintf("event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", name, name, n, members))
		n++
	}
	const item = `"item_id":"msg_00harbour000000000000000000000000000000000000","output_index":0`
	const response = `"response":{"id":"resp_00harbour","object":"response","created_at":1790000000,"model":"gpt-0","status":`
	event("response.created", response+`"in_progress","output":[]}`)
	event("response.output_item.added", `"output_index":0,"item":{"id":"msg_00harbour000000000000000000000000000000000000","type":"message","status":"in_progress","role":"assistant","content":[]}`)
	event("response.content_part.added", item+`,"content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}`)
	for _, t := range texts {
		event("response.output_text.delta", item+`,"content_index":0,"delta":`+quoted(t)+`,"logprobs":[],"obfuscation":"a1B2c3D4e5"`)
	}
	event("response.output_text.done", item+`,"content_index":0,"logprobs":[],"text":""`)
	event("response.completed", response+`"completed","output":[],"usage":{"input_tokens":9,"output_tokens":9,"total_tokens":18}}`)
	return b
}

func readResponses(f *Feed, to Sink) error {
	client := openAI(f)
	st := client.Responses.NewStreaming(context.Background(), openairesponses.ResponseNewParams{})
	last := ""
	for st.Next() {
		ev := st.Current()
		if last = ev.Type; last == "response.output_text.delta" {
			to(ev.Delta)
		}
	}
	return ended(st.Err(), last, "response.completed")
}
