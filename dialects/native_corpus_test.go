package dialects_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

// nativeNames are the dialects of these families.
var nativeNames = map[string]bool{
	"cohere": true, "cohere-v1": true, "ollama": true, "replicate": true, "writer": true, "watsonx": true,
}

// nativeRow is a row of one of the corpora.
type nativeRow struct {
	ID, Path, Dialect, Provider, Wire string
	Status                            int
	Outcome, Fault, Category, Finish  string
	ContentType                       string `json:"content_type"`
	Transient, Retryable              *bool
	Text, TextSHA256                  *string
	TextHash                          *string `json:"text_sha256"`
}

func nativeRows(t *testing.T, path string) []nativeRow {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Skip("the shared corpora are not here: ", path)
	}
	defer f.Close()
	var rows []nativeRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r nativeRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		rows = append(rows, r)
	}
	require.NoError(t, lines.Err())
	return rows
}

func TestNativeCases(t *testing.T) {
	seen := 0
	for _, r := range nativeRows(t, "../../shared/cases/want.jsonl") {
		if !nativeNames[r.Dialect] {
			continue
		}
		seen++
		t.Run(r.ID, func(t *testing.T) { r.check(t, r.play(t)) })
	}
	require.Positive(t, seen)
}

func TestNativeRecordings(t *testing.T) {
	seen := 0
	for _, r := range nativeRows(t, "../../shared/recordings/index.jsonl") {
		if r.Wire == "other" {
			r.Dialect = r.Provider
		}
		if !nativeNames[r.Dialect] {
			continue
		}
		seen++
		t.Run(r.Path, func(t *testing.T) { r.check(t, r.read(t)) })
	}
	require.Positive(t, seen)
}

// The frames of every other family are left alone.
func TestNativeSignsNoOther(t *testing.T) {
	for _, r := range nativeRows(t, "../../shared/recordings/index.jsonl") {
		body, err := os.ReadFile(filepath.Join("../../shared/recordings", r.Path))
		require.NoError(t, err)
		want := ""
		switch {
		case r.Wire == "other":
			want = r.Provider
		case nativeNames[r.Dialect] && r.Status == 200:
			want = r.Dialect
		}
		require.Equal(t, want, dialects.NativeSign(body), r.Path)
	}
	for _, r := range nativeRows(t, "../../shared/cases/want.jsonl") {
		got := dialects.NativeSign(nativeTape(r.tape(t)))
		if got != "" {
			require.Equal(t, r.Dialect, got, r.ID)
		}
	}
}

func nativeTape(t *tape.Tape) []byte {
	var b []byte
	for _, a := range t.Arrivals {
		b = append(b, a.Data...)
	}
	return b
}

func (r nativeRow) tape(t *testing.T) *tape.Tape {
	t.Helper()
	f, err := os.Open(filepath.Join("../../shared/cases", r.ID+".tape"))
	require.NoError(t, err)
	defer f.Close()
	tp, err := tape.Read(f)
	require.NoError(t, err)
	return tp
}

type nativeResult struct {
	c   endwell.Collector
	err error
}

// play plays a case through the standard stack, on a fake clock.
func (r nativeRow) play(t *testing.T) *nativeResult {
	t.Helper()
	tp, clk := r.tape(t), clock.NewFake(time.Now())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	min5 := middleware.Bounds{First: 5 * time.Minute, Idle: 5 * time.Minute, Progress: 5 * time.Minute}
	cfg := middleware.Config{Clock: clk, Stall: middleware.StallConfig{Bounds: min5}}
	return r.run(ctx, cfg, func(ctx context.Context) *http.Response {
		return &http.Response{
			StatusCode: tp.Head.Status, Header: tp.Head.Header.HTTP(),
			Body: tape.Play(ctx, tp, tape.Config{Clock: clk, Cancel: cancel, Drive: true}),
		}
	})
}

// read reads a recording through the standard stack.
func (r nativeRow) read(t *testing.T) *nativeResult {
	t.Helper()
	return r.run(t.Context(), middleware.Config{}, func(context.Context) *http.Response {
		f, err := os.Open(filepath.Join("../../shared/recordings", r.Path))
		require.NoError(t, err)
		return &http.Response{StatusCode: r.Status, Header: http.Header{"Content-Type": {r.ContentType}}, Body: f}
	})
}

func (r nativeRow) run(ctx context.Context, cfg middleware.Config, resp func(context.Context) *http.Response) *nativeResult {
	next := middleware.Standard(cfg)(endwell.NextFunc(
		func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
			return transport.Decode(resp(ctx), dialects.Native(r.Dialect), dialects.Options{})
		}))
	res := new(nativeResult)
	st, err := next.Open(ctx, &endwell.Request{Model: "m"})
	if err != nil {
		res.err = err
		return res
	}
	for c, err := range endwell.All(st) {
		if err != nil {
			res.err = err
			break
		}
		res.c.Add(c)
	}
	res.c.End(res.err)
	return res
}

func (r nativeRow) check(t *testing.T, res *nativeResult) {
	t.Helper()
	text := ""
	if tr := res.c.Transcript(); tr != nil {
		text = tr.Text
	}
	_, finish := res.c.Finish()
	t.Logf("%s: outcome %s: err=%v finish=%q text=%d bytes %.60q usage=%+v", r.Path+r.ID, r.Outcome, res.err, finish, len(text), text, res.c.Usage())
	switch r.Outcome {
	case "whole", "review":
		require.NoError(t, res.err)
	case "failed":
		r.checkError(t, res.err)
	default:
		t.Fatal("unknown outcome ", r.Outcome)
	}
	if r.Finish != "" {
		require.Equal(t, r.Finish, finish)
	}
	if r.Text != nil {
		require.Equal(t, *r.Text, text)
	}
	if r.TextHash != nil {
		sum := sha256.Sum256([]byte(text))
		require.Equal(t, *r.TextHash, hex.EncodeToString(sum[:]))
	}
}

func (r nativeRow) checkError(t *testing.T, err error) {
	t.Helper()
	var e *endwell.Error
	require.True(t, errors.As(err, &e), "%v", err)
	if r.Fault != "" {
		require.Equal(t, r.Fault, strings.ToLower(e.Fault.String()))
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
}
