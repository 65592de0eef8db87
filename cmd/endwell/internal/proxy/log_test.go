package proxy

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
	"github.com/endwell-go/endwell/retry"
)

// failing is a transport that reaches nobody.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// The log tells why an upstream cannot be reached, for streams and for other calls, and
// has no host, no URL and no key, wherever they stand.
func TestCauseInTheLog(t *testing.T) {
	leaktest.Check(t)
	const secret = "sk-test-in-the-url-0123456789"
	dial := func(err error) error {
		return &url.Error{Op: "Post", URL: "http://u:" + secret + "@h/?key=" + secret, Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
	}
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"no such host":       {dial(&net.DNSError{Err: "no such host", Name: secret + ".example", IsNotFound: true}), `cause="no such host"`},
		"connection refused": {dial(syscall.ECONNREFUSED), `cause="` + syscall.ECONNREFUSED.Error() + `"`},
		"words of others":    {dial(errors.New("wrong: " + secret)), ""},
	} {
		for kind, body := range map[string]string{"a stream": asking, "no stream": "{}"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				log := failed(t, failing{row.err}, &url.URL{
					Scheme: "http", User: url.UserPassword("u", secret), Host: "h", RawQuery: "key=" + secret,
				}, body, secret)
				require.Contains(t, log, row.want)
				require.Equal(t, row.want != "", strings.Contains(log, "cause="), log)
				require.NotContains(t, log, "attempts")
				require.Contains(t, log, "category=network")
			})
		}
	}
}

// failed asks a proxy for what fails, and returns its log.
func failed(t *testing.T, base http.RoundTripper, upstream *url.URL, body, secret string) string {
	t.Helper()
	b := start(t, endwelltest.NewGateway(), Config{Transport: base, Attempts: 1, Ledger: retry.NewRing(1)})
	b.proxy.cfg.Upstream = upstream
	got := b.raw(t, chatPath+"?key="+secret, body, "", nil, "Authorization", "Bearer "+secret)
	require.Equal(t, 502, got.head.StatusCode)
	require.NotContains(t, got.body, secret)
	require.NotContains(t, b.log.String(), secret)
	require.Contains(t, b.log.String(), "ending=failed")
	return b.log.String()
}

// A server that speaks no HTTP is a matter of the network, for every call.
func TestNoHTTP(t *testing.T) {
	leaktest.Check(t)
	for kind, body := range map[string]string{"a stream": asking, "no stream": "{}"} {
		t.Run(kind, func(t *testing.T) {
			b := start(t, endwelltest.NewGateway(endwelltest.Raw("SSH-2.0-test\r\n")), Config{})
			require.Equal(t, 502, b.raw(t, chatPath, body, "", nil).head.StatusCode)
			require.Contains(t, b.log.String(), "fault=unreachable")
			require.Contains(t, b.log.String(), "category=network")
		})
	}
}

// The model that a body names is in the log and on the ledger, unless its name is none
// that may be shown.
func TestModel(t *testing.T) {
	leaktest.Check(t)
	for name, row := range map[string]struct{ kind, body, want string }{
		"first":           {"application/json", asking, "small"},
		"last":            {"application/json", `{"messages":[{"model":"other"}],"stream":true,"model":"small"}`, "small"},
		"with escapes":    {"application/json", `{"stream":true,"mod\u0065l":"sm\u0061ll"}`, "small"},
		"a form of curl":  {"application/x-www-form-urlencoded", asking, "small"},
		"no type":         {"", asking, "small"},
		"none":            {"application/json", `{"stream":true}`, ""},
		"no text":         {"application/json", `{"stream":true,"model":7}`, ""},
		"a key":           {"application/json", `{"stream":true,"model":"` + testKey + `"}`, ""},
		"a URL":           {"application/json", `{"stream":true,"model":"https://h/?key=1"}`, ""},
		"a line break":    {"application/json", `{"stream":true,"model":"a\nb"}`, "a?b"},
		"very long":       {"application/json", `{"stream":true,"model":"` + strings.Repeat("x", 500) + `"}`, strings.Repeat("x", 128)},
		"JSON that ends":  {"application/json", `{"stream":true,"model":"sm`, ""},
		"no JSON":         {"application/json", `model=small`, ""},
		"a text of fetch": {"text/plain;charset=UTF-8", asking, "small"},
		"another's":       {"application/xml", asking, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var ledger sharedBuffer
			b := start(t, endwelltest.NewGateway(endwelltest.OpenAI.Answer("hello")), Config{Ledger: retry.NewJSONLines(&ledger)})
			b.raw(t, chatPath, row.body, "", nil, "Content-Type", row.kind, "Authorization", "Bearer "+testKey)
			require.True(t, b.proxy.Drain(within(t)))
			require.Equal(t, row.body, string(b.Requests()[0].Body))
			require.Equal(t, row.want != "", strings.Contains(b.log.String(), "model="), b.log)
			require.Contains(t, b.log.String(), row.want)
			require.NotContains(t, b.log.String(), testKey)
			var entry struct{ Model string }
			require.NoError(t, json.Unmarshal([]byte(ledger.String()), &entry), ledger.String())
			require.Equal(t, row.want, entry.Model)
		})
	}
}

// A form is read ahead as JSON is, since that is what curl calls it: all of its body
// still goes to the upstream, and can be sent again. What is no form passes as it comes.
func TestReadAhead(t *testing.T) {
	for name, row := range map[string]struct {
		kind  string
		ahead bool
	}{
		"JSON":                {"application/json; charset=utf-8", true},
		"JSON of a vendor":    {"application/vnd.test+json", true},
		"a form":              {"application/x-www-form-urlencoded", true},
		"a form, in capitals": {"Application/X-WWW-Form-Urlencoded; charset=utf-8", true},
		"no type":             {"", true},
		"text":                {"text/plain", true},
		"another":             {"application/xml", false},
		"parts":               {"multipart/form-data; boundary=x", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(asking))
			r.Header.Set("Content-Type", row.kind)
			body, err := readAhead(r)
			require.NoError(t, err)
			require.Equal(t, row.ahead, string(body) == asking)
			require.Equal(t, row.ahead, r.GetBody != nil)
			sent, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, asking, string(sent))
		})
	}
}

// What curl sends when it is told nothing is a stream like any other: it is bounded,
// and sent again.
func TestFormOfCurlIsSentAgain(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	b := start(t, endwelltest.NewGateway(w.Refuse(503, "overloaded", "no"), w.Answer("hello")), Config{Attempts: 2})
	got := b.raw(t, chatPath, asking, "", nil, "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, 200, got.head.StatusCode, got.body)
	require.Nil(t, verdict(t, "openai", got))
	require.Equal(t, 2, b.Count())
}
