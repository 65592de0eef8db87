package proxy

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
	"github.com/endwell-go/endwell/retry"
)

// With more attempts, what fails before the first output is sent again, whole.
func TestAttempts(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	for name, row := range map[string]struct {
		attempts int
		first    endwelltest.Step
		asked    int
		status   int
		endings  []string
	}{
		"an error first":        {2, endwelltest.Script(w.Begin(), w.Fault("server_error", "no")), 2, 200, []string{"failed", "whole"}},
		"a reset before it all": {2, endwelltest.Reset(), 2, 200, []string{"failed", "whole"}},
		"overloaded":            {2, w.Refuse(503, "overloaded", "no"), 2, 200, []string{"failed", "whole"}},
		"a wrong key":           {2, w.Refuse(401, "invalid_api_key", "no"), 1, 401, []string{"failed"}},
		"a single attempt":      {1, w.Refuse(503, "overloaded", "no"), 1, 503, []string{"failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			var ledger bytes.Buffer
			lines := retry.NewJSONLines(&ledger)
			b := start(t, endwelltest.NewGateway(row.first, w.Answer("hello")), Config{Attempts: row.attempts, Ledger: lines})
			got := b.raw(t, chatPath, asking, "", nil, "Authorization", "Bearer "+testKey)
			require.Equal(t, row.status, got.head.StatusCode)
			require.False(t, got.aborted)
			for _, r := range b.Requests() {
				require.Equal(t, asking, string(r.Body))
			}
			require.Equal(t, row.asked, b.Count())
			require.Contains(t, b.metrics(t), "endwell_retries_total "+itoa(row.asked-1)+"\n")
			var endings []string
			require.NotContains(t, ledger.String(), testKey)
			for line := range strings.Lines(ledger.String()) {
				var e struct{ Ending string }
				require.NoError(t, json.Unmarshal([]byte(line), &e))
				endings = append(endings, e.Ending)
			}
			require.Equal(t, row.endings, endings)
		})
	}
}

func TestMetrics(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	b := start(t, endwelltest.NewGateway(
		w.Answer("hello"), w.Answer("hello"), endwelltest.Script(w.Begin(), w.Text("one")), w.Refuse(429, "rate_limit_exceeded", "no"),
		endwelltest.Document(200, "application/json", "{}"),
	), Config{})
	for range 4 {
		b.raw(t, chatPath, asking, "", nil)
	}
	b.raw(t, "/v1/embeddings", "{}", "", nil)
	require.Eventually(t, func() bool { return strings.Count(b.log.String(), "msg=exchange") == 5 }, patience, 1)
	got := b.metrics(t)
	for _, line := range []string{
		`endwell_streams_total{ending="whole"} 2`,
		`endwell_streams_total{ending="canceled"} 0`,
		`endwell_streams_total{ending="failed",fault="truncated",category="malformed_response"} 1`,
		`endwell_streams_total{ending="failed",fault="refused",category="rate_limited"} 1`,
		`endwell_open_streams 0`, `endwell_retries_total 0`,
		`endwell_first_emission_seconds_bucket{le="+Inf"} 3`, `endwell_first_emission_seconds_count 3`,
		`# TYPE endwell_streams_total counter`, `# TYPE endwell_open_streams gauge`, `# TYPE endwell_first_emission_seconds histogram`,
	} {
		require.Contains(t, got, line+"\n")
	}
}

// GET of the proxy's own paths does not reach the upstream, and nothing else is the
// proxy's own.
func TestOwnPaths(t *testing.T) {
	leaktest.Check(t)
	b := start(t, endwelltest.NewGateway(endwelltest.Document(200, "text/plain", "upstream")), Config{})
	for _, row := range []struct {
		method, path string
		own          bool
	}{
		{"GET", "/healthz", true},
		{"HEAD", "/healthz", true},
		{"GET", "/metrics", true},
		{"POST", "/metrics", false},
		{"GET", "/v1/metrics", false},
		{"GET", "/healthz/", false},
		{"GET", "/", false},
	} {
		before := b.Count()
		req, err := http.NewRequestWithContext(within(t), row.method, b.url+row.path, nil)
		require.NoError(t, err)
		resp, err := own().RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 200, resp.StatusCode)
		require.Equal(t, row.own, b.Count() == before, row.path)
	}
}
