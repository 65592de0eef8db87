package clients

import (
	"context"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/endwell-go/endwell/endwelltest"
)

var openaiChat = Client{
	Name: "openai-go, chat", Module: "github.com/openai/openai-go/v3",
	Wire:    endwelltest.OpenAI,
	Retries: "`option.WithMaxRetries(0)`; the default is 2, for refused and unreachable calls only",
	Ask:     askOpenAIChat, Status: openAIStatus,
}

func newOpenAI(url string, h *http.Client) openai.Client {
	return openai.NewClient(
		option.WithBaseURL(url+"/v1"), option.WithAPIKey(fakeKey),
		option.WithHTTPClient(h), option.WithMaxRetries(0),
	)
}

func askOpenAIChat(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	client := newOpenAI(url, h)
	st := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("?")},
	})
	defer func() { _ = st.Close() }()
	for st.Next() {
		for _, c := range st.Current().Choices {
			if c.Index == 0 && c.Delta.Content != "" && !say(c.Delta.Content) {
				return nil
			}
		}
	}
	return st.Err()
}

func openAIStatus(err error) int {
	var e *openai.Error
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
