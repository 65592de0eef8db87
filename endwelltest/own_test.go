package endwelltest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

// provider is the project's own provider in a dialect.
func provider(w endwelltest.Wire, mw endwell.Middleware) endwelltest.Provider {
	return func(url string, client *http.Client) endwell.Next {
		return endwell.Chain(mw)(transport.New(transport.Config{
			URL: url + "/v1/messages", Client: client, Dialect: dialects.MustByName(w.Dialect()),
		}))
	}
}

func TestOwnProviders(t *testing.T) {
	standard := middleware.Standard(middleware.Config{Retry: middleware.RetryConfig{Policy: retry.Always(retry.Default())}})
	for _, w := range endwelltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			quiet(t)
			endwelltest.TestNext(t, endwelltest.Behind(t, w.In, provider(w, nil)))
		})
		t.Run(w.String()+" over HTTP/2", func(t *testing.T) {
			quiet(t)
			endwelltest.TestNext(t, endwelltest.BehindHTTP2(t, w.In, provider(w, nil)))
		})
		t.Run(w.String()+" below the standard stack", func(t *testing.T) {
			quiet(t)
			endwelltest.TestNext(t, endwelltest.Behind(t, w.In, provider(w, standard)))
		})
	}
}

func TestOwnProviderDetecting(t *testing.T) {
	quiet(t)
	endwelltest.TestNext(t, endwelltest.Behind(t, endwelltest.OpenAI.In, func(url string, client *http.Client) endwell.Next {
		return transport.New(transport.Config{URL: url, Client: client})
	}))
}

// TestOwnSequences checks what the root package makes streams of. A sequence cannot
// be unblocked but by its context, so it hangs on that.
func TestOwnSequences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endwelltest.TestNext(t, func(s endwelltest.Situation) endwell.Next {
			return endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
				if s == endwelltest.NeverOpens {
					<-ctx.Done()
				}
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				return endwell.FromSeq(sequence(ctx, s)), nil
			})
		})
	})
}

func sequence(ctx context.Context, s endwelltest.Situation) func(func(endwell.Chunk, error) bool) {
	return func(yield func(endwell.Chunk, error) bool) {
		if s == endwelltest.Refuses {
			yield(endwell.Chunk{}, errBroken)
			return
		}
		if !yield(endwell.Chunk{Kind: endwell.KindText, Text: "a"}, nil) {
			return
		}
		switch s {
		case endwelltest.Hangs:
			<-ctx.Done()
			yield(endwell.Chunk{}, ctx.Err())
		case endwelltest.Fails:
			yield(endwell.Chunk{}, errBroken)
		default:
			yield(endwell.Chunk{Kind: endwell.KindFinish, Finish: endwell.FinishStop, End: endwell.Ended}, nil)
		}
	}
}

var (
	errBroken = errors.New("connection reset by peer")
	reported  = &endwell.Evidence{InBand: true, Type: "overloaded_error"}
	refused   = &endwell.Evidence{Status: 503}
)

func TestOwnDecorators(t *testing.T) {
	quietly := slog.New(slog.DiscardHandler)
	elsewhere := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, errBroken })
	policy := retry.Default()
	policy.Ledger = retry.NewRing(4)
	for _, tc := range []struct {
		name    string
		mw      endwell.Middleware
		foreign []error
	}{
		{"PayloadGuard", middleware.PayloadGuard(), []error{errBroken}},
		{"StallGuard", middleware.StallGuard(middleware.StallConfig{}), []error{errBroken, refused, reported}},
		{"SentinelCheck", middleware.SentinelCheck(middleware.SentinelConfig{}), []error{errBroken, refused, reported}},
		{"EmptyGate", middleware.EmptyGate(middleware.EmptyConfig{}), []error{errBroken, refused, reported}},
		{"ToolCallGuard", middleware.ToolCallGuard(), []error{errBroken, refused, reported}},
		{"Classifier", middleware.Classifier(middleware.ClassifierConfig{}), nil},
		{"RetryGate", middleware.RetryGate(middleware.RetryConfig{Policy: retry.Always(policy)}), []error{errBroken, refused, reported}},
		{"RetryGate without a policy", middleware.RetryGate(middleware.RetryConfig{}), []error{errBroken, refused, reported}},
		{"Fallback", middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{Next: elsewhere}}}), []error{errBroken, refused, reported}},
		{"Observe", middleware.Observe(middleware.ObserveConfig{Report: func(context.Context, middleware.Report) {}}), []error{errBroken, refused, reported}},
		{"Log", middleware.Log(middleware.LogConfig{Logger: quietly, Start: true}), []error{errBroken, refused, reported}},
		{"Detach", middleware.Detach(), []error{errBroken, refused, reported}},
		{"Standard", middleware.Standard(middleware.Config{Retry: middleware.RetryConfig{Policy: retry.Always(policy)}}), nil},
		{"a chain of nothing", endwell.Chain(), []error{errBroken, io.ErrUnexpectedEOF}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { endwelltest.TestMiddleware(t, tc.mw, tc.foreign...) })
		})
	}
}

func TestOwnReplay(t *testing.T) {
	tapes := map[endwelltest.Situation]string{
		endwelltest.Answers: `{"at_ms":0,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n"}
{"at_ms":5,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}
{"at_ms":9,"end":"eof"}`,
		endwelltest.Fails: `{"at_ms":0,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n"}
{"at_ms":9,"end":"reset"}`,
		endwelltest.Hangs: `{"at_ms":0,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n"}
{"at_ms":9,"end":"hang"}`,
	}
	synctest.Test(t, func(t *testing.T) {
		endwelltest.TestNext(t, func(s endwelltest.Situation) endwell.Next {
			lines, ok := tapes[s]
			if !ok {
				return nil
			}
			tp, err := tape.Read(strings.NewReader(`{"tape":1,"dialect":"openai"}` + "\n" + lines + "\n"))
			require.NoError(t, err)
			return endwelltest.Replay(tp, nil, nil)
		})
	})
}
