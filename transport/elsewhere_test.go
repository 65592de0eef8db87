package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// causeOfAnother is the cause with which a guard ended another call.
func causeOfAnother(t *testing.T) (cause error) {
	var clk clock.Fake
	provider := endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		clk.Advance(time.Hour)
		<-ctx.Done()
		cause = context.Cause(ctx)
		return nil, cause
	})
	guard := middleware.StallGuard(middleware.StallConfig{Bounds: middleware.Bounds{First: time.Minute}, Clock: &clk})
	_, err := guard(provider).Open(t.Context(), &endwell.Request{})
	require.ErrorIs(t, err, endwell.Stalled)
	require.ErrorIs(t, cause, endwell.Stalled)
	return cause
}

// net/http tells whoever comes next on a connection why the call before was cancelled.
// That is no verdict on this one.
func TestVerdictOfAnotherCall(t *testing.T) {
	cause := causeOfAnother(t)
	before := roundTrip(func(*http.Request) (*http.Response, error) { return nil, cause })
	within := roundTrip(func(req *http.Request) (*http.Response, error) {
		resp := respond(io.NopCloser(io.MultiReader(strings.NewReader(hel), iotest.ErrReader(cause))))
		resp.Request = req
		return resp, nil
	})
	for name, row := range map[string]struct {
		base http.RoundTripper
		want string
	}{"before the response": {before, "unreachable network"}, "within the body": {within, "broken network"}} {
		t.Run("New, "+name, func(t *testing.T) {
			next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
				URL: "http://host.invalid/", Client: &http.Client{Transport: row.base}, Dialect: dialects.MustByName("openai"),
			}))
			st, err := next.Open(t.Context(), &endwell.Request{Payload: asking})
			if err == nil {
				_, err = endwell.Collect(st)
			}
			require.Equal(t, row.want, verdict(err))
		})
		t.Run("Wrap, "+name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(row.base, transport.WrapConfig{}).RoundTrip(req)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
			}
			require.Equal(t, row.want, verdict(err))
		})
	}
}
