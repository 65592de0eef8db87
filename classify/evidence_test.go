package classify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

// The rows are what a dialect makes of known reports, with the outcome that the
// reports call for.
func TestEvidence(t *testing.T) {
	wait := func(s string) http.Header { return http.Header{"Retry-After": {s}} }
	slow := endwell.Evidence{Status: 429, Type: "rate_limit_error", Message: "slow down"}
	with := func(ev endwell.Evidence, h http.Header) endwell.Evidence { ev.Header = h; return ev }
	in := func(ev endwell.Evidence) endwell.Evidence { ev.InBand = true; return ev }
	for _, row := range []struct {
		fault     string
		ev        endwell.Evidence
		emitted   bool
		category  endwell.Category
		transient bool
		hint      time.Duration
	}{
		{"finish error with a code", in(endwell.Evidence{Dialect: "openrouter", Code: "server_error", Message: "Provider disconnected"}), true, endwell.ServerError, true, 0},
		{"quota in a bare message", in(endwell.Evidence{Dialect: "openai", Message: "quota exceeded"}), false, endwell.QuotaExhausted, false, 0},
		{"quota as a bare word", in(endwell.Evidence{Message: "quota"}), true, endwell.QuotaExhausted, false, 0},
		{"dropped upstream called invalid request", in(endwell.Evidence{Dialect: "openai", Type: "invalid_request_error", Message: "stream error: stream disconnected before completion"}), true, endwell.ServerError, true, 0},
		{"invalid request before any output", in(endwell.Evidence{Dialect: "openai", Type: "invalid_request_error", Message: "bad"}), false, endwell.RequestInvalid, false, 0},
		{"invalid request with a status after output", in(endwell.Evidence{Dialect: "gemini", Type: "INVALID_ARGUMENT", Code: "400", Status: 400, Message: "Request contains an invalid argument."}), true, endwell.RequestInvalid, false, 0},
		{"an engine's 400 after output", in(endwell.Evidence{Dialect: "vllm", Type: "BadRequestError", Code: "400", Message: "x"}), true, endwell.ServerError, true, 0},
		{"an engine's 400 before output", in(endwell.Evidence{Dialect: "vllm", Type: "BadRequestError", Code: "400", Message: "x"}), false, endwell.RequestInvalid, false, 0},
		{"SSE field named error", in(endwell.Evidence{Dialect: "llamacpp", Type: "invalid_request_error", Code: "400", Status: 400, Message: "the request exceeds the available context size. try increasing the context size"}), false, endwell.ContextTooLong, false, 0},
		{"words that say nothing", in(endwell.Evidence{Message: "failed to decode, try again"}), true, endwell.ServerError, true, 0},
		{"words about blocks", in(endwell.Evidence{Message: "engine ran out of blocks"}), true, endwell.ServerError, true, 0},
		{"too many requests as plain text", in(endwell.Evidence{Message: "Too many requests, please slow down"}), false, endwell.RateLimited, true, 0},
		{"upstream closed", in(endwell.Evidence{Message: "Stream error: upstream closed"}), true, endwell.ServerError, true, 0},
		{"upstream's EOF with its address", in(endwell.Evidence{Dialect: "ollama", Message: `Post "https://upstream.invalid/v1/chat": unexpected EOF`}), true, endwell.ServerError, true, 0},
		{"nothing at all", in(endwell.Evidence{}), false, endwell.ServerError, true, 0},
		{"refused with nothing at all", endwell.Evidence{}, false, endwell.Unclassified, false, 0},
		{"refused with a status of no class", endwell.Evidence{Status: 204}, false, endwell.Unclassified, false, 0},
		{"redirected", endwell.Evidence{Status: 302}, false, endwell.RequestInvalid, false, 0},
		{"throttling within a stream", in(endwell.Evidence{Dialect: "bedrock-converse", Type: "throttlingException", Message: "Too many tokens, please wait before trying again."}), false, endwell.RateLimited, true, 0},
		{"the model's own output", in(endwell.Evidence{Kind: endwell.BadOutput, Type: "MALFORMED_FUNCTION_CALL"}), false, endwell.MalformedResponse, true, 0},
		{"engine overloaded under a rate limit's type", endwell.Evidence{Dialect: "moonshot", Status: 429, Type: "rate_limit_error", Message: "The engine is currently overloaded, please try again later"}, false, endwell.RateLimited, true, 0},
		{"memory of a local server", endwell.Evidence{Status: 400, Type: "invalid_request_error", Message: "Prefill context too large for available memory: predicted peak would exceed prefill safety cap"}, false, endwell.ServerError, false, 0},
		{"date counted from the response's own", with(slow, http.Header{"Retry-After": {"Wed, 21 Oct 2037 07:28:00 GMT"}, "Date": {"Wed, 21 Oct 2037 07:27:00 GMT"}}), false, endwell.RateLimited, true, time.Minute},
		{"date counted from now", with(slow, wait("Thu, 01 Jan 2026 00:02:00 GMT")), false, endwell.RateLimited, true, 2 * time.Minute},
		{"no header", slow, false, endwell.RateLimited, true, 0},
		{"unreadable header", with(slow, wait("soon")), false, endwell.RateLimited, true, 0},
		{"past date", with(slow, wait("Wed, 21 Oct 2015 07:28:00 GMT")), false, endwell.RateLimited, true, 0},
		{"SDK may not retry", with(slow, http.Header{"x-should-retry": {"false"}}), false, endwell.RateLimited, false, 0},
		{"SDK may retry", endwell.Evidence{Status: 400, Header: http.Header{"X-Should-Retry": {"true"}}}, false, endwell.RequestInvalid, true, 0},
		{"another dialect's token through a gateway", endwell.Evidence{Dialect: "compatible", Status: 400, Code: "Arrearage"}, false, endwell.QuotaExhausted, false, 0},
		{"another dialect's number through a gateway", endwell.Evidence{Dialect: "compatible", Status: 400, Code: "1113"}, false, endwell.RequestInvalid, false, 0},
		{"quota id as reason", endwell.Evidence{Dialect: "gemini", Status: 429, Type: "RESOURCE_EXHAUSTED", Reason: "GenerateRequestsPerDayPerProjectPerModel", RetryAfter: "34.07s"}, false, endwell.QuotaExhausted, false, 34070 * time.Millisecond},
		{"400 with a status word that tells more", endwell.Evidence{Dialect: "gemini", Status: 400, Type: "FAILED_PRECONDITION", Message: "x"}, false, endwell.PermissionDenied, false, 0},
		{"a client error's number as in-band code", in(endwell.Evidence{Code: "429"}), false, endwell.RateLimited, true, 0},

		// An echoed prompt must not decide.
		{"prompt echoed behind a validation error", endwell.Evidence{Status: 400, Type: "invalid_request_error", Message: "Invalid value: 'prompt is too long: my quota exceeded, rate limit'"}, false, endwell.RequestInvalid, false, 0},
		{"prompt echoed in-band", in(endwell.Evidence{Message: "could not process the following input, which the template of this deployment does not allow at this place: 'the quota of sugar in my diet was exceeded and the rate limit too'"}), false, endwell.ServerError, true, 0},
		{"words never overrule a token", endwell.Evidence{Status: 429, Code: "rate_limit_exceeded", Message: "You exceeded your current quota"}, false, endwell.RateLimited, true, 0},
		{"words never overrule a status", endwell.Evidence{Status: 500, Message: "quota exceeded"}, false, endwell.ServerError, true, 0},
		{"an echoed wait behind a bad request", endwell.Evidence{Status: 400, Message: "bad: 'try again in 3 hours'"}, false, endwell.RequestInvalid, false, 0},
	} {
		t.Run(row.fault, func(t *testing.T) {
			got := classify.Error(&row.ev, classify.Call{Opened: row.ev.InBand, Emitted: row.emitted, Now: newYear})
			require.Equal(t, row.category, got.Category, got.Error())
			require.Equal(t, row.transient, got.Transient)
			require.Equal(t, row.transient && !row.emitted, got.Retryable)
			require.Equal(t, row.hint, got.RetryAfter)
			require.NotErrorIs(t, got, io.EOF)
		})
	}
}

func TestEvidenceKinds(t *testing.T) {
	for kind, want := range map[endwell.EvidenceKind]endwell.Error{
		endwell.Reported:    {Fault: endwell.Faulted, Category: endwell.ServerError, Transient: true},
		endwell.Unparseable: {Fault: endwell.Malformed, Category: endwell.MalformedResponse},
		endwell.NotAStream:  {Fault: endwell.Malformed, Category: endwell.MalformedResponse},
		endwell.TooLarge:    {Fault: endwell.Malformed, Category: endwell.MalformedResponse},
		endwell.Spliced:     {Fault: endwell.Malformed, Category: endwell.MalformedResponse, Transient: true},
		endwell.BadOutput:   {Fault: endwell.Faulted, Category: endwell.MalformedResponse, Transient: true},
		endwell.Cut:         {Fault: endwell.Truncated, Category: endwell.MalformedResponse, Transient: true},
	} {
		got := classify.Error(&endwell.Evidence{Kind: kind, InBand: true, Frame: 3}, classify.Call{Opened: true})
		require.Equal(t, want.Fault, got.Fault, kind)
		require.Equal(t, want.Category, got.Category, kind)
		require.Equal(t, want.Transient, got.Transient, kind)
		require.Equal(t, 3, got.Frame)
		require.Equal(t, kind == endwell.Cut, errors.Is(got, io.ErrUnexpectedEOF), kind)
	}
	require.Len(t, endwell.EvidenceKinds(), 7)
}

func TestPageBehindAFailureIsARefusal(t *testing.T) {
	got := classify.Error(&endwell.Evidence{Kind: endwell.NotAStream, Status: 503, Body: []byte(page)}, classify.Call{})
	require.ErrorIs(t, got, endwell.Refused)
	require.ErrorIs(t, got, endwell.Overloaded)
	require.Equal(t, 503, got.Status)
}

func TestTheCallIsStamped(t *testing.T) {
	req := &endwell.Request{Provider: "acme", Model: "m-1"}
	ev := &endwell.Evidence{
		Status: 429, Type: "rate_limit_error", Code: "1302", RequestID: "not an id",
		Header: http.Header{"x-request-id": {"req_12"}, "Cf-Ray": {"8a-FRA"}},
	}
	got := classify.Error(fmt.Errorf("wrapped: %w", ev), classify.Call{Request: req, Dialect: "zai"})
	require.Equal(t, "acme", got.Provider)
	require.Equal(t, "m-1", got.Model)
	require.Equal(t, 429, got.Status)
	require.Equal(t, "1302", got.Code)
	require.Equal(t, "rate_limit_error", got.Type)
	require.Equal(t, "req_12", got.RequestID)
	require.ErrorIs(t, got, endwell.RateLimited)
}

func TestTheCallsDialectFillsIn(t *testing.T) {
	ev := &endwell.Evidence{Status: 429, Code: "1113"}
	require.ErrorIs(t, classify.Error(ev, classify.Call{Dialect: "zai"}), endwell.QuotaExhausted)
	require.ErrorIs(t, classify.Error(ev, classify.Call{}), endwell.RateLimited)
	require.Empty(t, ev.Dialect, "the evidence is not changed")
}

func TestSafeCausesOfEvidenceAreKept(t *testing.T) {
	syntax := &json.SyntaxError{}
	ev := &endwell.Evidence{Kind: endwell.Unparseable, InBand: true, Cause: fmt.Errorf("secret: %w %w", syntax, io.ErrUnexpectedEOF)}
	got := classify.Error(ev, classify.Call{Opened: true})
	require.ErrorIs(t, got, io.ErrUnexpectedEOF)
	require.False(t, errors.As(got, &syntax))
}

type sdkError struct {
	status int
	body   string
}

func (*sdkError) Error() string { return "sdk: https://example.invalid: secret" }
func (e *sdkError) Refusal() (int, http.Header, []byte) {
	return e.status, http.Header{"Retry-After": {"3"}, "Request-Id": {"req_1"}}, []byte(e.body)
}

func TestRefusalOfAnSDK(t *testing.T) {
	err := fmt.Errorf("call: %w", &sdkError{429, `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`})
	got := classify.Error(err, classify.Call{Dialect: "anthropic"})
	require.ErrorIs(t, got, endwell.Refused)
	require.ErrorIs(t, got, endwell.RateLimited)
	require.Equal(t, 3*time.Second, got.RetryAfter)
	require.Equal(t, "req_1", got.RequestID)
	require.Equal(t, "rate_limit_error", got.Type)
	require.Same(t, err, got.Unredacted())

	got = classify.Error(&sdkError{200, `{"type":"error","error":{"type":"overloaded_error"}}`}, classify.Call{Opened: true})
	require.ErrorIs(t, got, endwell.Faulted)
	require.ErrorIs(t, got, endwell.Overloaded)
	require.Zero(t, got.Status)
}

func TestEveryStatusHasAReading(t *testing.T) {
	want := map[int]endwell.Category{
		401: endwell.AuthInvalid, 402: endwell.QuotaExhausted, 403: endwell.PermissionDenied, 404: endwell.ModelUnavailable,
		405: endwell.RequestInvalid, 407: endwell.Network, 408: endwell.Timeout, 409: endwell.ServerError, 413: endwell.ContextTooLong,
		422: endwell.RequestInvalid, 423: endwell.ServerError, 424: endwell.ServerError, 425: endwell.ServerError,
		429: endwell.RateLimited, 451: endwell.PermissionDenied, 498: endwell.AuthInvalid, 499: endwell.ServerError,
		500: endwell.ServerError, 501: endwell.ServerError, 502: endwell.ServerError, 503: endwell.Overloaded, 504: endwell.Timeout,
		520: endwell.ServerError, 521: endwell.ServerError, 522: endwell.Timeout, 524: endwell.Timeout, 525: endwell.ServerError,
		529: endwell.Overloaded, 530: endwell.ServerError, 599: endwell.Timeout, 600: endwell.Unclassified, 99: endwell.Unclassified,
	}
	for status := 300; status < 600; status++ {
		got := classify.Error(&endwell.Evidence{Status: status}, classify.Call{})
		require.NotEqual(t, endwell.Unclassified, got.Category, status)
		if status >= 500 && status != 501 && status != 511 {
			require.True(t, got.Transient, status)
		}
	}
	for status, c := range want {
		require.Equal(t, c, classify.Error(&endwell.Evidence{Status: status}, classify.Call{}).Category, status)
	}
	require.False(t, classify.Error(&endwell.Evidence{Status: 501}, classify.Call{}).Transient)
}
