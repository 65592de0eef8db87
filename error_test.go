package endwell_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/reason"
)

func stalled() *endwell.Error {
	return &endwell.Error{
		Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Retryable: true,
		RetryAfter: 2500 * time.Millisecond, Provider: "openai", Model: "small", Status: 504, Code: "slow", Type: "time_out",
		RequestID: "req_0f8e", Frame: 7, Bound: endwell.BoundIdle, Waited: 5 * time.Minute,
	}
}

func TestErrorIsItsFaultAndCategory(t *testing.T) {
	err := fmt.Errorf("wrapped: %w", stalled())
	for _, f := range endwell.Faults() {
		require.Equal(t, f == endwell.Stalled, errors.Is(err, f), f)
	}
	for _, c := range endwell.Categories() {
		require.Equal(t, c == endwell.Timeout, errors.Is(err, c), c)
	}
	var e *endwell.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, endwell.BoundIdle, e.Bound)
	for _, other := range []error{io.EOF, io.ErrUnexpectedEOF, context.DeadlineExceeded, endwell.ErrClosed, stalled()} {
		require.NotErrorIs(t, err, other)
	}
}

func TestErrorWrapsItsCauses(t *testing.T) {
	cause, second := errors.New("one"), errors.New("two")
	bare := stalled()
	one := bare.WithCause(cause)
	a, b := one.WithCause(second), one.WithCause(io.ErrNoProgress)

	require.Empty(t, bare.Unwrap())
	require.Equal(t, []error{cause}, one.Unwrap())
	require.Equal(t, []error{cause, second}, a.Unwrap(), "copies share no array")
	require.Equal(t, []error{cause, io.ErrNoProgress}, b.Unwrap())
	require.ErrorIs(t, a, second)
	require.ErrorIs(t, a, endwell.Stalled)
	require.Equal(t, one, one.WithCause(nil))
	require.NotSame(t, one, one.WithCause(nil))
	require.Equal(t, bare.Error(), a.Error(), "causes are not rendered")
}

// A check for a clean end must never match an error, whatever it was made of.
func TestErrorNeverIsEOF(t *testing.T) {
	for name, cause := range map[string]error{
		"plain": io.EOF, "wrapped": fmt.Errorf("read: %w", io.EOF), "joined": errors.Join(io.ErrNoProgress, io.EOF),
	} {
		err := stalled().WithCause(cause).WithOriginal(io.EOF)
		require.NotErrorIs(t, err, io.EOF, name)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, name)
	}
}

func TestErrorKeepsItsOriginalOutOfTheChain(t *testing.T) {
	ev := &endwell.Evidence{Message: "your key " + secret, Body: []byte(secret)}
	bare := stalled()
	err := bare.WithOriginal(ev)
	require.Nil(t, bare.Unredacted())
	require.Same(t, ev, err.Unredacted())
	require.Same(t, ev, err.WithCause(io.ErrNoProgress).Unredacted())
	require.Nil(t, err.WithOriginal(nil).Unredacted())
	require.NotErrorIs(t, err, ev)
	var found *endwell.Evidence
	require.False(t, errors.As(err, &found))
	for name, s := range renderings(t, err) {
		require.NotContains(t, s, secret, name)
	}
}

func TestErrorHTTPStatus(t *testing.T) {
	want := map[endwell.Category]int{
		endwell.AuthMissing: 401, endwell.AuthInvalid: 401, endwell.PermissionDenied: 403, endwell.QuotaExhausted: 402,
		endwell.RateLimited: 429, endwell.Overloaded: 503, endwell.ModelUnavailable: 404, endwell.ContextTooLong: 413,
		endwell.ContentBlocked: 422, endwell.RequestInvalid: 400, endwell.Network: 502, endwell.Timeout: 504,
		endwell.ServerError: 502, endwell.MalformedResponse: 502, endwell.Unclassified: 502, 0: 502, 200: 502,
	}
	for _, c := range append(endwell.Categories(), 0, 200) {
		e := &endwell.Error{Category: c, Status: 200}
		require.Equal(t, want[c], e.HTTPStatus(), c)
		require.NotEmpty(t, http.StatusText(e.HTTPStatus()))
	}
}

func TestErrorRenderings(t *testing.T) {
	e := stalled()
	const line = "endwell: stalled: timeout provider=openai model=small status=504 type=time_out code=slow " +
		"request_id=req_0f8e frame=7 bound=idle waited=5m0s retry_after=2.5s"
	require.Equal(t, line, e.Error())
	require.Equal(t, line, fmt.Sprintf("%v", e))
	require.Equal(t, line, fmt.Sprintf("%+v", e))
	require.Equal(t, line, fmt.Sprintf("%#v", e))
	require.Equal(t, "endwell: none", new(endwell.Error).Error())
	require.Equal(t, "endwell: invalid_200: invalid_201", (&endwell.Error{Fault: 200, Category: 201}).Error())

	require.JSONEq(t, `{
		"fault":"stalled","category":"timeout","transient":true,"retryable":true,"retry_after_ms":2500,
		"provider":"openai","model":"small","status":504,"code":"slow","type":"time_out","request_id":"req_0f8e",
		"frame":7,"bound":"idle","waited_ms":300000,"key":"stalled.timeout",
		"message":"small stalled: nothing arrived for 5m0s. The provider is at fault and not the request: submit it again; if it happens again, use a faster model or a shorter prompt."
	}`, encoded(t, e))
	require.JSONEq(t, `{
		"fault":"none","category":"none","transient":false,"retryable":false,"key":"none.unclassified",
		"message":"The answer of the model ended badly. It is not clear whose fault it is: read the details."
	}`, encoded(t, new(endwell.Error)))

	require.JSONEq(t, `{
		"fault":"stalled","category":"timeout","transient":true,"retryable":true,"provider":"openai","model":"small",
		"status":"504","type":"time_out","code":"slow","request_id":"req_0f8e","frame":"7","bound":"idle",
		"waited":"5m0s","retry_after":"2.5s"
	}`, group(t, e))
	require.JSONEq(t, `{"fault":"none","category":"none","transient":false,"retryable":false}`, group(t, new(endwell.Error)))
}

// Why a call failed on this side is said in our own words; what only looks like one of
// them is not rendered.
func TestErrorRendersReasons(t *testing.T) {
	why := reason.New("here", "no_thing", "there is no thing", "")
	local := (&endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid, Model: "small"}).WithCause(fmt.Errorf("x: %w", why))
	require.Equal(t, "endwell: unreachable: request_invalid reason=no_thing model=small", local.Error())
	require.Equal(t, "The request to small was not sent: there is no thing. The request is at fault: change it before sending it again.", local.Message())
	require.Contains(t, encoded(t, local), `"reason":"no_thing"`)
	require.Contains(t, group(t, local), `"reason":"no_thing"`)
	require.Equal(t, "no_thing", local.Params()["reason"])
	require.Equal(t, "no_thing", local.Localize(func(string) (string, bool) { return "{reason}", true }))

	unreached := (&endwell.Error{Fault: endwell.Unreachable, Category: endwell.Network}).WithCause(why)
	require.Contains(t, unreached.Message(), "The model could not be reached: there is no thing. The network")
	read := (&endwell.Error{Fault: endwell.Malformed, Category: endwell.MalformedResponse}).
		WithOriginal(&endwell.Evidence{Kind: endwell.NotAStream, Cause: why})
	require.Equal(t, "no_thing", read.Params()["reason"])
	require.Contains(t, read.Message(), "sent an answer that cannot be read: there is no thing. ")

	bug := reason.New("here", "a_bug", "its thing is wrong", "The program is at fault: mend its thing.")
	require.Equal(t, "The answer of the model broke off: its thing is wrong. The program is at fault: mend its thing.",
		(&endwell.Error{Fault: endwell.Broken, Category: endwell.Unclassified}).WithCause(bug).Message())
	require.Equal(t, "The model could not be reached: its thing is wrong. The program is at fault: mend its thing.",
		(&endwell.Error{Fault: endwell.Unreachable, Category: endwell.Unclassified}).WithCause(bug).Message())

	for name, e := range map[string]*endwell.Error{
		"none":            {Fault: endwell.Unreachable, Category: endwell.RequestInvalid},
		"one":             local.WithOriginal(nil).WithCause(nil),
		"a foreign cause": (&endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid}).WithCause(posing{errors.New("sk-test-not-a-real-key")}),
		"another call's":  (&endwell.Error{Fault: endwell.Refused, Category: endwell.Overloaded}).WithCause(local),
		"several calls'":  (&endwell.Error{Fault: endwell.Unreachable, Category: endwell.Network}).WithCause(errors.Join(errors.New("x"), local)),
		"the original's":  (&endwell.Error{Fault: endwell.Unreachable, Category: endwell.RequestInvalid}).WithOriginal(why),
	} {
		has := name == "one"
		require.Equal(t, has, strings.Contains(e.Error(), "reason="), name)
		require.Equal(t, has, strings.Contains(e.Message(), ": there is"), name)
		require.NotContains(t, e.Error()+e.Message(), "sk-test", name)
	}
}

// What others have made may be of any shape: rendering it neither panics nor hangs.
func TestErrorRendersWhateverItStandsFor(t *testing.T) {
	for name, hostile := range map[string]error{
		"a nil pointer": (*url.Error)(nil), "one that is wrapped": fmt.Errorf("x: %w", (*url.Error)(nil)),
		"nil evidence": (*endwell.Evidence)(nil), "a nil error": (*endwell.Error)(nil), "itself": new(selfish),
		"evidence of it": &endwell.Evidence{Cause: (*url.Error)(nil)}, "evidence of itself": &endwell.Evidence{Cause: new(selfish)},
	} {
		for _, fault := range endwell.Faults() {
			e := (&endwell.Error{Fault: fault, Category: endwell.RequestInvalid}).WithOriginal(hostile)
			if name != "a nil pointer" && name != "one that is wrapped" { // that is what WithCause asks for
				e = e.WithCause(hostile)
			}
			for kind, text := range renderings(t, e) {
				require.NotEmpty(t, text, "%s, %s", name, kind)
			}
		}
	}
}

// No ending is io.EOF, however many errors the cause has joined.
func TestCauseIsNeverEOF(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		e := (&endwell.Error{Fault: endwell.Broken}).WithCause(errors.Join(append(slices.Repeat([]error{errors.New("x")}, n), io.EOF)...))
		require.NotErrorIs(t, e, io.EOF)
		require.ErrorIs(t, e, io.ErrUnexpectedEOF)
	}
}

// selfish wraps itself.
type selfish struct{}

func (*selfish) Error() string   { return "selfish" }
func (s *selfish) Unwrap() error { return s }

// posing is an error with the methods of a reason.
type posing struct{ error }

func (p posing) Token() string { return p.Error() }
func (p posing) Text() string  { return p.Error() }

// group is what slog's JSON makes of an error.
func group(t *testing.T, e *endwell.Error) string {
	t.Helper()
	var line struct{ V json.RawMessage }
	raw := logged(func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }, e)
	require.NoError(t, json.Unmarshal([]byte(raw), &line))
	return string(line.V)
}

// renderings is every way in which an error may come before eyes.
func renderings(t *testing.T, e *endwell.Error) map[string]string {
	t.Helper()
	return map[string]string{
		"Error": e.Error(), "Message": e.Message(), "GoString": fmt.Sprintf("%#v", e), "%#v": fmt.Sprintf("%#v", e),
		"%+v": fmt.Sprintf("%+v", e), "%s": fmt.Sprintf("%s", e), "%q": fmt.Sprintf("%q", e), "wrapped": fmt.Errorf("x: %w", e).Error(),
		"json": encoded(t, e), "json member": encoded(t, map[string]any{"e": e}), "params": encoded(t, e.Params()), "key": e.Key(),
		"slog json": group(t, e),
		"slog text": strings.TrimSpace(logged(func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }, e)),
	}
}

func TestErrorRendersNoHostileWords(t *testing.T) {
	long := strings.Repeat("a", 4<<20)
	for name, hostile := range map[string]string{
		"a key": secret, "a key in the middle": "code_" + secret, "an escape sequence": "\x1b[31mred", "a second line": "a\nlevel=ERROR",
		"prose": "you said wombatfold", "megabytes": long, "not UTF-8": "\xff\xfe", "a bidi override": "a\u202eb", "a NUL": "a\x00b",
		"a URL": "https://example.com/?key=1", "a placeholder": "{status}", "markup": "<b>", "quotes": `a"b`,
	} {
		t.Run(name, func(t *testing.T) {
			e := stalled()
			e.Code, e.Type, e.RequestID = hostile, hostile, hostile
			clean := stalled()
			clean.Code, clean.Type, clean.RequestID = "", "", ""
			require.Equal(t, renderings(t, clean), renderings(t, e), "as if it had none")
		})
	}
}

// The caller's own names are shown, but they cannot break a line or fill a disk.
func TestErrorRendersNamesSafely(t *testing.T) {
	for name, hostile := range map[string]string{
		"an escape sequence": "\x1b[31mred", "a second line": "a\nlevel=ERROR", "megabytes": strings.Repeat("a", 4<<20),
		"not UTF-8": "\xff\xfe", "a bidi override": "a\u202eb", "a NUL": "a\x00b", "only controls": "\x01\x02",
	} {
		t.Run(name, func(t *testing.T) {
			e := stalled()
			e.Model, e.Provider = hostile, hostile
			for where, s := range renderings(t, e) {
				requireClean(t, s)
				require.Less(t, len(s), 2000, where)
			}
		})
	}
}

func TestErrorKeepsPlainTokens(t *testing.T) {
	for _, s := range []string{"429", "1301", "invalid_api_key", "Throttling.RateQuota", "a-b"} {
		require.Contains(t, (&endwell.Error{Code: s, Type: s}).Error(), " type="+s+" code="+s)
	}
	for _, s := range []string{"0f8e-1:2", "req_011Ca7", "8a1c-FRA"} {
		require.Contains(t, (&endwell.Error{RequestID: s}).Error(), " request_id="+s)
	}
	require.Equal(t, "endwell: none", (&endwell.Error{Code: "0123456789", Type: "1.5"}).Error(), "too long for a code, and no code")
}

func TestEvidenceRendersNoWords(t *testing.T) {
	ev := &endwell.Evidence{
		Kind: endwell.Unparseable, InBand: true, Status: 500, Frame: 3, Dialect: "openai",
		Header: map[string][]string{"X": {secret}}, Type: secret, Code: secret, Message: secret, Reason: secret,
		RetryAfter: secret, RequestID: secret, Body: []byte(secret), Cause: io.ErrNoProgress,
	}
	const want = "endwell: evidence: unparseable, status 500, frame 3"
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, want, fmt.Sprintf(verb, ev), verb)
	}
	require.Equal(t, `"`+want+`"`, encoded(t, ev))
	for name, s := range map[string]string{
		"text": logged(func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }, ev),
		"json": logged(func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }, ev),
	} {
		require.NotContains(t, s, secret, name)
		require.Contains(t, s, want, name)
	}
	require.ErrorIs(t, ev, io.ErrNoProgress)
	require.NoError(t, new(endwell.Evidence).Unwrap())
	require.Equal(t, "endwell: evidence: reported", new(endwell.Evidence).Error())
}

// A value, and not only a pointer, shows nothing of the original.
func TestValuesLeakNothing(t *testing.T) {
	ev := endwell.Evidence{Status: 500, Message: "sk-test-secret", Body: []byte("sk-test-secret")}
	e := *(&endwell.Error{Fault: endwell.Refused, Category: endwell.ServerError}).WithOriginal(&ev)
	for _, v := range []any{e, &e, ev, &ev} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			require.NotContains(t, fmt.Sprintf(verb, v), "sk-test-secret", "%T %s", v, verb)
			require.NotContains(t, fmt.Sprintf(verb, v), "736b2d74657374", "%T %s", v, verb)
		}
		b, err := json.Marshal(v)
		require.NoError(t, err)
		require.NotContains(t, string(b), "sk-test-secret")
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		require.NotContains(t, log.String(), "sk-test-secret")
	}
}
