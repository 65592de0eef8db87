package clients

import (
	"context"
	"errors"
	"net/http"

	"google.golang.org/genai"

	"github.com/endwell-go/endwell/endwelltest"
)

var gemini = Client{
	Name: "genai", Module: "google.golang.org/genai",
	Wire:    endwelltest.Gemini,
	Retries: "off unless `HTTPOptions.RetryOptions` is set",
	Ask:     askGemini, Status: geminiStatus,
}

func askGemini(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: fakeKey, Backend: genai.BackendGeminiAPI, HTTPClient: h,
		HTTPOptions: genai.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		return err
	}
	for r, err := range client.Models.GenerateContentStream(ctx, model, genai.Text("?"), nil) {
		if err != nil {
			return err
		}
		for _, text := range geminiTexts(r) {
			if !say(text) {
				return nil
			}
		}
	}
	return nil
}

// geminiTexts are the pieces of visible text of candidate 0.
func geminiTexts(r *genai.GenerateContentResponse) (texts []string) {
	for _, c := range r.Candidates {
		if c.Index != 0 || c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			if p.Text != "" && !p.Thought {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts
}

func geminiStatus(err error) int {
	var e genai.APIError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}
