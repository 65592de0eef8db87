package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// silent is a base that reads the request and never answers.
func silent(req *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return nil, err
	}
	_ = req.Body.Close()
	<-req.Context().Done()
	return nil, context.Cause(req.Context())
}

// A body that can be read once and has a length is read before it is sent, so that the
// bounds run from the beginning.
func TestRoundTripReadsAhead(t *testing.T) {
	for _, row := range []struct {
		name, body string
		length     int64
		header     http.Header
		stalled    bool
	}{
		{"it asks", asking, int64(len(asking)), nil, true},
		{"it does not ask", `{"stream":false}`, 16, nil, false},
		{"its length is not known", asking, -1, nil, false},
		{"it is longer than what is kept", asking + strings.Repeat(" ", 1<<10), 1<<10 + int64(len(asking)), nil, false},
		{"the server is asked first", asking, int64(len(asking)), http.Header{"Expect": {"100-continue"}}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://host.invalid/", io.NopCloser(strings.NewReader(row.body)))
				require.NoError(t, err)
				req.ContentLength = row.length
				for name, values := range row.header {
					req.Header[name] = values
				}
				cfg := transport.WrapConfig{MaxBody: 1 << 10, Chain: middleware.Standard(middleware.Config{
					Stall: middleware.StallConfig{Bounds: middleware.Bounds{First: time.Minute}},
				})}
				begun := time.Now()
				_, err = transport.Wrap(roundTrip(silent), cfg).RoundTrip(req)
				if row.stalled {
					require.ErrorIs(t, err, endwell.Stalled)
					require.Equal(t, time.Minute, time.Since(begun))
				} else {
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
			})
		})
	}
}

// What reading ahead fails with is what the base gets, behind the bytes that came.
func TestRoundTripReadsAheadInVain(t *testing.T) {
	broken := errors.New("the program's own")
	body := io.MultiReader(strings.NewReader(asking[:20]), iotest.ErrReader(broken))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/", io.NopCloser(body))
	require.NoError(t, err)
	req.ContentLength = int64(len(asking))
	base := roundTrip(func(req *http.Request) (*http.Response, error) {
		got, err := io.ReadAll(req.Body)
		require.Equal(t, asking[:20], string(got))
		return nil, err
	})
	_, err = transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
	require.ErrorIs(t, err, broken)
}

// A header that cannot be sent is the request's fault, and not the network's.
func TestRoundTripRefusesABadHeader(t *testing.T) {
	for name, value := range map[string]string{"a newline behind the key": "Bearer sk-test-not-a-real-key\n", "a NUL": "a\x00b"} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1/v1/chat/completions", strings.NewReader(asking))
			require.NoError(t, err)
			req.Header["Authorization"] = []string{value}
			_, err = transport.Wrap(nil, transport.WrapConfig{}).RoundTrip(req)
			var e *endwell.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, endwell.RequestInvalid, e.Category)
			require.False(t, e.Transient)
		})
	}
}
