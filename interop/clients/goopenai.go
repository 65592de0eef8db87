package clients

import (
	"context"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/endwell-go/endwell/endwelltest"
)

var goOpenAI = Client{
	Name: "go-openai", Module: "github.com/sashabaranov/go-openai",
	Wire:    endwelltest.OpenAI,
	Retries: "it has none",
	Ask:     askGoOpenAI, Status: goOpenAIStatus,
}

func askGoOpenAI(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	cfg := openai.DefaultConfig(fakeKey)
	cfg.BaseURL, cfg.HTTPClient = url+"/v1", h
	st, err := openai.NewClientWithConfig(cfg).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{
		Model:    model,
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: "?"}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	for {
		r, err := st.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, c := range r.Choices {
			if c.Index == 0 && c.Delta.Content != "" && !say(c.Delta.Content) {
				return nil
			}
		}
	}
}

func goOpenAIStatus(err error) int {
	var e *openai.APIError
	var r *openai.RequestError
	switch {
	case errors.As(err, &e):
		return e.HTTPStatusCode
	case errors.As(err, &r):
		return r.HTTPStatusCode
	default:
		return 0
	}
}
