package decode

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

// The SDK stops at the bytes of the model's own event, so the reader decodes those
// into the smallest struct that has the text.
var invoke = Pair{
	Family: "Bedrock InvokeModel", Dialect: "bedrock-invoke",
	SDK:  "aws-sdk-go-v2 bedrockruntime, PayloadPart, and encoding/json into a struct of four fields",
	Read: readInvoke, body: invokeBody, long: 24,
}

func invokeBody(texts []string) *Body {
	b := &Body{ContentType: awsType}
	for _, e := range claudeEvents(texts) {
		b.event("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(e.data))+`","p":"abcdefgh"}`)
	}
	return b
}

func readInvoke(f *Feed, to Sink) error {
	out, err := bedrock(f).InvokeModelWithResponseStream(context.Background(),
		&bedrockruntime.InvokeModelWithResponseStreamInput{ModelId: aws.String("harbour")})
	if err != nil {
		return err
	}
	st := out.GetStream()
	last := ""
	for ev := range st.Events() {
		part, ok := ev.(*types.ResponseStreamMemberChunk)
		if !ok {
			continue
		}
		var e struct {
			Type  string `json:"type"`
			Delta struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"delta"`
		}
		if err := json.Unmarshal(part.Value.Bytes, &e); err != nil {
			return err
		}
		last = e.Type
		if e.Delta.Type == "text_delta" {
			to(e.Delta.Text)
		}
	}
	if err := st.Close(); err != nil {
		return err
	}
	return ended(st.Err(), last, "message_stop")
}
