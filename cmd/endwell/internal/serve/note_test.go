package serve

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/endwelltest"
)

// The log says for every ending what its client sees: its name, and the status, or that
// there is none.
func TestLogOfEveryEnding(t *testing.T) {
	url, stderr := start(t)
	var asking sync.WaitGroup
	defer asking.Wait()
	for _, e := range endwelltest.Endings() {
		for kind, body := range map[string]string{"after=1": streamed, "after=2": "{}"} {
			path := "/" + kind + "/" + e.Name + "/v1/messages"
			asking.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				if statusOf(e, body == streamed) == 0 {
					go giveUp(ctx, cancel, stderr, path)
				}
				got := fmt.Sprintf("POST %q %s %s", path, begins(ctx, url+path, body), e.Name)
				assert.Eventually(t, func() bool { return strings.Contains(stderr.String(), got+"\n") }, 2*time.Minute, time.Millisecond, got)
			})
		}
	}
}

// begins is the status with which an answer begins, as the log has it.
func begins(ctx context.Context, url, body string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "no status"
	}
	_ = resp.Body.Close()
	return strconv.Itoa(resp.StatusCode)
}

// giveUp ends a request that nobody answers, when there has been time to.
func giveUp(ctx context.Context, cancel func(), stderr *output, path string) {
	often := time.NewTicker(time.Millisecond)
	defer often.Stop()
	for late := 0; late < 100; {
		select {
		case <-often.C:
			if strings.Contains(stderr.String(), path) {
				late++
			}
		case <-ctx.Done():
			return
		}
	}
	cancel()
}

// The log says what is played where no path names it, and what is not found.
func TestLogOfOtherPaths(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("refuse 429\n"), 0o600))
	for name, row := range map[string]struct {
		args   []string
		path   string
		status int
		log    string
	}{
		"the flag's ending":        {[]string{"-ending", "refused-401"}, "/v1/messages", 401, "401 refused-401"},
		"whole by default":         {nil, "/v1/messages", 200, "200 whole"},
		"a script":                 {[]string{"-script", script}, "/v1/messages", 429, "script"},
		"a path before the script": {[]string{"-script", script}, "/whole/v1/messages", 200, "200 whole"},
		"no such ending":           {nil, "/staled/v1/messages", 404, "404 no such ending or setting"},
		"no such setting":          {nil, "/before=1/cut/v1/messages", 404, "404 no such ending or setting"},
		"no such number":           {nil, "/after=x/cut/v1/messages", 404, "404 no such ending or setting"},
		"no wire":                  {nil, "/cut/v1/generate", 404, "404 no such path"},
		"the menu":                 {nil, "/", 200, "200 menu"},
	} {
		t.Run(name, func(t *testing.T) {
			url, stderr := start(t, row.args...)
			status, _, _ := post(t, url+row.path, streamed)
			require.Equal(t, row.status, status)
			line := fmt.Sprintf("POST %q %s\n", row.path, row.log)
			require.Eventually(t, func() bool { return strings.Contains(stderr.String(), line) }, 2*time.Minute, time.Millisecond, stderr)
			require.Equal(t, 1, strings.Count(stderr.String(), "POST"))
		})
	}
}
