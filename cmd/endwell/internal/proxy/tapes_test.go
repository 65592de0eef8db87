package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
)

// recorded waits for the tapes and returns their paths.
func (b *bench) recorded(t *testing.T, dir string) []string {
	t.Helper()
	require.True(t, b.proxy.Drain(within(t)))
	b.proxy.tapes.saving.Wait()
	paths, err := filepath.Glob(filepath.Join(dir, "*.tape"))
	require.NoError(t, err)
	return paths
}

// A tape of an answer says what the client was told, and has no key.
func TestTapes(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.Anthropic
	for name, row := range map[string]struct {
		script endwelltest.Step
		says   string
	}{
		"whole":           {w.Answer("hello"), "WHOLE"},
		"cut":             {endwelltest.Script(w.Begin(), w.Text("hel")), "FAILED, truncated"},
		"broken":          {endwelltest.Script(w.Begin(), w.Text("hel"), endwelltest.Flush(), endwelltest.Abort()), "FAILED, broken"},
		"an error":        {endwelltest.Script(w.Begin(), w.Fault("overloaded_error", "no")), "FAILED, faulted (overloaded)"},
		"refused":         {w.Refuse(401, "authentication_error", "wrong key: "+testKey), "FAILED, refused (auth_invalid)"},
		"a key in a text": {w.Answer("your key is ", testKey), "WHOLE"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "tapes")
			b := start(t, endwelltest.NewGateway(row.script, endwelltest.Document(200, "application/json", "{}")), Config{Tapes: dir})
			got := b.raw(t, "/v1/messages", asking, "", nil, "X-Api-Key", testKey, "Accept-Encoding", "gzip")
			b.raw(t, "/v1/embeddings", "{}", "", nil)
			require.Equal(t, "identity", b.Requests()[0].Header.Get("Accept-Encoding"))
			paths := b.recorded(t, dir)
			require.Len(t, paths, 1, "an exchange that is no stream is not recorded")
			require.Equal(t, name != "whole" && strings.Contains(row.says, "FAILED"), verdict(t, "anthropic", got) != nil)
			content, err := os.ReadFile(paths[0])
			require.NoError(t, err)
			require.NotContains(t, string(content), "sk-test-not")
			require.NotContains(t, string(content), "0123456789")
			info, err := os.Stat(paths[0])
			require.NoError(t, err)
			if runtime.GOOS != "windows" {
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			}
			var out bytes.Buffer
			check.Run(nil, &out, &out, paths)
			require.Contains(t, out.String(), row.says)
			require.Contains(t, out.String(), "[anthropic]")
		})
	}
}

// Each attempt has its tape, and no tape is written over another one.
func TestTapesOfAttempts(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	dir := t.TempDir()
	b := start(t, endwelltest.NewGateway(w.Refuse(503, "overloaded", "no"), w.Answer("hello")), Config{Tapes: dir, Attempts: 2})
	for range 3 {
		b.raw(t, chatPath, asking, "", nil)
	}
	paths := b.recorded(t, dir)
	require.Len(t, paths, 4)
	// The log has the same numbers.
	for i, exchange := range []string{"1", "1", "2", "3"} {
		require.Regexp(t, "-00000"+exchange+`(-2)?\.tape$`, paths[i])
		require.Contains(t, b.log.String(), " exchange="+exchange+" ")
	}
}

// A disk that fails is logged once, and no client sees anything of it.
func TestTapesWithoutADisk(t *testing.T) {
	leaktest.Check(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	b := start(t, endwelltest.NewGateway(endwelltest.OpenAI.Answer("hello")), Config{Tapes: file})
	for range 3 {
		got := b.raw(t, chatPath, asking, "", nil)
		require.False(t, got.aborted)
		require.Nil(t, verdict(t, "openai", got))
	}
	require.Empty(t, b.recorded(t, file))
	require.Equal(t, 1, strings.Count(b.log.String(), "was not recorded"))
}

// An answer that is packed although nobody asked for it cannot be cleaned, and is not
// recorded; the client has it.
func TestTapesOfPackedAnswers(t *testing.T) {
	leaktest.Check(t)
	dir := t.TempDir()
	b := start(t, endwelltest.NewGateway(endwelltest.Script(endwelltest.Gzip(), endwelltest.OpenAI.Answer("hello"))), Config{Tapes: dir})
	got := b.raw(t, chatPath, asking, "", nil)
	require.Nil(t, verdict(t, "openai", got))
	require.Empty(t, b.recorded(t, dir))
	require.Contains(t, b.log.String(), "was not recorded")
}
