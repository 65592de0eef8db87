package dialects

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
)

// googleEnd is how a stream of Google's ends above the standard stack.
type googleEnd struct {
	c   endwell.Collector
	err *endwell.Error // nil for whole
}

// middlewareDefault is the standard stack as it is by default.
var middlewareDefault middleware.Config

func (e *googleEnd) outcome() string {
	if e.err == nil {
		return "whole"
	}
	return "failed"
}

// fault is "whole", or the fault's name.
func (e *googleEnd) fault() string {
	if e.err == nil {
		return "whole"
	}
	return e.err.Fault.String()
}

func (e *googleEnd) text() string {
	if t := e.c.Transcript(); t != nil {
		return t.Text
	}
	return ""
}

// playGoogle reads a body through the standard stack.
func playGoogle(t testing.TB, d *Dialect, body io.Reader, cfg middleware.Config) *googleEnd {
	t.Helper()
	next := middleware.Standard(cfg)(endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return d.Stream(body, Options{}), nil
		}))
	st, err := next.Open(context.Background(), &endwell.Request{})
	require.NoError(t, err)
	var e googleEnd
	for c, err := range endwell.All(st) {
		if err != nil {
			e.c.End(err)
			require.True(t, errors.As(err, &e.err), "%v", err)
			return &e
		}
		e.c.Add(c)
	}
	e.c.End(io.EOF)
	return &e
}

// googleByName has this family's dialects.
func googleByName() map[string]*Dialect { return index(geminiDialects(), interactionsDialects()) }

// googleShared opens a file of the corpora, which are not part of the project.
func googleShared(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", path))
	if err != nil {
		t.Skip("the corpora are not here")
	}
	return b
}

func TestGoogleRecordings(t *testing.T) {
	byName := googleByName()
	for row := range googleRows[struct {
		Path, Wire, Dialect, Outcome, Finish string
		Status                               int
		Sha                                  *string `json:"text_sha256"`
	}](t, googleShared(t, "recordings/index.jsonl")) {
		d := byName[row.Dialect]
		if d == nil {
			continue
		}
		t.Run(row.Path, func(t *testing.T) {
			body := googleShared(t, "recordings/"+row.Path)
			if row.Status >= 400 {
				ev := d.Refusal(row.Status, nil, body)
				require.NotEmpty(t, ev.Type)
				require.NotEmpty(t, ev.Message)
				return
			}
			e := playGoogle(t, d, bytes.NewReader(body), middleware.Config{})
			require.Equal(t, row.Outcome, e.outcome(), "%v", e.err)
			class, raw := e.c.Finish()
			if e.err == nil {
				require.NotEqual(t, endwell.FinishNone, class)
			}
			if row.Finish != "" && e.err == nil {
				require.Equal(t, row.Finish, raw)
			}
			if row.Sha != nil {
				require.Equal(t, *row.Sha, fmt.Sprintf("%x", sha256.Sum256([]byte(e.text()))))
			}
			if tr := e.c.Transcript(); tr != nil {
				for _, call := range tr.ToolCalls {
					require.NotEmpty(t, call.Name)
					require.True(t, call.Arguments == "" || json.Valid([]byte(call.Arguments)), call.Arguments)
				}
			}
		})
	}
}

func TestGoogleCases(t *testing.T) {
	byName := googleByName()
	for row := range googleRows[struct {
		ID, Dialect, Outcome, Fault, Category, Finish string
		Text                                          *string
		Transient, Retryable                          *bool
	}](t, googleShared(t, "cases/want.jsonl")) {
		d := byName[row.Dialect]
		if d == nil {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			tp, err := tape.Read(bytes.NewReader(googleShared(t, "cases/"+row.ID+".tape")))
			require.NoError(t, err)
			clk := clock.NewFake(time.Unix(0, 0))
			body := tape.Play(t.Context(), tp, tape.Config{Clock: clk, Drive: true})
			const bound = 5 * time.Minute
			e := playGoogle(t, d, body, middleware.Config{Clock: clk, Stall: middleware.StallConfig{
				Bounds: middleware.Bounds{First: bound, Idle: bound, Progress: bound},
			}})
			require.Equal(t, row.Outcome, e.outcome(), "%v", e.err)
			if row.Text != nil {
				require.Equal(t, *row.Text, e.text())
			}
			if e.err == nil {
				_, raw := e.c.Finish()
				require.Equal(t, row.Finish, raw)
				return
			}
			require.Equal(t, row.Fault, e.err.Fault.String())
			if row.Category != "" {
				require.Equal(t, row.Category, e.err.Category.String())
			}
			if row.Transient != nil {
				require.Equal(t, *row.Transient, e.err.Transient)
			}
			if row.Retryable != nil {
				require.Equal(t, *row.Retryable, e.err.Retryable)
			}
		})
	}
}

// TestGoogleSigns holds the signs against every recording and case: all of this
// family's are known by one of their frames, and none of another's.
func TestGoogleSigns(t *testing.T) {
	byName := googleByName()
	for row := range googleRows[struct {
		Path, Wire, Dialect string
	}](t, googleShared(t, "recordings/index.jsonl")) {
		if strings.HasSuffix(row.Path, ".eventstream") {
			continue
		}
		want := ""
		if byName[row.Dialect] != nil {
			want = row.Dialect
		}
		require.Equal(t, want, googleSign(t, googleShared(t, "recordings/"+row.Path)), row.Path)
	}
	for row := range googleRows[struct{ ID, Dialect string }](t, googleShared(t, "cases/want.jsonl")) {
		tp, err := tape.Read(bytes.NewReader(googleShared(t, "cases/"+row.ID+".tape")))
		require.NoError(t, err)
		var body []byte
		for _, a := range tp.Arrivals {
			body = append(body, a.Data...)
		}
		got := googleSign(t, body)
		if byName[row.Dialect] == nil {
			require.Empty(t, got, row.ID)
		} else {
			require.Equal(t, row.Dialect, got, row.ID)
		}
	}
}

// googleSign is what the first frame says that says something.
func googleSign(t *testing.T, body []byte) string {
	t.Helper()
	g, f := new(geminiFramer), new(frame)
	for rest := body; g.next(rest, true, f); rest = rest[len(f.raw):] {
		gemini, inter := signGemini(f), signInteractions(f)
		require.False(t, gemini != "" && inter != "")
		if gemini+inter != "" {
			return gemini + inter
		}
	}
	return ""
}

// googleRows reads JSON lines.
func googleRows[T any](t *testing.T, b []byte) func(func(T) bool) {
	return func(yield func(T) bool) {
		sc := bufio.NewScanner(bytes.NewReader(b))
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			var row T
			require.NoError(t, json.Unmarshal(sc.Bytes(), &row))
			if !yield(row) {
				return
			}
		}
	}
}
