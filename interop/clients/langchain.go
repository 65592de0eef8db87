package clients

import (
	"context"
	"errors"
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/endwell-go/endwell/endwelltest"
)

var langchain = Client{
	Name: "langchaingo, openai", Module: "github.com/tmc/langchaingo",
	Wire:    endwelltest.OpenAI,
	Retries: "it has none",
	Keeps:   Calls | Cancellation,
	Hint: "A call that is refused, or has no answer, is text to it, and the program's own cancellation is an end. " +
		"`transport.WithEnding` tells what they were.",
	Ask: askLangchain,
}

func askLangchain(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	llm, err := openai.New(openai.WithToken(fakeKey), openai.WithModel(model),
		openai.WithBaseURL(url+"/v1"), openai.WithHTTPClient(h))
	if err != nil {
		return err
	}
	_, err = llm.GenerateContent(ctx, []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "?")},
		llms.WithStreamingFunc(func(_ context.Context, piece []byte) error {
			if len(piece) > 0 && !say(string(piece)) {
				return errEnough
			}
			return nil
		}))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
