package decode

import (
	"context"

	"google.golang.org/genai"
)

var gemini = Pair{
	Family: "Gemini", Dialect: "gemini",
	SDK:  "google.golang.org/genai, GenerateContentResponse",
	Read: readGemini, body: geminiBody, long: 24,
}

func geminiBody(texts []string) *Body {
	b := &Body{ContentType: "text/event-stream"}
	for i, t := range texts {
		finish := ""
		if i == len(texts)-1 {
			finish = `"finishReason": "STOP",`
		}
		b.add(`data: {"candidates": [{"content": {"parts": [{"text": ` + quoted(t) + `}],"role": "model"},` + finish + `"index": 0}],` +
			`"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 18,"totalTokenCount": 27},` +
			`"modelVersion": "gemini-0-flash","responseId": "00harbour00000000000000"}` + "\r\n\r\n")
	}
	return b
}

func readGemini(f *Feed, to Sink) error {
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: fakeKey, Backend: genai.BackendGeminiAPI, HTTPClient: f.client(),
		HTTPOptions: genai.HTTPOptions{BaseURL: nowhere},
	})
	if err != nil {
		return err
	}
	finish := ""
	for r, err := range client.Models.GenerateContentStream(context.Background(), "gemini-0-flash", genai.Text("?"), nil) {
		if err != nil {
			return err
		}
		for _, c := range r.Candidates {
			for _, part := range c.Content.Parts {
				to(part.Text)
			}
			finish += string(c.FinishReason)
		}
	}
	return ended(nil, finish, "STOP")
}
