package transport_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// What is handed over as it is outlives the chain, whatever contexts its decorators end.
func TestRoundTripPassedOutlivesTheChain(t *testing.T) {
	ends := func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			return next.Open(ctx, req)
		})
	}
	for name, cfg := range map[string]transport.WrapConfig{
		"no decorator": {}, "gate": gated(2), "a context of a decorator's": {Around: ends},
		"fallback": {Around: middleware.Fallback(middleware.FallbackConfig{})},
	} {
		overBoth(t, func(t *testing.T, h2 bool) {
			t.Run(name, func(t *testing.T) {
				goOn := make(chan struct{})
				part := strings.Repeat("x", 64<<10)
				b := serve(t, h2, func(x *exchange) {
					x.ResponseWriter.Header().Set("Content-Type", "image/png")
					x.send(part)
					<-goOn
					x.send(part)
				})
				resp, err := b.ask(t.Context(), b.wrap(cfg), strings.NewReader(asking))
				require.NoError(t, err)
				close(goOn)
				got, err := b.readAll(resp.Body)
				require.NoError(t, err)
				require.Equal(t, part+part, got)
			})
		})
	}
}
