package decode

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

var converse = Pair{
	Family: "Bedrock ConverseStream", Dialect: "bedrock-converse",
	SDK:  "aws-sdk-go-v2 bedrockruntime, ConverseStreamOutput",
	Read: readConverse, body: converseBody, long: 80,
}

func converseBody(texts []string) *Body {
	b := &Body{ContentType: awsType}
	const pad = `"p":"abcdefghijklmnopqrstuvwxyzABCDE"}`
	b.event("messageStart", `{"role":"assistant",`+pad)
	for _, t := range texts {
		b.event("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":`+quoted(t)+`},`+pad)
	}
	b.event("contentBlockStop", `{"contentBlockIndex":0,`+pad)
	b.event("messageStop", `{"stopReason":"end_turn",`+pad)
	b.event("metadata", `{"metrics":{"latencyMs":9},"usage":{"inputTokens":9,"outputTokens":9,"totalTokens":18},`+pad)
	return b
}

func readConverse(f *Feed, to Sink) error {
	out, err := bedrock(f).ConverseStream(context.Background(),
		&bedrockruntime.ConverseStreamInput{ModelId: aws.String("harbour")})
	if err != nil {
		return err
	}
	st := out.GetStream()
	stop := ""
	for ev := range st.Events() {
		switch ev := ev.(type) {
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			if d, ok := ev.Value.Delta.(*types.ContentBlockDeltaMemberText); ok {
				to(d.Value)
			}
		case *types.ConverseStreamOutputMemberMessageStop:
			stop += string(ev.Value.StopReason)
		}
	}
	if err := st.Close(); err != nil {
		return err
	}
	return ended(st.Err(), stop, "end_turn")
}
