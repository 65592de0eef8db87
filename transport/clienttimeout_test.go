package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// What the Timeout of an http.Client makes of an answer that is cut off by it. Over
// a RoundTripper it is the caller's deadline, see TestRoundTripClientTimeout; inside
// of a provider nobody above knows of it.
func TestNextClientTimeout(t *testing.T) {
	for _, row := range []struct {
		name string
		base roundTrip
		want endwell.Fault
	}{
		{"before the response", func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, endwell.Unreachable},
		{"within the answer", func(r *http.Request) (*http.Response, error) {
			body := io.MultiReader(strings.NewReader(hel), silence{r.Context()})
			return respond(io.NopCloser(body)), nil
		}, endwell.Broken},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
					URL: "http://host.invalid/", Dialect: openai,
					Client: &http.Client{Transport: row.base, Timeout: time.Minute},
				}))
				began := time.Now()
				st, err := next.Open(t.Context(), &endwell.Request{Payload: asking})
				for err == nil {
					_, err = st.Recv()
				}
				require.Equal(t, time.Minute, time.Since(began))
				require.ErrorIs(t, err, row.want)
				require.ErrorIs(t, err, endwell.Timeout)
				if st != nil {
					require.NoError(t, st.Close())
				}
			})
		})
	}
}

// silence reads nothing until its context ends, as the body of a response does.
type silence struct{ context.Context }

// Read implements io.Reader.
func (s silence) Read([]byte) (int, error) {
	<-s.Done()
	return 0, s.Err()
}
