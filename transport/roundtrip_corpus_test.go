package transport_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

// recording is a recorded response.
type recording struct {
	Path, Dialect, Outcome string
	Status                 int
	Type                   string `json:"content_type"`

	body string
}

// recordings reads those that lie beside the project; the test is skipped when there
// are none.
func recordings(t *testing.T) (all []recording) {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "recordings")
	index, err := os.ReadFile(filepath.Join(dir, "index.jsonl"))
	if os.IsNotExist(err) {
		t.Skip("no recordings: ", dir, " is not there")
	}
	require.NoError(t, err)
	for dec := json.NewDecoder(bytes.NewReader(index)); dec.More(); {
		var r recording
		require.NoError(t, dec.Decode(&r))
		body, err := os.ReadFile(filepath.Join(dir, r.Path))
		require.NoError(t, err)
		r.body = string(body)
		all = append(all, r)
	}
	require.NotEmpty(t, all)
	return all
}

// good is what a decoder without a chain delivers of a recording before it reports a
// fault, and whether it does.
func (r *recording) good() (raw string, fault bool) {
	d, ok := dialects.ByName(r.Dialect)
	if !ok {
		d = dialects.MustByName("compatible")
	}
	st := d.Stream(io.NopCloser(strings.NewReader(r.body)), dialects.Options{})
	defer func() { _ = st.Close() }()
	for {
		c, err := st.Recv()
		if err != nil {
			return raw, err != io.EOF
		}
		raw += string(c.Raw)
	}
}

// guards are configs that a recording is read through. Only the first one promises to
// hand over all that came before a fault: a gate drops the preamble of an attempt that
// failed, and what does not tell its dialect is not handed over.
func (r *recording) guards() map[string]transport.WrapConfig {
	d, _ := dialects.ByName(r.Dialect)
	held := gated(2)
	held.Dialect = d
	return map[string]transport.WrapConfig{"named": {Dialect: d}, "held": held, "detected": {}}
}

// Whoever reads a recorded answer through the guard reads what the server sent, up to
// the fault if there is one.
func TestRoundTripRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		for guard, cfg := range r.guards() {
			got, err := r.read(t, cfg, func(r io.Reader) io.Reader { return r })
			r.until(t, got, err).hold(t, got, err, guard == "named", r.Path+", "+guard)
		}
		if len(r.body) < 16<<10 {
			got, err := r.read(t, r.guards()["named"], iotest.OneByteReader)
			r.until(t, got, err).hold(t, got, err, true, r.Path+", bytewise")
		}
	}
}

// read reads the recording through a guard, from a server that sends it in pieces.
func (r *recording) read(t *testing.T, cfg transport.WrapConfig, pieces func(io.Reader) io.Reader) (string, error) {
	t.Helper()
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		resp := respond(io.NopCloser(pieces(strings.NewReader(r.body))))
		resp.StatusCode, resp.Header = r.Status, http.Header{"Content-Type": {r.Type}}
		return resp, nil
	})
	client := &http.Client{Transport: transport.Wrap(base, cfg)}
	resp, err := client.Post("http://host.invalid/", "application/json", strings.NewReader(asking))
	require.NoError(t, err, r.Path)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, resp.Body.Close())
	return string(got), err
}

// until is the recording as far as it was read. A recording may hold several answers, of
// which a slow machine does not read the second one byte by byte within the time that it
// has behind a whole answer; what was read must be a whole answer by itself then.
func (r *recording) until(t *testing.T, got string, err error) *recording {
	t.Helper()
	if r.Status != http.StatusOK || err != nil || len(got) >= len(r.body) {
		return r
	}
	part := *r
	part.body = got
	again, err := part.read(t, r.guards()["named"], func(r io.Reader) io.Reader { return r })
	require.NoError(t, err, r.Path)
	require.Equal(t, got, again, r.Path)
	require.True(t, strings.HasPrefix(r.body, got), r.Path)
	return &part
}

// hold holds what was read against what was sent, and against what a decoder without
// a chain delivers before a fault.
func (r *recording) hold(t *testing.T, got string, err error, all bool, name string) {
	t.Helper()
	switch {
	case r.Status != http.StatusOK:
		require.NoError(t, err, name)
		require.Equal(t, r.body, got, name)
	case err == nil:
		require.NotEqual(t, "failed", r.Outcome, name)
		rest, ok := strings.CutPrefix(got, r.body)
		require.True(t, ok && strings.Trim(rest, "\n") == "", name)
	default:
		require.ErrorAs(t, err, new(*endwell.Error), name)
		require.NotEqual(t, "whole", r.Outcome, "a false alarm for %s: %v", name, err)
		require.True(t, strings.HasPrefix(r.body, got), name)
		if good, fault := r.good(); all && fault {
			require.Equal(t, good, got, name)
		}
	}
}
