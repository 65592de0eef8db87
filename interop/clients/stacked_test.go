package clients

import (
	"context"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/cenkalti/backoff/v4"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// retrying are SDKs with the retries that they have when nothing is said: two.
var retrying = map[string]struct {
	wire endwelltest.Wire
	ask  func(ctx context.Context, url string, h *http.Client) error
}{
	"openai-go": {endwelltest.OpenAI, func(ctx context.Context, url string, h *http.Client) error {
		client := openai.NewClient(openaioption.WithBaseURL(url+"/v1"), openaioption.WithAPIKey(fakeKey), openaioption.WithHTTPClient(h))
		st := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
			Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("?")},
		})
		defer func() { _ = st.Close() }()
		for st.Next() {
		}
		return st.Err()
	}},
	"anthropic-sdk-go": {endwelltest.Anthropic, func(ctx context.Context, url string, h *http.Client) error {
		client := anthropic.NewClient(anthropicoption.WithBaseURL(url), anthropicoption.WithAPIKey(fakeKey), anthropicoption.WithHTTPClient(h))
		st := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
			Model: model, MaxTokens: 99,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("?"))},
		})
		defer func() { _ = st.Close() }()
		for st.Next() {
		}
		return st.Err()
	}},
}

// twice is a policy of two attempts.
func twice() transport.WrapConfig {
	return transport.WrapConfig{Retry: middleware.RetryConfig{Policy: retry.Always(&retry.Policy{
		MaxAttempts: 2, NewBackOff: func() backoff.BackOff { return new(backoff.ZeroBackOff) },
	})}}
}

// An SDK's own retries multiply with those of a policy where a call is refused, and do
// not come on top where an answer fails that has begun.
func TestRetriesStack(t *testing.T) {
	for name, sdk := range retrying {
		soon := endwelltest.Header("Retry-After-Ms", "1")
		refused := endwelltest.Script(soon, sdk.wire.Refuse(http.StatusInternalServerError, sdk.wire.Token(500), "This is a test."))
		fault, _ := endwelltest.EndingByName("error-first")
		for what, row := range map[string]struct {
			cfg   *transport.WrapConfig
			step  endwelltest.Step
			asked int
		}{
			"refused, without endwell":           {nil, refused, 3},
			"refused, with endwell":              {new(transport.WrapConfig), refused, 3},
			"refused, with a policy of two":      {new(twice()), refused, 6},
			"an error frame, without endwell":    {nil, fault.Step(sdk.wire), 1},
			"an error frame, with endwell":       {new(transport.WrapConfig), fault.Step(sdk.wire), 1},
			"an error frame, with a policy of 2": {new(twice()), fault.Step(sdk.wire), 2},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				g := endwelltest.NewGateway(row.step)
				defer g.Close()
				h := g.Client()
				if row.cfg != nil {
					h.Transport = transport.Wrap(h.Transport, *row.cfg)
				}
				ctx, ending := transport.WithEnding(t.Context())
				require.Error(t, sdk.ask(ctx, g.URL, h))
				require.Equal(t, row.asked, g.Count())
				if row.cfg != nil {
					require.ErrorIs(t, ending.Err(), endwell.ServerError)
				}
			})
		}
	}
}
