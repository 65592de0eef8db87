package clients

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/schema"

	"github.com/endwell-go/endwell/endwelltest"
)

var eino = Client{
	Name: "eino-ext, openai", Module: "github.com/cloudwego/eino-ext/components/model/openai",
	Wire:    endwelltest.OpenAI,
	Retries: "it has none",
	Ask:     askEino, Status: einoStatus,
}

func askEino(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	m, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		APIKey: fakeKey, Model: model, BaseURL: url + "/v1", HTTPClient: h,
	})
	if err != nil {
		return err
	}
	st, err := m.Stream(ctx, []*schema.Message{schema.UserMessage("?")})
	if err != nil {
		return err
	}
	defer st.Close()
	for {
		msg, err := st.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if msg.Content != "" && !say(msg.Content) {
			return nil
		}
	}
}

func einoStatus(err error) int {
	var e *openai.APIError
	if errors.As(err, &e) {
		return e.HTTPStatusCode
	}
	return 0
}
