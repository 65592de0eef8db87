package decode

import (
	"context"
	"net/url"

	"github.com/ollama/ollama/api"
)

var ollama = Pair{
	Family: "Ollama", Dialect: "ollama",
	SDK:  "ollama/api, ChatResponse",
	Read: readOllama, body: ollamaBody, long: 150,
}

func ollamaBody(texts []string) *Body {
	b := &Body{ContentType: "application/x-ndjson"}
	line := func(text, rest string) {
		b.add(`{"model":"harbour:0b","created_at":"2026-01-01T00:00:00.123456Z","message":{"role":"assistant","content":` +
			text + `},"done":` + rest + "}\n")
	}
	for _, t := range texts {
		line(quoted(t), "false")
	}
	line(`""`, `true,"done_reason":"stop","total_duration":9,"load_duration":9,"prompt_eval_count":9,`+
		`"prompt_eval_duration":9,"eval_count":9,"eval_duration":9`)
	return b
}

func readOllama(f *Feed, to Sink) error {
	base, err := url.Parse(nowhere)
	if err != nil {
		return err
	}
	reason := ""
	err = api.NewClient(base, f.client()).Chat(context.Background(), &api.ChatRequest{},
		func(r api.ChatResponse) error {
			if r.Message.Content != "" {
				to(r.Message.Content)
			}
			reason += r.DoneReason
			return nil
		})
	return ended(err, reason, "stop")
}
