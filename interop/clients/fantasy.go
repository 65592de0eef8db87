package clients

import (
	"context"
	"errors"
	"net/http"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"

	"github.com/endwell-go/endwell/endwelltest"
)

// Its provider for OpenAI is left out: it does not compile with the openai-go that
// is here.
var fantasyAnthropic = Client{
	Name: "fantasy, anthropic", Module: "charm.land/fantasy",
	Wire:    endwelltest.Anthropic,
	Retries: "a `LanguageModel` has none; an `Agent` has `AgentCall.MaxRetries`",
	Keeps:   Connection,
	Hint:    "A loop over its parts that is left early leaves the answer open: cancel the context.",
	Ask:     askFantasy, Status: fantasyStatus,
}

func askFantasy(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	p, err := anthropic.New(anthropic.WithAPIKey(fakeKey), anthropic.WithBaseURL(url), anthropic.WithHTTPClient(h))
	if err != nil {
		return err
	}
	m, err := p.LanguageModel(ctx, model)
	if err != nil {
		return err
	}
	parts, err := m.Stream(ctx, fantasy.Call{Prompt: fantasy.Prompt{fantasy.NewUserMessage("?")}})
	if err != nil {
		return err
	}
	for part := range parts {
		switch part.Type {
		case fantasy.StreamPartTypeError:
			return part.Error
		case fantasy.StreamPartTypeTextDelta:
			if !say(part.Delta) {
				return nil
			}
		}
	}
	return nil
}

func fantasyStatus(err error) int {
	var e *fantasy.ProviderError
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
