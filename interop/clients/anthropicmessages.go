package clients

import (
	"context"
	"errors"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/endwell-go/endwell/endwelltest"
)

var anthropicMessages = Client{
	Name: "anthropic-sdk-go", Module: "github.com/anthropics/anthropic-sdk-go/v2",
	Wire:    endwelltest.Anthropic,
	Retries: "`option.WithMaxRetries(0)`; the default is 2, for refused and unreachable calls only",
	Ask:     askAnthropic, Status: anthropicStatus,
}

func askAnthropic(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	client := anthropic.NewClient(
		option.WithBaseURL(url), option.WithAPIKey(fakeKey),
		option.WithHTTPClient(h), option.WithMaxRetries(0),
	)
	st := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model: model, MaxTokens: 99,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("?"))},
	})
	defer func() { _ = st.Close() }()
	for st.Next() {
		if ev := st.Current(); ev.Delta.Type == "text_delta" && !say(ev.Delta.Text) {
			return nil
		}
	}
	return st.Err()
}

func anthropicStatus(err error) int {
	var e *anthropic.Error
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
