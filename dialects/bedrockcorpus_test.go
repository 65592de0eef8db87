package dialects_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
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

// bedrockCorpus is where the shared corpora are, when they are there.
const bedrockCorpus = "../../shared"

// bedrockRow is a row of the corpora.
type bedrockRow struct {
	ID, Path, Wire, Dialect, Outcome, Fault, Category, Finish, Capture string
	Text                                                               string
	TextSHA256                                                         string `json:"text_sha256"`
	Type                                                               string `json:"content_type"`
	Status                                                             int
	Transient, Retryable                                               bool
}

func bedrockRows(t *testing.T, file string) (rows []bedrockRow) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(bedrockCorpus, file))
	if err != nil {
		t.Skip("the shared corpora are not here: ", err)
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		var r bedrockRow
		require.NoError(t, json.Unmarshal(s.Bytes(), &r))
		rows = append(rows, r)
	}
	require.NotEmpty(t, rows)
	return rows
}

// bedrockCollect reads a response through the standard stack.
func bedrockCollect(t *testing.T, name string, clk clock.Clock, open func(context.Context) *http.Response) (*endwell.Collector, *endwell.Error) {
	t.Helper()
	next := middleware.Standard(middleware.Config{
		Clock: clk,
		Stall: middleware.StallConfig{Bounds: middleware.Bounds{
			First: 5 * time.Minute, Idle: 5 * time.Minute, Progress: 5 * time.Minute,
		}},
	})(endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		return transport.Decode(open(ctx), dialects.BedrockDialect(name), dialects.Options{})
	}))
	c := new(endwell.Collector)
	var e *endwell.Error
	st, err := next.Open(t.Context(), &endwell.Request{})
	if err == nil {
		for chunk, fault := range endwell.All(st) {
			if fault != nil {
				err = fault
				break
			}
			c.Add(chunk)
		}
	}
	if err != nil {
		require.True(t, errors.As(err, &e), "%v", err)
		c.End(err)
		return c, e
	}
	c.End(io.EOF)
	return c, nil
}

func TestBedrockRecordings(t *testing.T) {
	n := 0
	for _, r := range bedrockRows(t, "recordings/index.jsonl") {
		if !strings.HasPrefix(r.Dialect, "bedrock-") {
			continue
		}
		n++
		t.Run(r.Path, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(bedrockCorpus, "recordings", r.Path))
			require.NoError(t, err)
			c, e := bedrockCollect(t, r.Dialect, clock.System, func(context.Context) *http.Response {
				return &http.Response{
					StatusCode: r.Status, Header: http.Header{"Content-Type": {r.Type}},
					Body: io.NopCloser(bytes.NewReader(body)),
				}
			})
			if r.Outcome == "failed" {
				require.NotNil(t, e)
				require.Equal(t, r.Fault, e.Fault.String())
				return
			}
			require.Nil(t, e)
			tr := c.Transcript()
			require.NotNil(t, tr)
			require.Equal(t, r.Dialect, dialects.SignBedrock(body))
			if r.TextSHA256 != "" {
				sum := sha256.Sum256([]byte(tr.Text))
				require.Equal(t, r.TextSHA256, hex.EncodeToString(sum[:]))
			}
			require.NotEqual(t, endwell.FinishUnknown, tr.Finish)
			if r.Finish != "" {
				require.Equal(t, r.Finish, tr.Reason)
			}
			require.Equal(t, tr.Finish == endwell.FinishToolCalls, len(tr.ToolCalls) > 0)
			for _, call := range tr.ToolCalls {
				require.True(t, call.ID != "" && call.Name != "" && !call.Incomplete)
				require.True(t, call.Arguments == "" || json.Valid([]byte(call.Arguments)), call.Arguments)
			}
			require.True(t, tr.Usage.Input > 0 && tr.Usage.Output > 0)
			t.Logf("text %d, reasoning %d, calls %d, outputs %d, %s", len(tr.Text), len(tr.Reasoning), len(tr.ToolCalls), tr.Outputs, tr.Reason)
		})
	}
	require.NotZero(t, n)
}

func TestBedrockSignsNoOtherWire(t *testing.T) {
	for _, r := range bedrockRows(t, "recordings/index.jsonl") {
		if strings.HasPrefix(r.Dialect, "bedrock-") {
			continue
		}
		body, err := os.ReadFile(filepath.Join(bedrockCorpus, "recordings", r.Path))
		require.NoError(t, err)
		require.Empty(t, dialects.SignBedrock(body), r.Path)
	}
}

func TestBedrockCases(t *testing.T) {
	n := 0
	for _, r := range bedrockRows(t, "cases/want.jsonl") {
		if !strings.HasPrefix(r.Dialect, "bedrock-") {
			continue
		}
		n++
		t.Run(r.ID, func(t *testing.T) {
			f, err := os.Open(filepath.Join(bedrockCorpus, "cases", r.ID+".tape"))
			require.NoError(t, err)
			defer func() { require.NoError(t, f.Close()) }()
			tp, err := tape.Read(f)
			require.NoError(t, err)
			clk := clock.NewFake(time.Now())
			c, e := bedrockCollect(t, r.Dialect, clk, func(ctx context.Context) *http.Response {
				return &http.Response{
					StatusCode: tp.Head.Status, Header: tp.Head.Header.HTTP(),
					Body: tape.Play(ctx, tp, tape.Config{Clock: clk, Drive: true}),
				}
			})
			require.NotNil(t, e)
			require.Equal(t, r.Fault, e.Fault.String())
			require.Equal(t, r.Category, e.Category.String())
			require.Equal(t, r.Transient, e.Transient)
			require.Equal(t, r.Retryable, e.Retryable)
			text := ""
			if tr := c.Transcript(); tr != nil {
				text = tr.Text
			}
			require.Equal(t, r.Text, text)
		})
	}
	require.NotZero(t, n)
}
