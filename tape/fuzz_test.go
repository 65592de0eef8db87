package tape_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

var seeds = []string{
	"",
	head,
	head + eof,
	"\ufeff" + head + `{"at_ms":0,"data":"\ud83d\ude00\ufffd"}` + "\r\n" + eof,
	head + `{"at_ms":5,"base64":"/w==","count":1e9,"times":1e12,"every_ms":1000}` + "\n" + `{"at_ms":5,"end":"hang"}`,
	`{"tape":1,"dialect":"openai","status":429,"header":{"Retry-After":"1"}}` + "\n" + `{"at_ms":9223372036854,"data":"","times":3,"every_ms":9223372036854}` + "\n" + `{"at_ms":9223372036854,"end":"reset"}`,
	head + `{"at_ms":0,"data":"x"}` + "\n\n" + `{"at_ms":0,"end":"cancel"}` + "\n",
	head + `{"at_ms":1.5,"data":"x"}` + "\n" + `{"at_ms":-0,"end":"unexpected_eof"}`,
}

// FuzzRead: what is read can be written, is then read back the same, and plays
// without a panic.
func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	names, _ := filepath.Glob(filepath.Join(sharedCases, "*.tape"))
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := tape.Read(bytes.NewReader(data))
		if err != nil {
			_, ok := errors.AsType[*tape.LineError](err)
			require.True(t, ok, "%v", err)
			require.Nil(t, got)
			return
		}
		requireRoundTrip(t, got)
		body := tape.Play(context.Background(), got, tape.Config{Clock: new(clock.Fake), Drive: true})
		p := make([]byte, 512)
		for range 100 {
			n, err := body.Read(p)
			if err != nil {
				require.Zero(t, n)
				break
			}
			require.Positive(t, n)
		}
	})
}

// The seeds are worth something only if both kinds are among them.
func TestFuzzSeeds(t *testing.T) {
	good, bad := 0, 0
	for _, s := range seeds {
		if got, err := tape.Read(bytes.NewReader([]byte(s))); err == nil {
			good++
			_, err := got.WriteTo(io.Discard)
			require.NoError(t, err)
		} else {
			bad++
		}
	}
	require.Equal(t, 5, good)
	require.Equal(t, 3, bad)
}
