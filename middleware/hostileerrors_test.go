package middleware_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// selfish wraps itself.
type selfish struct{}

func (*selfish) Error() string   { return "selfish" }
func (s *selfish) Unwrap() error { return s }

// hostileErrors are errors on which package errors panics, or does not come back.
var hostileErrors = map[string]error{
	"a nil pointer, whose Unwrap panics": (*url.Error)(nil),
	"a nil pointer that is wrapped":      fmt.Errorf("x: %w", (*os.PathError)(nil)),
	"a nil error of ours":                (*endwell.Error)(nil),
	"nil evidence":                       (*endwell.Evidence)(nil),
	"one that wraps itself":              &selfish{},
}

// What a provider returns is its own affair: it ends the stream, and neither the program
// nor the stream hangs.
func TestHostileErrors(t *testing.T) {
	for name, hostile := range hostileErrors {
		for how, steps := range map[string][]step{
			"at Open":           {fails(0, hostile)},
			"at the first Recv": in(hostile),
			"behind a word":     in(hello, hostile),
		} {
			for kind, mw := range map[string]endwell.Middleware{
				"Standard": middleware.Standard(middleware.Config{}),
				"with retries": middleware.Standard(middleware.Config{
					Retry: middleware.RetryConfig{Policy: retry.Always(&retry.Policy{MaxAttempts: 2})},
				}),
				"Fallback": middleware.Fallback(middleware.FallbackConfig{To: []middleware.Alternative{{Name: "other", Next: &provider{open: fails(0, io.ErrClosedPipe)}}}}),
			} {
				t.Run(name+", "+how+", "+kind, func(t *testing.T) {
					p := &provider{steps: steps}
					if how == "at Open" {
						p = &provider{open: steps[0]}
					}
					_, ending := collect(t, mw(p))
					require.Error(t, ending)
					if kind == "Fallback" {
						return
					}
					e := requireError(t, ending)
					require.NotNil(t, e)
					require.Equal(t, endwell.Unclassified, e.Category)
					require.NotEmpty(t, e.Error()+e.Message())
					_, err := json.Marshal(e)
					require.NoError(t, err)
				})
			}
		}
	}
}
