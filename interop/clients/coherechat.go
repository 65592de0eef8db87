package clients

import (
	"context"
	"errors"
	"io"
	"net/http"

	cohere "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/client"
	"github.com/cohere-ai/cohere-go/v2/core"
	"github.com/cohere-ai/cohere-go/v2/option"

	"github.com/endwell-go/endwell/endwelltest"
)

var cohereChat = Client{
	Name: "cohere-go, v2 chat", Module: "github.com/cohere-ai/cohere-go/v2",
	Wire:    endwelltest.Cohere,
	Retries: "`option.WithMaxAttempts(1)`; the default is 2, for refused calls",
	Above:   blankLater,
	Hint: "As it is, it fails at a blank line that arrives by itself, and so at most whole answers whose events come one by one, " +
		"with endwell and without. Here a reader of some lines, `blank.go`, holds blank lines back until the next event, on both sides.",
	Ask: askCohere, Status: cohereStatus,
}

func askCohere(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	c := client.NewClient(
		option.WithBaseURL(url), option.WithToken(fakeKey),
		option.WithHTTPClient(h), option.WithMaxAttempts(1),
	)
	st, err := c.V2.ChatStream(ctx, &cohere.V2ChatStreamRequest{
		Model: model,
		Messages: cohere.ChatMessages{{Role: "user", User: &cohere.UserMessageV2{
			Content: &cohere.UserMessageV2Content{String: "?"},
		}}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	for {
		ev, err := st.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if text := cohereText(ev); text != "" && !say(text) {
			return nil
		}
	}
}

func cohereText(ev cohere.V2ChatStreamResponse) string {
	d := ev.ContentDelta
	if d == nil || d.Delta == nil || d.Delta.Message == nil || d.Delta.Message.Content == nil || d.Delta.Message.Content.Text == nil {
		return ""
	}
	return *d.Delta.Message.Content.Text
}

func cohereStatus(err error) int {
	var e *core.APIError
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
