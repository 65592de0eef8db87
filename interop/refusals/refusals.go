// Package refusals shows how errors that an SDK has already made are classified: a
// host gives them the method that classify.Refusal asks for, which is a few lines an
// SDK. Copy what you need; nothing here is meant to be imported.
package refusals

import (
	"context"
	"errors"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/openai/openai-go/v3"

	"github.com/endwell-go/endwell"
)

// OpenAI is an error of openai-go as a classify.Refusal.
type OpenAI struct{ Err *openai.Error }

// Refusal is what the SDK kept of the response: RawJSON is the error document.
func (e OpenAI) Refusal() (int, http.Header, []byte) {
	return e.Err.StatusCode, e.Err.Response.Header, []byte(e.Err.RawJSON())
}

// Error is the SDK's own text.
func (e OpenAI) Error() string { return e.Err.Error() }

// Unwrap returns the SDK's own error.
func (e OpenAI) Unwrap() error { return e.Err }

// Anthropic is an error of anthropic-sdk-go as a classify.Refusal.
type Anthropic struct{ Err *anthropic.Error }

// Refusal is what the SDK kept of the response.
func (e Anthropic) Refusal() (int, http.Header, []byte) {
	return e.Err.StatusCode, e.Err.Response.Header, []byte(e.Err.RawJSON())
}

// Error is the SDK's own text.
func (e Anthropic) Error() string { return e.Err.Error() }

// Unwrap returns the SDK's own error.
func (e Anthropic) Unwrap() error { return e.Err }

// Adapt is a decorator for a provider that wraps one of the SDKs: it stands right
// around the provider, below the Classifier.
func Adapt(next endwell.Next) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		st, err := next.Open(ctx, req)
		return st, refusal(err)
	})
}

func refusal(err error) error {
	var o *openai.Error
	var a *anthropic.Error
	switch {
	case errors.As(err, &o) && o.Response != nil:
		return OpenAI{o}
	case errors.As(err, &a) && a.Response != nil:
		return Anthropic{a}
	default:
		return err
	}
}
