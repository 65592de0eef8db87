package dialects_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
)

// A system that speaks the OpenAI chat wire, with a finish word of its own, is one
// call of Chat.
func ExampleChat() {
	mine := dialects.Chat(dialects.ChatConfig{
		Name:   "mine",
		Finish: map[string]endwell.Finish{"enough": endwell.FinishStop},
	})
	body := `data: {"choices":[{"delta":{"content":"hello"},"finish_reason":"enough"}]}` + "\n\n"
	transcript, err := endwell.Collect(mine.Stream(strings.NewReader(body), dialects.Options{}))
	fmt.Println(transcript.Text, transcript.Finish, err)
	// Output: hello stop <nil>
}

// A stream says how it ended as the wire did; the decorators judge it.
func ExampleDialect_Stream() {
	body := "event: content_block_delta\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"cut o"}}` + "\n\n"
	provider := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		start := `data: {"type":"message_start","message":{"id":"m","content":[]}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
		return dialects.MustByName("anthropic").Stream(io.MultiReader(strings.NewReader(start), strings.NewReader(body)), dialects.Options{}), nil
	})
	raw, _ := provider.Open(context.Background(), nil)
	_, err := endwell.Collect(raw)
	fmt.Println("raw:", err)

	judged, _ := middleware.Standard(middleware.Config{})(provider).Open(context.Background(), &endwell.Request{})
	transcript, err := endwell.Collect(judged)
	fmt.Println("judged:", transcript.Text, err)
	// Output:
	// raw: <nil>
	// judged: cut o endwell: truncated: malformed_response
}

func ExampleDetect() {
	first := []byte(`{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}` + "\n")
	d, ok := dialects.Detect("application/x-ndjson", "", first)
	fmt.Println(d.Name(), d.Family(), ok)
	// Output: ollama ollama true
}

func ExampleDialect_Refusal() {
	ev := dialects.MustByName("openai").Refusal(429, nil, []byte(`{"error":{"message":"…","code":"insufficient_quota"}}`))
	fmt.Println(ev.Status, ev.Code, ev)
	// Output: 429 insufficient_quota endwell: evidence: reported, status 429
}
