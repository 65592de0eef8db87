package dialects_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

// typedDialects are the dialects of the families whose frames name themselves.
var typedDialects = map[string]*dialects.Dialect{
	"anthropic": dialects.Anthropic, "responses": dialects.Responses,
}

const shared = "../../shared"

// corpusRow is a row of the cases' and of the recordings' index.
type corpusRow struct {
	ID, Path, Dialect, Wire  string
	Outcome, Fault, Category string
	Transient, Retryable     *bool
	Status                   int
	ContentType              string `json:"content_type"`
	Text, Finish             *string
	SHA                      string `json:"text_sha256"`
}

func corpus(t *testing.T, index string) []corpusRow {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, index))
	if err != nil {
		t.Skip("the shared corpora are not here:", err)
	}
	defer func() { require.NoError(t, f.Close()) }()
	var rows []corpusRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r corpusRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		rows = append(rows, r)
	}
	require.NoError(t, lines.Err())
	return rows
}

// played plays a tape as a caller would see it.
func played(t *testing.T, tp *tape.Tape, d *dialects.Dialect) (*endwell.Collector, error) {
	t.Helper()
	clk := clock.NewFake(time.Now())
	bounds := middleware.Bounds{First: 5 * time.Minute, Idle: 5 * time.Minute, Progress: 5 * time.Minute}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	next := middleware.Standard(middleware.Config{Clock: clk, Stall: middleware.StallConfig{Bounds: bounds}})(
		endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
			h := tp.Head.Header.HTTP()
			if h == nil {
				h = http.Header{}
			}
			body := tape.Play(ctx, tp, tape.Config{Clock: clk, Cancel: cancel, Drive: true})
			return transport.Decode(&http.Response{StatusCode: tp.Head.Status, Header: h, Body: body}, d, dialects.Options{})
		}))
	c := new(endwell.Collector)
	st, err := next.Open(ctx, &endwell.Request{})
	if err != nil {
		return c, err
	}
	for chunk, err := range endwell.All(st) {
		if err != nil {
			c.End(err)
			return c, err
		}
		c.Add(chunk)
	}
	c.End(nil)
	return c, nil
}

func (r corpusRow) require(t *testing.T, c *endwell.Collector, err error) {
	t.Helper()
	var e *endwell.Error
	if r.Outcome == "whole" {
		require.NoError(t, err)
	} else {
		require.True(t, errors.As(err, &e), "%v", err)
		require.Equal(t, r.Fault, e.Fault.String(), "%v", err)
	}
	if r.Category != "" {
		require.Equal(t, r.Category, e.Category.String())
	}
	if r.Transient != nil {
		require.Equal(t, *r.Transient, e.Transient)
	}
	if r.Retryable != nil {
		require.Equal(t, *r.Retryable, e.Retryable)
	}
	var text string
	if tr := c.Transcript(); tr != nil {
		text = tr.Text
	}
	if r.Text != nil {
		require.Equal(t, *r.Text, text)
	}
	if r.SHA != "" {
		sum := sha256.Sum256([]byte(text))
		require.Equal(t, r.SHA, hex.EncodeToString(sum[:]), "%q", text)
	}
	if r.Finish != nil {
		_, word := c.Finish()
		require.Equal(t, *r.Finish, word)
	}
}

func TestTypedCases(t *testing.T) {
	n := 0
	for _, r := range corpus(t, "cases/want.jsonl") {
		d := typedDialects[r.Dialect]
		if d == nil {
			continue
		}
		n++
		t.Run(r.ID, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(shared, "cases", r.ID+".tape"))
			require.NoError(t, err)
			tp, err := tape.Read(bytes.NewReader(data))
			require.NoError(t, err)
			c, err := played(t, tp, d)
			r.require(t, c, err)
		})
	}
	require.NotZero(t, n)
}

// typedCalls puts the tool calls of a recording together without this package: those
// of the final response, or of the blocks of the message.
func typedCalls(t *testing.T, body []byte) (calls []endwell.ToolCall) {
	t.Helper()
	type item struct {
		Type, Name, Input string
		CallID            string `json:"call_id"`
		Arguments         any
	}
	blocks := map[int]int{}
	for line := range bytes.Lines(body) {
		payload, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok || bytes.HasPrefix(payload, []byte("[DONE]")) {
			continue
		}
		var ev struct {
			Type     string
			Index    int
			Response struct{ Output []item }
			Block    struct{ Type, ID, Name string } `json:"content_block"`
			Delta    json.RawMessage
		}
		require.NoError(t, json.Unmarshal(payload, &ev))
		switch ev.Type {
		case "response.completed":
			for _, it := range ev.Response.Output {
				if it.Type == "function_call" || it.Type == "custom_tool_call" {
					calls = append(calls, endwell.ToolCall{ID: it.CallID, Name: it.Name, Arguments: cmp.Or(it.Arguments, any(it.Input)).(string), FreeText: it.Type == "custom_tool_call"})
				}
			}
			return calls
		case "content_block_start":
			delete(blocks, ev.Index)
			if ev.Block.Type == "tool_use" {
				blocks[ev.Index] = len(calls)
				calls = append(calls, endwell.ToolCall{ID: ev.Block.ID, Name: ev.Block.Name})
			}
		case "content_block_delta":
			var d struct {
				JSON string `json:"partial_json"`
			}
			require.NoError(t, json.Unmarshal(ev.Delta, &d))
			if at, ok := blocks[ev.Index]; ok {
				calls[at].Arguments += d.JSON
			}
		case "message_stop":
			return calls
		}
	}
	return calls
}

// glued reports whether a recording holds the bodies of several calls, one after the
// other: each is a whole answer, so the first one is the answer.
func glued(body []byte) bool {
	return bytes.Count(body, []byte(`"type":"message_start"`))+bytes.Count(body, []byte(`"type":"response.created"`)) > 1
}

func TestTypedRecordings(t *testing.T) {
	n := 0
	for _, r := range corpus(t, "recordings/index.jsonl") {
		body, err := os.ReadFile(filepath.Join(shared, "recordings", r.Path))
		require.NoError(t, err)
		d := typedDialects[r.Wire]
		t.Run(r.Path, func(t *testing.T) {
			want := map[string]string{r.Wire: r.Wire}
			if r.Wire != "error" {
				require.Equal(t, want["anthropic"], dialects.SignAnthropic(string(body)))
				require.Equal(t, want["responses"], dialects.SignResponses(string(body)))
			}
			if d == nil {
				return
			}
			n++
			if glued(body) {
				r.Finish, r.SHA = nil, ""
			}
			if r.Outcome == "review" {
				// insufficient_quota, nested, and then response.failed: one fault.
				no := false
				r.Outcome, r.Fault, r.Category, r.Transient = "failed", "faulted", "quota_exhausted", &no
			}
			tp := &tape.Tape{Head: tape.Head{Status: r.Status}, Arrivals: []tape.Arrival{{Data: body}}}
			c, err := played(t, tp, d)
			r.require(t, c, err)
			if tr := c.Transcript(); tr != nil && err == nil {
				require.Equal(t, typedCalls(t, body), tr.ToolCalls)
			}
		})
	}
	require.NotZero(t, n)
}
