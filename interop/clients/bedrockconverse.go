package clients

import (
	"context"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/endwell-go/endwell/endwelltest"
)

var bedrockConverse = Client{
	Name: "bedrockruntime, ConverseStream", Module: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime",
	Wire:    endwelltest.BedrockConverse,
	Retries: bedrockRetries,
	Below:   written,
	Ask:     askConverse, Status: bedrockStatus,
}

func askConverse(ctx context.Context, url string, h *http.Client, say func(string) bool) error {
	out, err := newBedrock(url, h).ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{
		ModelId: aws.String(model),
		Messages: []types.Message{{
			Role:    types.ConversationRoleUser,
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: "?"}},
		}},
	})
	if err != nil {
		return err
	}
	st := out.GetStream()
	defer func() { _ = st.Close() }()
	for ev := range st.Events() {
		ev, ok := ev.(*types.ConverseStreamOutputMemberContentBlockDelta)
		if !ok {
			continue
		}
		if d, ok := ev.Value.Delta.(*types.ContentBlockDeltaMemberText); ok && !say(d.Value) {
			return nil
		}
	}
	return st.Err()
}
