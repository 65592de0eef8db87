package transport_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

// dialectOf tells which dialect reads a body: evidence names it.
func dialectOf(t *testing.T, resp *http.Response) string {
	t.Helper()
	st, err := transport.Decode(resp, nil, dialects.Options{})
	require.NoError(t, err)
	_, err = endwell.Collect(st)
	var ev *endwell.Evidence
	require.True(t, errors.As(err, &ev), "%v", err)
	return ev.Dialect
}

func TestDecodeDetectsTheDialect(t *testing.T) {
	fault := `data: {"error":{"code":"c","message":"m"}}` + "\n\n"
	at := func(host string) *http.Request { return &http.Request{URL: &url.URL{Scheme: "https", Host: host}} }
	for _, row := range []struct {
		name    string
		request *http.Request
		body    string
		want    string
	}{
		{"by the host", at("api.groq.com"), fault, "groq"},
		{"by the host, with a port", at("api.groq.com:443"), fault, "groq"},
		{"by its bytes", at("127.0.0.1:8080"), ": OPENROUTER PROCESSING\n\n" + fault, "openrouter"},
		{"not at all", at("127.0.0.1"), fault, "compatible"},
		{"no request", nil, fault, "compatible"},
		{"a request without URL", &http.Request{}, fault, "compatible"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(row.body), iotest.OneByteReader(strings.NewReader(row.body))} {
				resp := respond(io.NopCloser(r))
				resp.Request = row.request
				require.Equal(t, row.want, dialectOf(t, resp))
			}
			resp := respond(io.NopCloser(strings.NewReader(zipped(row.body))))
			resp.Request = row.request
			require.Equal(t, row.want, dialectOf(t, resp), "compressed")
		})
	}
}

func TestDetectionOverASocket(t *testing.T) {
	for _, row := range []struct {
		name     string
		handler  func(*exchange)
		said     string
		fault    endwell.Fault
		category endwell.Category
	}{
		{"whole", body(200, answer), "hello", 0, 0},
		{"keep-alives first", func(x *exchange) {
			for range 20 {
				x.send(": ping\n\n")
			}
			x.send(answer)
		}, "hello", 0, 0},
		{"bytewise", func(x *exchange) {
			for _, b := range []byte(answer) {
				x.send(string([]byte{b}))
			}
		}, "hello", 0, 0},
		{"never telling", body(200, strings.Repeat(": ping\n\n", 40<<10)), "", endwell.Empty, endwell.MalformedResponse},
		{"cut before it tells", body(200, hel[:20]), "", endwell.Truncated, endwell.MalformedResponse},
		{"a page", body(200, "<html></html>"), "", endwell.Malformed, endwell.MalformedResponse},
		{"nothing", body(200, ""), "", endwell.Empty, endwell.MalformedResponse},
	} {
		t.Run(row.name, func(t *testing.T) {
			said, err := serve(t, false, row.handler).run(t, transport.Config{}, true)
			require.Equal(t, row.said, said)
			if row.fault == 0 {
				require.True(t, err == io.EOF, "%v", err)
				return
			}
			require.ErrorIs(t, err, row.fault)
			require.ErrorIs(t, err, row.category)
		})
	}
}

func TestCloseDuringDetection(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		b := serve(t, h2, func(x *exchange) { x.send(": ping\n\n"); x.hang() })
		for _, standard := range []bool{false, true} {
			st, err := b.open(t.Context(), transport.Config{}, standard)
			require.NoError(t, err)
			c, err := st.Recv()
			require.NoError(t, err)
			require.Equal(t, endwell.KindKeepAlive, c.Kind)
			got := waiting(st)
			_ = st.Close()
			require.True(t, <-got == endwell.ErrClosed)
		}
	})
}
