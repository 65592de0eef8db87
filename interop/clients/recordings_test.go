package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

	body []byte
}

// recordings reads those that lie beside the project; the test is skipped when there
// are none.
func recordings(t *testing.T) (all []recording) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "recordings")
	index, err := os.ReadFile(filepath.Join(dir, "index.jsonl"))
	if os.IsNotExist(err) {
		t.Skip("no recordings: ", dir, " is not there")
	}
	require.NoError(t, err)
	for dec := json.NewDecoder(bytes.NewReader(index)); dec.More(); {
		var r recording
		require.NoError(t, dec.Decode(&r))
		r.body, err = os.ReadFile(filepath.Join(dir, r.Path))
		require.NoError(t, err)
		all = append(all, r)
	}
	require.NotEmpty(t, all)
	return all
}

// of reports whether a recording is of what a client reads.
func (r *recording) of(c Client) bool {
	d, ok := dialects.ByName(r.Dialect)
	return ok && d.Family() == dialects.MustByName(c.Wire.Dialect()).Family()
}

// RoundTrip implements http.RoundTripper: the recording answers every request.
func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		_ = req.Body.Close()
	}
	return &http.Response{
		Status: http.StatusText(r.Status), StatusCode: r.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {r.Type}},
		Body:   io.NopCloser(bytes.NewReader(r.body)), ContentLength: -1, Request: req,
	}, nil
}

// played is what a client makes of a recording.
func (r *recording) played(t *testing.T, c Client, guarded bool) (o Outcome) {
	var base http.RoundTripper = r
	if guarded {
		base = transport.Wrap(base, transport.WrapConfig{})
	}
	if c.Above != nil {
		base = c.Above(base)
	}
	ctx, ending := transport.WithEnding(t.Context())
	o.Err = c.Ask(ctx, "http://127.0.0.1:1", &http.Client{Transport: base}, func(piece string) bool {
		o.Text += piece
		return true
	})
	o.Ending = ending.Err()
	return o
}

// A recorded answer that is whole is to every client with endwell what it is without.
// In one that is not, a client hears what it heard before, up to the fault.
func TestRecordings(t *testing.T) {
	all := recordings(t)
	for _, c := range Clients() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			played := 0
			for _, r := range all {
				if !r.of(c) {
					continue
				}
				played++
				plain, guarded := r.played(t, c, false), r.played(t, c, true)
				fault := errors.As(guarded.Ending, new(*endwell.Error)) && r.Status == http.StatusOK
				require.False(t, fault && r.Outcome == "whole", "a false alarm for %s: %v", r.Path, guarded.Ending)
				require.False(t, !fault && r.Outcome == "failed" && r.Status == http.StatusOK, "no alarm for %s", r.Path)
				if !fault {
					require.Equal(t, plain.Text, guarded.Text, r.Path)
					require.Equal(t, c.result(plain.Err), c.result(guarded.Err), "%s: %v", r.Path, guarded.Err)
					continue
				}
				require.True(t, strings.HasPrefix(plain.Text, guarded.Text), r.Path)
				require.Equal(t, c.Keeps&Faults == 0, guarded.Err != nil, r.Path)
				require.True(t, c.Keeps&(Faults|Types) != 0 || errors.As(guarded.Err, new(*endwell.Error)), r.Path)
			}
			require.NotZero(t, played)
		})
	}
}

func (c Client) result(err error) string {
	if err == nil {
		return "END"
	}
	return c.named(err)
}
