package clients

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"

	"github.com/endwell-go/endwell/endwelltest"
)

// It never asks its scanner for the error, so that a body that breaks off is an end to
// it: transport.Wrap reports faults of Ollama's API in a line of Ollama's besides.
var ollama = Client{
	Name: "ollama/api", Module: "github.com/ollama/ollama", Wire: endwelltest.Ollama,
	Retries: "it has none",
	Keeps:   Types | Cancellation,
	Hint: "It never asks its scanner for the error, and so takes a body that breaks off, and the program's own cancellation, for an end. " +
		"endwell reports faults in a line of Ollama's besides, of which it makes text: `transport.WithEnding` has the type.",
	Ask: askOllama, Status: ollamaStatus,
}

func askOllama(ctx context.Context, at string, h *http.Client, say func(string) bool) error {
	base, err := url.Parse(at)
	if err != nil {
		return err
	}
	err = api.NewClient(base, h).Chat(ctx, &api.ChatRequest{
		Model: model, Messages: []api.Message{{Role: "user", Content: "?"}},
	}, func(r api.ChatResponse) error {
		if r.Message.Content != "" && !say(r.Message.Content) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func ollamaStatus(err error) int {
	var s api.StatusError
	var a api.AuthorizationError
	switch {
	case errors.As(err, &s):
		return s.StatusCode
	case errors.As(err, &a):
		return a.StatusCode
	default:
		return 0
	}
}
