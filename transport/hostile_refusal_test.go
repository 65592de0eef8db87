package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// refusals are unsuccessful answers that mean harm.
var refusals = []struct {
	name    string
	status  int
	header  [2]string
	parts   []part
	verdict string
	wait    time.Duration
}{
	{"an endless error body", 500, [2]string{}, []part{gigabyte()}, "refused server_error", 0},
	{"an endless error document", 500, [2]string{}, []part{just(`{"error":{"message":"`), gigabyte()}, "refused server_error", 0},
	{"a bomb in place of an error", 503, [2]string{"Content-Encoding", "gzip"}, []part{forever(zeros())}, "refused overloaded", 0},
	{"a redirect to itself", 307, [2]string{"Location", peerURL}, nil, "refused request_invalid", 0},
	{"a redirect to another host", 307, [2]string{"Location", "https://other.test/"}, nil, "refused request_invalid", 0},
	{"a huge Retry-After", 429, [2]string{"Retry-After", "99999999999999999999999"}, nil, "refused rate_limited", classify.MaxRetryAfter},
	{"a Retry-After that cannot be read", 429, [2]string{"Retry-After", strings.Repeat("9", 64<<10)}, nil, "refused rate_limited", 0},
}

// An error body is read as far as it is worth, a redirect is not followed without an
// end, and a wait that does not fit is not waited for.
func TestHostileRefusals(t *testing.T) {
	collectOften(t)
	all := newReport(t)
	for _, row := range refusals {
		t.Run(row.name, func(t *testing.T) {
			clk, asked := new(clock.Fake), 0
			body := &flood{parts: append([]part(nil), row.parts...), clock: clk}
			base := answering(func(*http.Request) *http.Response {
				asked++
				h := http.Header{row.header[0]: {row.header[1]}}
				return &http.Response{StatusCode: row.status, Header: h, Body: body, ContentLength: -1}
			})
			next := middleware.Standard(middleware.Config{Clock: clk, Retry: middleware.RetryConfig{
				Policy: retry.Always(&retry.Policy{MaxAttempts: 3, Retry: func(e *endwell.Error) bool { return e.RetryAfter > 0 }}),
			}})(transport.New(transport.Config{URL: peerURL, Client: newClient(base)}))
			var f figures
			var err error
			f.peak, f.took = peakOf(func() { _, err = next.Open(t.Context(), &endwell.Request{Payload: asking}) })
			f.verdict, f.sent = verdict(err), body.read
			all.row(row.name, "New", f, small)
			f.endsIn(t, row.verdict, small)
			require.LessOrEqual(t, asked, 10)
			require.LessOrEqual(t, body.read, int64(64<<10))
			var e *endwell.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, row.wait, e.RetryAfter)
			if row.status == 429 {
				require.Equal(t, 1, asked, "the wait does not fit")
			}
		})
	}
}

// newClient is a client with the rules of New's own.
func newClient(base http.RoundTripper) *http.Client {
	return &http.Client{Transport: base, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) >= 10 || r.URL.Host != via[0].URL.Host {
			return http.ErrUseLastResponse
		}
		return nil
	}}
}

// An error body that does not come is waited for a little, and the refusal is known all
// the same. With Wrap, what comes of it later still reaches the client.
func TestHostileSilentRefusal(t *testing.T) {
	answer := func(body io.ReadCloser) answering {
		return func(*http.Request) *http.Response {
			return &http.Response{StatusCode: 500, Header: http.Header{}, Body: body, ContentLength: -1}
		}
	}
	t.Run("New", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			body, _ := io.Pipe()
			begun := time.Now()
			err := askNew(t.Context(), question{base: answer(body), clock: new(clock.Fake), payload: asking})
			require.Equal(t, "refused server_error", verdict(err))
			require.Equal(t, 5*time.Second, time.Since(begun))
		})
	})
	t.Run("Wrap", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			body, _ := io.Pipe()
			begun := time.Now()
			ctx, ending := transport.WithEnding(t.Context())
			client := &http.Client{Transport: transport.Wrap(answer(body), transport.WrapConfig{})}
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, peerURL, strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := client.Do(req)
			require.NoError(t, err)
			require.Equal(t, 500, resp.StatusCode)
			require.Equal(t, "refused server_error", verdict(ending.Err()))
			require.Equal(t, 5*time.Second, time.Since(begun))
			require.NoError(t, resp.Body.Close())
		})
	})
}

// The body of a refused call is handed over as it is: how much of an endless one is
// read is the client's affair. It is not read ahead of him beyond a bound.
func TestHostileRefusalUnderWrap(t *testing.T) {
	clk := new(clock.Fake)
	body := &flood{parts: []part{gigabyte()}, clock: clk}
	base := answering(func(*http.Request) *http.Response {
		return &http.Response{StatusCode: 500, Header: http.Header{}, Body: body, ContentLength: -1}
	})
	client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{Clock: clk})}
	resp, err := client.Post(peerURL, "application/json", strings.NewReader(asking))
	require.NoError(t, err)
	require.Equal(t, 500, resp.StatusCode)
	require.LessOrEqual(t, body.read, int64(64<<10))
	n, err := io.CopyN(io.Discard, resp.Body, 1<<20)
	require.NoError(t, err)
	require.EqualValues(t, 1<<20, n)
	require.NoError(t, resp.Body.Close())
	require.True(t, body.closed.Load())
}
