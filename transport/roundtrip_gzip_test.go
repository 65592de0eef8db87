package transport_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/transport"
)

// net/http decodes gzip that the client has not asked for by name. What it cannot decode
// is no fault of the connection.
func TestRoundTripOverATransportThatDecodes(t *testing.T) {
	for name, row := range map[string]struct{ sent, want string }{
		"whole":                             {zipped(answer), "whole"},
		"text that is declared to be gzip":  {answer, "malformed malformed_response"},
		"nothing that is declared as gzip":  {"", "empty malformed_response"},
		"not the checksum":                  {zipped(hel)[:len(zipped(hel))-8] + "12345678", "malformed malformed_response"},
		"not what may follow gzip's header": {zipped("")[:10] + "\xff\xff\xff\xff\xff\xff\xff\xff", "malformed malformed_response"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", sse)
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = io.WriteString(w, row.sent)
			}))
			defer server.Close()
			base := server.Client().Transport
			client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{})}
			resp, err := client.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(asking))
			require.NoError(t, err)
			got, err := io.ReadAll(resp.Body)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, row.want, verdict(err))
			if err == nil {
				require.Equal(t, answer, string(got))
			}
		})
	}
}

// Of what one attempt has found out about its body, nothing holds for the next one.
func TestRoundTripDecodesEachAttempt(t *testing.T) {
	for name, row := range map[string]struct{ first, second string }{
		"plain, then gzip":              {": hi\n\n", zipped(answer)},
		"gzip, then plain":              {zipped(": hi\n\n"), answer},
		"gzip, then gzip":               {zipped(": hi\n\n"), zipped(answer)},
		"gzip that was cut, then plain": {zipped(answer)[:5], answer},
	} {
		t.Run(name, func(t *testing.T) {
			b, calls := inTurn(t, false, body(200, row.first), body(200, row.second))
			_, got, err := b.stream(t, b.wrap(gated(2)))
			require.NoError(t, err)
			require.Equal(t, answer, got)
			require.Len(t, calls(), 2)
		})
	}
}
