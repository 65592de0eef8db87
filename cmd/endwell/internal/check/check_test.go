package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/tape"
)

const (
	hi       = `data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}` + "\n\n"
	stop     = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":3}}` + "\n\n"
	sentinel = "data: [DONE]\n\n"
)

// write puts a file into a folder of the test's own and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// tapeOf is a tape with one read and an end.
func tapeOf(head, data, end string) string {
	d, _ := json.Marshal(data)
	return head + "\n" + `{"at_ms":0,"data":` + string(d) + "}\n" + end + "\n"
}

const sseHead = `{"tape":1,"status":200,"header":{"Content-Type":"text/event-stream"}}`

// run runs the command and returns its exit code and what it printed.
func run(stdin string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = check.Run(strings.NewReader(stdin), &o, &e, args)
	return code, o.String(), e.String()
}

func TestCheck(t *testing.T) {
	hang := `{"at_ms":0,"end":"hang"}`
	tests := []struct {
		name string
		file string
		body string
		args []string
		code int
		want map[string]any
	}{
		{"whole", "a.sse", hi + stop + sentinel, nil, 0, map[string]any{
			"outcome": "whole", "text": "Hi", "chunks": 4.0, "dialect": "compatible",
			"finish": map[string]any{"class": "stop", "raw": "stop"}, "usage": map[string]any{"total": 3.0},
		}},
		{"cut", "a.sse", hi, nil, 1, map[string]any{
			"outcome": "failed", "fault": "truncated", "category": "malformed_response", "transient": true,
			"retryable": false, "retry_after_ms": 0.0, "text": "Hi", "incomplete": true, "key": "truncated.malformed_response",
			"message": "The answer of the model was cut off before it was finished. The provider is at fault and not the request: submit it again, or pick another model.",
		}},
		{"empty file", "a.sse", "", nil, 1, map[string]any{"outcome": "failed", "fault": "empty", "text": "", "retryable": true}},
		{"error body as JSON", "a.json", `{"error":{"message":"m","code":"invalid_api_key"}}`, []string{"-status", "401"}, 1, map[string]any{
			"fault": "refused", "category": "auth_invalid", "status": 401.0, "code": "invalid_api_key",
		}},
		{"stall, in no time", "a.tape", tapeOf(sseHead, hi, hang), []string{"-idle", "5m"}, 1, map[string]any{
			"fault": "stalled", "category": "timeout", "text": "Hi",
		}},
		{"stall that no bound ends", "a.tape", tapeOf(sseHead, hi, hang), []string{"-idle", "-1s", "-progress", "-1s"}, 2, nil},
		{"caller's stop", "a.tape", tapeOf(sseHead, hi, `{"at_ms":5,"end":"cancel"}`), nil, 1, map[string]any{
			"outcome": "canceled", "text": "Hi", "incomplete": true,
		}},
		{"reset", "a.tape", tapeOf(sseHead, hi, `{"at_ms":5,"end":"reset"}`), nil, 1, map[string]any{"fault": "broken", "category": "network"}},
		{"retry hint", "a.tape", tapeOf(`{"tape":1,"status":429,"header":{"Retry-After":"7","x-request-id":"req_1"}}`, "{}", `{"at_ms":0,"end":"eof"}`), nil, 1, map[string]any{
			"category": "rate_limited", "retry_after_ms": 7000.0, "request_id": "req_1",
		}},
		{"tool call", "a.sse", `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n", nil, 0, map[string]any{
			"outcome": "whole", "tool_calls": []any{map[string]any{"id": "t", "name": "f", "arguments": "{}"}},
		}},
		{"reasoning", "a.sse", `data: {"choices":[{"index":0,"delta":{"reasoning":"r","content":"x"},"finish_reason":"stop"}]}` + "\n\n", nil, 0, map[string]any{
			"reasoning": "r", "text": "x",
		}},
		{"second choice is not the answer", "a.sse", `data: {"choices":[{"index":1,"delta":{"content":"x"},"finish_reason":"stop"}]}` + "\n\n", nil, 0, map[string]any{"text": ""}},
		{"HTML by content type", "a.txt", "<html>", []string{"-type", "text/html"}, 1, map[string]any{"fault": "malformed", "transient": false}},
		{"dialect that is unknown", "a.tape", tapeOf(`{"tape":1,"dialect":"nobody"}`, hi, `{"at_ms":0,"end":"eof"}`), nil, 2, nil},
		{"tape without an end", "a.tape", sseHead + "\n", nil, 2, nil},
		{"tape of another version", "a.tape", tapeOf(`{"tape":2}`, hi, hang), nil, 2, nil},
		{"tape by another name", "a.sse", tapeOf(sseHead, hi, `{"at_ms":5,"end":"reset"}`), nil, 1, map[string]any{"fault": "broken"}},
		{"tape without a name's end", "tape", "\ufeff\n" + tapeOf(sseHead, hi, `{"at_ms":5,"end":"reset"}`), nil, 1, map[string]any{"fault": "broken"}},
		{"body that is called a tape", "a.tape", hi + stop + sentinel, nil, 2, nil},
		{"nothing that is called a tape", "a.tape", "", nil, 2, nil},
		{"document with a tape in it", "a.json", `{"error":{"message":"m","tape":1}}`, []string{"-status", "401"}, 1, map[string]any{"fault": "refused"}},
		{"document with a tape that is no number", "a.json", `{"tape":"red","error":{"message":"m"}}`, []string{"-status", "401"}, 1, map[string]any{"fault": "refused"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.file, tt.body)
			code, out, errs := run("", append(append([]string{"-json"}, tt.args...), file)...)
			require.Equal(t, tt.code, code, errs)
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(out), &got))
			require.Equal(t, file, got["file"])
			if tt.want == nil {
				require.Len(t, got, 2)
				require.Equal(t, "endwell check: "+file+": "+got["error"].(string)+"\n", errs)
				return
			}
			require.Empty(t, errs)
			for k, v := range tt.want {
				require.Equal(t, v, got[k], k)
			}
			// For people the same, in words.
			human, text, _ := run("", append(tt.args, file)...)
			require.Equal(t, code, human)
			require.Contains(t, text, strings.ToUpper(got["outcome"].(string)))
		})
	}
}

// A tape is one on standard input, too; what only says that it is one is named.
func TestCheckTapes(t *testing.T) {
	code, out, _ := run(tapeOf(sseHead, hi, `{"at_ms":5,"end":"reset"}`), "-")
	require.Equal(t, 1, code)
	require.Contains(t, out, "-: FAILED, broken")
	_, _, errs := run("", write(t, "a.tape", hi))
	require.Contains(t, errs, "this is no tape, although its name says so")
	_, _, errs = run("", t.TempDir())
	require.Contains(t, errs, "directory")
}

// Who is told to read the details has them; not in JSON, and not where we know better.
func TestCheckDetails(t *testing.T) {
	for name, row := range map[string]struct{ status, body, says string }{
		"a message":  {"600", `{"error":{"message":"Short and stout.\nReally."}}`, `details    in the provider's own words: "Short and stout.\nReally."`},
		"a body":     {"600", `{"teapot":true}`, `details    in the provider's own words: "{\"teapot\":true}"`},
		"nothing":    {"600", "", ""},
		"classified": {"401", `{"error":{"message":"Short and stout."}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, "a.json", row.body)
			_, out, _ := run("", "-status", row.status, file)
			require.Contains(t, out, row.says)
			require.Equal(t, row.says != "", strings.Contains(out, "details  "), out)
			_, out, _ = run("", "-json", "-status", row.status, file)
			require.NotContains(t, out, "stout")
		})
	}
}

// A file may have the name of a flag, for who says so.
func TestCheckFilesLikeFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("-json", []byte(hi+stop+sentinel), 0o600))
	for _, args := range [][]string{{"./-json"}, {"--", "-json"}, {"-dialect", "openai", "--", "./-json", "-json"}} {
		code, out, errs := run("", args...)
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, "-json: WHOLE")
	}
}

func TestCheckReadsOnAfterABadFile(t *testing.T) {
	good, cut := write(t, "a.sse", hi+stop+sentinel), write(t, "b.sse", hi)
	code, out, errs := run(hi+stop, "-", good, "/no/such/file.sse", cut)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "/no/such/file.sse")
	require.Contains(t, out, "-: WHOLE")
	require.Contains(t, out, good+": WHOLE")
	require.Contains(t, out, cut+": FAILED, truncated")
	require.Contains(t, out, "3 played: 2 whole, 1 failed, 0 canceled; 1 not readable")
}

func TestCheckUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no file", nil, 2, "Usage: endwell check"},
		{"unknown flag", []string{"-x"}, 2, "flag provided but not defined"},
		{"unknown dialect", []string{"-dialect", "nobody", "x"}, 2, `dialect "nobody" is not supported`},
		{"no status", []string{"-status", "7", "x"}, 2, "-status 7 is no HTTP status"},
		{"no duration", []string{"-idle", "soon", "x"}, 2, "invalid value"},
		{"no unit", []string{"-first", "5", "x"}, 2, "it wants a unit, such as 5s"},
		{"a flag behind the file", []string{"x.sse", "-json"}, 2, "flags go before the files: -json"},
		{"a flag behind a -- behind the file", []string{"x.sse", "--", "-json"}, 2, "flags go before the files: --"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := run("", tt.args...)
			require.Equal(t, tt.code, code)
			require.Empty(t, out)
			require.Contains(t, errs, tt.says)
		})
	}
}

func TestCheckManyFilesInOrder(t *testing.T) {
	dir := t.TempDir()
	var args []string
	for i := range 500 {
		name := filepath.Join(dir, strings.Repeat("x", i%7+1)+string(rune('a'+i%26))+".sse")
		require.NoError(t, os.WriteFile(name, []byte(hi+stop+sentinel), 0o600))
		args = append(args, name)
	}
	code, out, _ := run("", append([]string{"-json"}, args...)...)
	require.Equal(t, 0, code)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, len(args))
	for i, line := range lines {
		require.Contains(t, line, `"file":"`+args[i]+`"`)
	}
}

// noWait is a schedule without waits.
func noWait() backoff.BackOff { return &backoff.ZeroBackOff{} }

// TestCasesBehindARetryPolicy plays the cases that speak of retries, cancellation
// and networks under a policy of three attempts: a failure that is not retryable
// opens once, a retryable one three times, a cancelled one is no failure, every
// attempt is on the ledger, and the caller sees the text of one attempt at most.
func TestCasesBehindARetryPolicy(t *testing.T) {
	kinds := map[string]bool{"retry duplication": true, "cancel": true, "network": true}
	for _, row := range rows(t, filepath.Join(casesDir, "want.jsonl")) {
		if !kinds[text(row, "kind")] {
			continue
		}
		t.Run(text(row, "id"), func(t *testing.T) {
			f, err := os.Open(filepath.Join(casesDir, text(row, "id")+".tape"))
			require.NoError(t, err)
			defer func() { _ = f.Close() }()
			tp, err := tape.Read(f)
			require.NoError(t, err)
			if _, err := check.Play(tp, check.Options{Bounds: bounds}); err != nil {
				t.Skip(err) // a dialect that is not there yet
			}
			once, _ := check.Play(tp, check.Options{Bounds: bounds})

			ledger := retry.NewRing(10)
			policy := &retry.Policy{MaxAttempts: 3, NewBackOff: noWait, Ledger: ledger}
			r, err := check.Play(tp, check.Options{Bounds: bounds, Retry: middleware.RetryConfig{Policy: retry.Always(policy)}})
			require.NoError(t, err)
			require.Equal(t, text(row, "outcome"), r.Outcome)
			if want, ok := row["text"]; ok {
				require.Equal(t, want, r.Text)
			}
			want := 1
			if once.Retryable != nil && *once.Retryable {
				want = 3
			}
			entries := ledger.Snapshot()
			require.Len(t, entries, want)
			for i, e := range entries {
				require.Equal(t, i+1, e.Attempt)
				require.Equal(t, r.Outcome == check.Canceled, e.Ending == retry.EndingCanceled)
			}
		})
	}
}

func TestPlayRetriesOnTheFakeClock(t *testing.T) {
	ledger := retry.NewRing(10)
	tp := &tape.Tape{Head: tape.Head{Status: 503}, End: tape.EndEOF}
	r, err := check.Play(tp, check.Options{Retry: middleware.RetryConfig{
		Policy: retry.Always(&retry.Policy{MaxAttempts: 3, NewBackOff: noWait, Ledger: ledger}),
	}})
	require.NoError(t, err)
	require.Equal(t, endwell.Refused.String(), r.Fault)
	require.Equal(t, 3, ledger.Total())
	require.True(t, errors.Is(ledger.Snapshot()[2].Err, endwell.Overloaded))
}
