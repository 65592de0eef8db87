package clients

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
)

// newBedrock returns a client with credentials of nobody.
func newBedrock(url string, h *http.Client) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(url),
		HTTPClient: h, Credentials: aws.CredentialsProviderFunc(fakeCredentials),
		Retryer: aws.NopRetryer{},
	})
}

func fakeCredentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: fakeKey, SecretAccessKey: fakeKey}, nil
}

// written is for smithy-go, which closes the body of a request as soon as there is a
// response. When net/http is not done with that body, as when the response comes at
// once on loopback, it takes the EOF of the closed one for a failure and closes the
// connection. So a response is handed over when its request has been written.
func written(base http.RoundTripper) http.RoundTripper { return writer{base} }

type writer struct{ base http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (w writer) RoundTrip(req *http.Request) (*http.Response, error) {
	done := make(chan struct{}, 9)
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { done <- struct{}{} },
	})
	resp, err := w.base.RoundTrip(req.WithContext(ctx))
	if err == nil {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	return resp, err
}

const bedrockRetries = "`Options.Retryer = aws.NopRetryer{}`; the default is 3 attempts, for refused and unreachable calls"

func bedrockStatus(err error) int {
	var e *awshttp.ResponseError
	if errors.As(err, &e) {
		return e.HTTPStatusCode()
	}
	return 0
}
