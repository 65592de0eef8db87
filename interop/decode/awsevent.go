package decode

import (
	"bytes"
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
)

// awsType is the content type of AWS event streams.
const awsType = "application/vnd.amazon.eventstream"

// event adds an event of an AWS event stream.
func (b *Body) event(name, payload string) {
	m := eventstream.Message{Payload: []byte(payload)}
	m.Headers.Set(":event-type", eventstream.StringValue(name))
	m.Headers.Set(":content-type", eventstream.StringValue("application/json"))
	m.Headers.Set(":message-type", eventstream.StringValue("event"))
	var out bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&out, m); err != nil {
		panic(err) // a buffer takes everything, and the headers are fixed
	}
	b.add(out.String())
}

// bedrock returns a client with credentials of nobody.
func bedrock(f *Feed) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(nowhere),
		HTTPClient: f.client(), Credentials: aws.CredentialsProviderFunc(fakeCredentials),
		Retryer: aws.NopRetryer{},
	})
}

func fakeCredentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: fakeKey, SecretAccessKey: fakeKey}, nil
}
