package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
	"github.com/endwell-go/endwell/tape"
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

// Each attempt has its tape, and no tape is written over another one. Their names tell
// which is which, in whatever order they are written.
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
	status := map[string]int{}
	for _, path := range paths {
		f, err := os.Open(path)
		require.NoError(t, err)
		got, err := tape.Read(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		_, name, _ := strings.Cut(filepath.Base(path), ".") // behind it are the milliseconds
		status[name[len("000-"):]] = got.Status
	}
	require.Equal(t, map[string]int{"000001-01.tape": 503, "000001-02.tape": 200, "000002-01.tape": 200, "000003-01.tape": 200}, status)
	for _, exchange := range []string{"1", "2", "3"} { // the log has the same numbers
		require.Contains(t, b.log.String(), " exchange="+exchange+" ")
	}
}

// The name of a tape has the time at which its request came, not the one at which its
// answer was written.
func TestTapesThatEndInAnotherOrder(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	dir := t.TempDir()
	goOn := make(chan struct{})
	b := start(t, endwelltest.NewGateway(
		endwelltest.Script(w.Begin(), w.Text("first"), endwelltest.Flush(), endwelltest.Wait(goOn), w.Finish("stop"), w.Done()),
		w.Answer("second"),
	), Config{Tapes: dir})
	b.raw(t, chatPath, asking, "first", func() {
		b.raw(t, chatPath, asking, "", nil)
		require.Eventually(t, func() bool { paths, _ := filepath.Glob(filepath.Join(dir, "*-000002-01.tape")); return len(paths) == 1 }, patience, time.Millisecond)
		close(goOn)
	})
	paths := b.recorded(t, dir)
	require.Len(t, paths, 2)
	for i, path := range paths {
		require.Contains(t, path, "-00000"+itoa(i+1)+"-01.tape")
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
