package tape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

func TestRecorderEnd(t *testing.T) {
	rows := []struct {
		name string
		err  error
		want tape.End
	}{
		{"clean", io.EOF, tape.EndEOF},
		{"short of its length", io.ErrUnexpectedEOF, tape.EndUnexpectedEOF},
		{"short, wrapped", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), tape.EndUnexpectedEOF},
		{"an EOF that is wrapped is not clean", fmt.Errorf("read: %w", io.EOF), tape.EndUnexpectedEOF},
		{"reset", &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, tape.EndReset},
		{"canceled", fmt.Errorf("read: %w", context.Canceled), tape.EndCancel},
		{"the caller's deadline", context.DeadlineExceeded, tape.EndCancel},
		{"closed elsewhere on this side", net.ErrClosed, tape.EndCancel},
		{"anything else", errors.New("stream error"), tape.EndReset},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var f clock.Fake
			body := io.MultiReader(strings.NewReader("x"), iotest.ErrReader(row.err))
			rec := tape.NewRecorder(&f, body, tape.Head{Status: 200})
			_, err := io.Copy(io.Discard, rec)
			if row.err != io.EOF {
				require.Equal(t, row.err, err, "the error passes unchanged")
			}
			require.NoError(t, rec.Close())
			got := rec.Tape()
			require.Equal(t, row.want, got.End)
			require.Equal(t, []tape.Arrival{{Data: []byte("x")}}, got.Arrivals)
			requireRoundTrip(t, got)
		})
	}
}

func TestRecorderDataWithError(t *testing.T) {
	rec := tape.NewRecorder(nil, iotest.DataErrReader(strings.NewReader("x")), tape.Head{})
	_, err := io.ReadAll(rec)
	require.NoError(t, err)
	require.Len(t, rec.Tape().Arrivals, 1)
	require.Equal(t, tape.EndEOF, rec.Tape().End)
}

func TestRecorderTimes(t *testing.T) {
	var f clock.Fake
	in, out := io.Pipe()
	defer out.Close()
	rec := tape.NewRecorder(&f, in, tape.Head{Dialect: "openai", Status: 201})
	p := make([]byte, 9)
	read := func(text string) {
		go io.WriteString(out, text)
		_, err := rec.Read(p)
		require.NoError(t, err)
	}
	f.Advance(1500 * time.Microsecond)
	read("a")
	f.Advance(time.Second)
	read("n\xc3")
	f.Set(clock.Epoch)
	read("c")
	f.Set(clock.Epoch.Add(time.Minute))

	open := rec.Tape()
	require.Equal(t, tape.EndHang, open.End, "a body that is still open")
	require.NoError(t, rec.Close())
	f.Advance(time.Hour)
	_, err := rec.Read(p)
	require.Equal(t, io.ErrClosedPipe, err)

	require.Equal(t, &tape.Tape{
		Head: tape.Head{Dialect: "openai", Status: 201},
		Arrivals: []tape.Arrival{
			{At: ms, Data: []byte("a")},
			{At: 1001 * ms, Data: []byte("n\xc3")},
			{At: 1001 * ms, Data: []byte("c")},
		},
		End:   tape.EndCancel,
		EndAt: time.Minute,
	}, rec.Tape())
	requireRoundTrip(t, rec.Tape())
}

// What has been recorded is not what is recorded later.
func TestRecorderTapeIsASnapshot(t *testing.T) {
	rec := tape.NewRecorder(new(clock.Fake), iotest.OneByteReader(strings.NewReader("abcdefgh")), tape.Head{})
	p := make([]byte, 1)
	for range 3 {
		_, err := rec.Read(p)
		require.NoError(t, err)
	}
	early := rec.Tape()
	early.Arrivals = append(early.Arrivals, tape.Arrival{Data: []byte("!")})
	_, err := io.ReadAll(rec)
	require.NoError(t, err)
	require.Len(t, early.Arrivals, 4)
	require.Equal(t, "d", string(rec.Tape().Arrivals[3].Data))
}

func TestRecorderCloseBesideRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := tape.Play(t.Context(), &tape.Tape{EndAt: time.Hour, End: tape.EndEOF}, tape.Config{})
		rec := tape.NewRecorder(clock.System, body, tape.Head{})
		done := make(chan error)
		go func() {
			_, err := rec.Read(make([]byte, 1))
			done <- err
		}()
		synctest.Wait()
		rec.Tape()
		require.NoError(t, rec.Close())
		require.Equal(t, tape.ErrClosed, <-done)
		require.Equal(t, tape.EndCancel, rec.Tape().End)
	})
}

// A tape that is played and recorded is the same tape, with its repetitions
// written out.
func TestRecordWhatIsPlayed(t *testing.T) {
	for end := tape.EndEOF; end <= tape.EndReset; end++ {
		var f clock.Fake
		want := &tape.Tape{
			Head:     tape.Head{Status: 200, Header: tape.Header{"A": "b"}},
			Arrivals: []tape.Arrival{{At: ms, Data: []byte("a")}, {At: time.Second, Data: []byte("\xff")}},
			EndAt:    time.Minute,
			End:      end,
		}
		rec := tape.NewRecorder(&f, tape.Play(t.Context(), want, tape.Config{Clock: &f, Drive: true}), want.Head)
		_, _ = io.Copy(io.Discard, rec)
		require.Equal(t, want, rec.Tape())
	}
}

func TestRecordSharedCases(t *testing.T) {
	for _, name := range sharedTapes(t) {
		want := readFile(t, name)
		if size(want) > 1<<16 {
			continue
		}
		var f clock.Fake
		rec := tape.NewRecorder(&f, tape.Play(t.Context(), want, tape.Config{Clock: &f, Drive: true}), want.Head)
		_, _ = io.Copy(io.Discard, rec)
		var a, b bytes.Buffer
		for _, x := range rec.Tape().Arrivals {
			a.Write(x.Data)
		}
		for _, x := range want.Arrivals {
			b.Write(bytes.Repeat(bytes.Repeat(x.Data, int(max(x.Count, 1))), int(max(x.Times, 1))))
		}
		require.Equal(t, b.String(), a.String(), name)
		requireRoundTrip(t, rec.Tape())
	}
}
