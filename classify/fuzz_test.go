package classify_test

import (
	"io"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
)

var quiet = log.New(io.Discard, "", 0)

// FuzzError holds that no report makes Error panic, that the result is always
// complete, and that a secret is not rendered.
func FuzzError(f *testing.F) {
	for dialect, rows := range providers {
		for _, row := range rows {
			f.Add(dialect, row.status, "", "", "", "", []byte(row.body), uint8(0), "zqjxkvwy-key-0123")
		}
	}
	f.Add("openai", 429, "requests", "rate_limit_exceeded", "Incorrect API key provided: zqjxkvwy", "", []byte(nil), uint8(0), "zqjxkvwyzqjxkvwy")
	f.Add("x", -1, "zqjxkvwyzqjxkvwy", "#:", "urn:", "::##", []byte("[[[{"), uint8(6), "zqjxkvwyzqjxkvwy")
	f.Fuzz(func(t *testing.T, dialect string, status int, typ, code, message, reason string, body []byte, kind uint8, secret string) {
		ev := &endwell.Evidence{
			Kind: endwell.EvidenceKind(kind % 7), InBand: status < 300, Dialect: dialect, Status: status,
			Type: typ, Code: code, Message: message, Reason: reason, RequestID: reason, Body: body,
			Header: http.Header{"X-Request-Id": {code}, "X-Amzn-Errortype": {typ}, "Content-Type": {message}},
		}
		req := &endwell.Request{Secret: []string{secret}}
		for _, emitted := range []bool{false, true} {
			got := classify.Error(ev, classify.Call{Request: req, Emitted: emitted, Now: newYear})
			if got.Fault == 0 || got.Category == 0 || got.Retryable && (emitted || !got.Transient) {
				t.Fatalf("incomplete: %v", got)
			}
			if len(secret) < 8 || len(secret) > 60 {
				continue
			}
			held := strings.ToLower(got.Code + " " + got.Type + " " + got.RequestID)
			for _, part := range []string{secret, secret[:8], secret[len(secret)-4:]} {
				if strings.Contains(held, strings.ToLower(part)) {
					t.Fatalf("%q is in %q", part, held)
				}
			}
		}
	})
}

// FuzzRetryAfter holds that a wait is never negative and never above the cap.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"", "0", "1.5", "-1", "1e30", "NaN", "Inf", "9m38.016s", "Thu, 01 Jan 2026 00:00:10 GMT", "2026-01-01T00:00:10Z",
		"1767225620", "1767225620000", "9223372036854775807", "try again in 5 hours", "99999999999h99999999999h", "1ns", "..5s", "5.s",
	} {
		f.Add(s, s, s, s, int64(0))
		f.Add("x", s, "", "Please retry in "+s, newYear.Unix())
	}
	f.Fuzz(func(t *testing.T, ms, after, reset, text string, now int64) {
		ev := &endwell.Evidence{Status: 429, RetryAfter: after, Message: text, Header: http.Header{
			"Retry-After-Ms": {ms}, "Retry-After": {after}, "X-Ratelimit-Reset": {reset}, "Date": {reset},
		}}
		for _, at := range []time.Time{time.Unix(now, 0), newYear, {}} {
			if d := classify.RetryAfter(ev, at); d < 0 || d > classify.MaxRetryAfter {
				t.Fatalf("%v from %q %q %q %q", d, ms, after, reset, text)
			}
		}
	})
}
