package clients

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"github.com/endwell-go/endwell/endwelltest"
)

var openaiResponses = Client{
	Name: "openai-go, responses", Module: "github.com/openai/openai-go/v3",
	Wire:    endwelltest.Responses,
	Retries: "`option.WithMaxRetries(0)`, as above",
	Ask:     askOpenAIResponses, Status: openAIStatus,
}

func askOpenAIResponses(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	client := newOpenAI(url, h)
	st := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{
		Model: model,
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("?")},
	})
	defer func() { _ = st.Close() }()
	for st.Next() {
		if ev := st.Current(); ev.Type == "response.output_text.delta" && !say(ev.Delta) {
			return nil
		}
	}
	return st.Err()
}
