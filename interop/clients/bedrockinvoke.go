package clients

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/endwell-go/endwell/endwelltest"
)

var bedrockInvoke = Client{
	Name: "bedrockruntime, InvokeModel", Module: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime",
	Wire:    endwelltest.BedrockInvoke,
	Retries: "as above",
	Below:   written,
	Ask:     askInvoke, Status: bedrockStatus,
}

// The SDK stops at the bytes of the model's own event; a program decodes those.
func askInvoke(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	out, err := newBedrock(url, h).InvokeModelWithResponseStream(ctx,
		&bedrockruntime.InvokeModelWithResponseStreamInput{ModelId: aws.String(model), Body: []byte(`{"messages":[]}`)})
	if err != nil {
		return err
	}
	st := out.GetStream()
	defer func() { _ = st.Close() }()
	for ev := range st.Events() {
		part, ok := ev.(*types.ResponseStreamMemberChunk)
		if !ok {
			continue
		}
		text, err := invokedText(part.Value.Bytes)
		if err != nil {
			return err
		}
		if text != "" && !say(text) {
			return nil
		}
	}
	return st.Err()
}

// invokedText is the text in an event of Anthropic's.
func invokedText(event []byte) (string, error) {
	var e struct {
		Delta struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"delta"`
	}
	err := json.Unmarshal(event, &e)
	if e.Delta.Type != "text_delta" {
		return "", err
	}
	return e.Delta.Text, err
}
