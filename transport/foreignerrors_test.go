package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// selfish wraps itself.
type selfish struct{}

func (*selfish) Error() string   { return "selfish" }
func (s *selfish) Unwrap() error { return s }

// foreignErrors are errors on which package errors panics, or does not come back.
var foreignErrors = map[string]error{
	"a nil pointer that is wrapped": fmt.Errorf("x: %w", (*os.PathError)(nil)),
	"a nil error of ours":           (*endwell.Error)(nil),
	"nil evidence":                  (*endwell.Evidence)(nil),
	"one that wraps itself":         &selfish{},
}

// A reader that breaks its contract is the program's fault, and no reason to ask again.
func TestBodyThatBreaksItsContract(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/x"} {
		base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(io.NopCloser(tooMuch{})), nil })
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(asks(t.Context(), "http://host.invalid"+path))
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		var e *endwell.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "broken unclassified", verdict(err))
		require.Contains(t, e.Message(), "The program is at fault")
		require.False(t, e.Transient)
	}
}

// tooMuch is a reader that says it has read more than there was room for.
type tooMuch struct{}

func (tooMuch) Read(p []byte) (int, error) { return len(p) + 1, nil }

// A base, a body and a host's Prepare may return whatever they like.
func TestForeignErrors(t *testing.T) {
	for name, foreign := range foreignErrors {
		for _, cfg := range []transport.WrapConfig{{}, gated(2)} {
			for how, base := range map[string]roundTrip{
				"base": func(*http.Request) (*http.Response, error) { return nil, foreign },
				"body": func(*http.Request) (*http.Response, error) {
					return respond(io.NopCloser(iotest.ErrReader(foreign))), nil
				},
				"refused": func(*http.Request) (*http.Response, error) {
					resp := respond(io.NopCloser(iotest.ErrReader(foreign)))
					resp.StatusCode = http.StatusServiceUnavailable
					return resp, nil
				},
			} {
				t.Run(name+", "+how, func(t *testing.T) {
					resp, err := transport.Wrap(base, cfg).RoundTrip(asks(t.Context(), "http://host.invalid/v1/chat/completions"))
					if err == nil {
						_, err = io.ReadAll(resp.Body)
						require.NoError(t, resp.Body.Close())
						if how == "refused" {
							return // what is refused passes, with as much of its body as there is
						}
					}
					require.Error(t, err)
				})
			}
		}
		t.Run(name+", Prepare", func(t *testing.T) {
			next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
				URL:     "http://host.invalid/v1/chat/completions",
				Prepare: func(*http.Request, *endwell.Request) error { return foreign },
			}))
			_, err := next.Open(context.WithoutCancel(t.Context()), &endwell.Request{Payload: "{}"})
			var e *endwell.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "unreachable request_invalid", verdict(err))
			require.NotErrorIs(t, err, io.ErrNoProgress)
			var theirs *url.Error
			require.False(t, errors.As(err, &theirs))
		})
	}
}
