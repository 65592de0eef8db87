package check_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/tape"
)

// The corpora lie beside the project where there are any; see tape.md there.
const (
	casesDir      = "../../../../../shared/cases"
	recordingsDir = "../../../../../shared/recordings"
)

// bounds are those with which the corpora are judged.
var bounds = middleware.Bounds{First: 5 * time.Minute, Idle: 5 * time.Minute, Progress: 5 * time.Minute}

// rows reads a file of JSON Lines; it skips the test when there is none.
func rows(t *testing.T, path string) []map[string]any {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skipf("no corpus: %s is not there", path)
	}
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	var all []map[string]any
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row map[string]any
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		all = append(all, row)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, all)
	return all
}

// playable are the rows of a file whose dialect is there; the others are counted in the
// test's log.
func playable(t *testing.T, path string) []map[string]any {
	t.Helper()
	missing := map[string]int{}
	all := slices.DeleteFunc(rows(t, path), func(row map[string]any) bool {
		name := text(row, "dialect")
		_, ok := dialects.ByName(name)
		if !ok {
			missing[name]++
		}
		return !ok
	})
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Logf("dialect %q is not there yet: %d rows", name, missing[name])
	}
	return all
}

func text(row map[string]any, key string) string { s, _ := row[key].(string); return s }

// asMap is a result as its JSON says it.
func asMap(t *testing.T, r check.Result) map[string]any {
	t.Helper()
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(b, &m))
	sum := sha256.Sum256([]byte(r.Text))
	m["text_sha256"] = hex.EncodeToString(sum[:])
	if f, ok := m["finish"].(map[string]any); ok {
		m["finish"] = f["raw"]
	}
	return m
}

// TestCases plays every case whose dialect is there, as named and as detected, and
// holds every key of its row.
func TestCases(t *testing.T) {
	for _, row := range playable(t, filepath.Join(casesDir, "want.jsonl")) {
		t.Run(text(row, "id"), func(t *testing.T) {
			r, err := check.File(filepath.Join(casesDir, text(row, "id")+".tape"), nil, check.Options{Bounds: bounds})
			require.NoError(t, err)
			got := asMap(t, r)
			for key, want := range row {
				if !slices.Contains([]string{"id", "title", "kind", "dialect"}, key) {
					require.Equal(t, want, got[key], "%s: %s", key, text(row, "title"))
				}
			}
		})
	}
}

// TestRecordings plays every recording whose dialect is there: outcome, finish word
// and the answer's text.
func TestRecordings(t *testing.T) {
	for _, row := range playable(t, filepath.Join(recordingsDir, "index.jsonl")) {
		for _, as := range []string{text(row, "dialect"), ""} {
			t.Run(text(row, "path")+"/"+as, func(t *testing.T) { requireRecording(t, row, as) })
		}
	}
}

// answers counts the answers of which a recording is made: some are several
// responses, written one after the other. A stream ends with its first one.
func answers(t *testing.T, path string) int {
	t.Helper()
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	return bytes.Count(body, []byte(`"type":"message_start"`)) + bytes.Count(body, []byte(`"type":"response.created"`))
}

func requireRecording(t *testing.T, row map[string]any, dialect string) {
	t.Helper()
	if n := answers(t, filepath.Join(recordingsDir, text(row, "path"))); n > 1 {
		t.Skipf("%d answers in one file, and the row sums them up", n)
	}
	status, _ := row["status"].(float64)
	r, err := check.File(filepath.Join(recordingsDir, text(row, "path")), nil, check.Options{
		Dialect: dialect, Status: int(status), Type: text(row, "content_type"), Bounds: bounds,
	})
	require.NoError(t, err)
	got := asMap(t, r)
	if outcome := text(row, "outcome"); outcome != "review" {
		require.Equal(t, outcome, r.Outcome)
		require.Equal(t, text(row, "fault"), r.Fault)
		if want, ok := row["finish"]; ok {
			require.Equal(t, want, got["finish"])
		}
	}
	if want, ok := row["text_sha256"]; ok {
		require.Equal(t, want, got["text_sha256"])
	}
}

// TestRecordingsSplit reads recordings in two parts, at every offset of the short
// ones and at a sample of the long ones, a byte at a time, and with the last bytes
// beside io.EOF: what they say is the same.
func TestRecordingsSplit(t *testing.T) {
	if testing.Short() {
		t.Skip("splits of the recordings: not in short mode")
	}
	for _, row := range rows(t, filepath.Join(recordingsDir, "index.jsonl")) {
		d, ok := dialects.ByName(text(row, "dialect"))
		if !ok || text(row, "wire") == "error" {
			continue
		}
		t.Run(text(row, "path"), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(filepath.Join(recordingsDir, text(row, "path")))
			require.NoError(t, err)
			want := said(d, bytes.NewReader(body))
			require.Equal(t, want, said(d, iotest.DataErrReader(bytes.NewReader(body))))
			if len(body) < 200<<10 {
				require.Equal(t, want, said(d, iotest.OneByteReader(bytes.NewReader(body))))
			}
			step := 1
			if underRace || len(body) > everySplit {
				step = max(1, len(body)/splitsEach)
			}
			for at := 1; at < len(body); at += step {
				require.Equal(t, want, said(d, io.MultiReader(bytes.NewReader(body[:at]), bytes.NewReader(body[at:]))), "split at %d", at)
			}
		})
	}
}

// everySplit is the length of the bodies that are split at every offset. Longer ones are
// at splitsEach, and so are all under the race detector, which has nothing to find here
// but what the streams have in common.
const everySplit = 6 << 10

// said is the text, the tool calls and the ending of a body.
func said(d *dialects.Dialect, body io.Reader) string {
	var b strings.Builder
	var c endwell.Collector
	st := d.Stream(body, dialects.Options{})
	for {
		chunk, err := st.Recv()
		if err != nil {
			c.End(err)
			if tr := c.Transcript(); tr != nil {
				for _, call := range tr.ToolCalls {
					b.WriteString(call.ID + call.Name + call.Arguments + "\n")
				}
				b.WriteString(tr.Text + tr.Reasoning + tr.Reason + "\n")
			}
			return b.String() + err.Error()
		}
		c.Add(chunk)
	}
}

// TestDetectFindsTheFamily detects every recording and case without being told: the
// wire family is right, and where the name is not the tolerant base, so is the name
// or that of the host behind a gateway.
func TestDetectFindsTheFamily(t *testing.T) {
	for _, row := range rows(t, filepath.Join(recordingsDir, "index.jsonl")) {
		if text(row, "wire") != "error" && text(row, "dialect") != "" {
			requireFamily(t, filepath.Join(recordingsDir, text(row, "path")), text(row, "dialect"), text(row, "content_type"))
		}
	}
	for _, row := range rows(t, filepath.Join(casesDir, "want.jsonl")) {
		path := filepath.Join(casesDir, text(row, "id")+".tape")
		f, err := os.Open(path)
		require.NoError(t, err)
		tp, err := tape.Read(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		if tp.Head.Status == 200 {
			requireFamily(t, path, text(row, "dialect"), "")
		}
	}
}

func requireFamily(t *testing.T, path, dialect, contentType string) {
	t.Helper()
	found, told, err := check.Detect(path, contentType)
	require.NoError(t, err)
	if !told {
		return // nothing in the body tells: it is empty, or says nothing but an error
	}
	want, ok := dialects.ByName(dialect)
	require.True(t, ok, dialect)
	require.Equal(t, want.Family(), found.Family(), "%s: found %s", path, found.Name())
}
