package decode

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

var chat = Pair{
	Family: "OpenAI chat", Dialect: "openai",
	SDK:  "openai-go v3, ChatCompletionChunk",
	Read: readChat, body: chatBody, long: 1,
}

func chatBody(texts []string) *Body {
	b := &Body{ContentType: "text/event-stream"}
	chunk := func(delta, finish string) {
		b.add(`data: {"id":"chatcmpl-00harbour00000000000000000000","object":"chat.completion.chunk","created":1790000000,` +
			`"model":"gpt-0-mini-2026-01-01","service_tier":"default","system_fingerprint":"fp_0123456789","choices":[{"index":0,` +
			`"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],"usage":null,"obfuscation":"a1B2c3D4"}` + "\n\n")
	}
	chunk(`{"role":"assistant","content":"","refusal":null}`, "null")
	for _, t := range texts {
		chunk(`{"content":`+quoted(t)+`}`, "null")
	}
	chunk(`{}`, `"stop"`)
	b.add("data: [DONE]\n\n")
	return b
}

func openAI(f *Feed) openai.Client {
	return openai.NewClient(
		option.WithBaseURL(nowhere), option.WithAPIKey(fakeKey),
		option.WithHTTPClient(f.client()), option.WithMaxRetries(0),
	)
}

func readChat(f *Feed, to Sink) error {
	client := openAI(f)
	st := client.Chat.Completions.NewStreaming(context.Background(), openai.ChatCompletionNewParams{})
	finish := ""
	for st.Next() {
		for _, c := range st.Current().Choices {
			if c.Delta.Content != "" {
				to(c.Delta.Content)
			}
			finish += c.FinishReason
		}
	}
	return ended(st.Err(), finish, "stop")
}

// ended holds against an SDK's reader what it holds against a body: the end that the
// server sends has been read.
func ended(err error, got, want string) error {
	if err == nil && got != want {
		err = fmt.Errorf("decode: the answer ended with %q, not %q", got, want)
	}
	return err
}
