package tape_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

func TestDriveNeedsFake(t *testing.T) {
	for _, c := range []clock.Clock{nil, clock.System} {
		require.Panics(t, func() { tape.Play(t.Context(), new(tape.Tape), tape.Config{Clock: c, Drive: true}) })
	}
	require.NotPanics(t, func() {
		tape.Play(t.Context(), new(tape.Tape), tape.Config{Clock: new(clock.Fake), Drive: true})
	})
}

// The row of a bound: a timer of 5 min against a read that comes d later than
// that.
func TestDriveBound(t *testing.T) {
	const bound = 5 * time.Minute
	for late, want := range map[time.Duration]error{-1: nil, 0: tape.ErrClosed, 1: tape.ErrClosed} {
		var f clock.Fake
		body := tape.Play(t.Context(), &tape.Tape{
			Arrivals: []tape.Arrival{{At: bound + late, Data: []byte("x")}},
			EndAt:    bound + late,
		}, tape.Config{Clock: &f, Drive: true})
		f.AfterFunc(bound, func() { body.Close() })
		_, err := body.Read(make([]byte, 1))
		require.Equal(t, want, err, "late by %d", late)
		require.Equal(t, clock.Epoch.Add(bound+min(late, 0)), f.Now())
	}
}

func TestDriveServesWhatIsDueAtOnce(t *testing.T) {
	var f clock.Fake
	body := tape.Play(t.Context(), &tape.Tape{
		Arrivals: []tape.Arrival{{At: time.Second, Data: []byte("x")}},
		EndAt:    time.Second,
	}, tape.Config{Clock: &f, Drive: true})
	f.Advance(time.Minute)
	f.AfterFunc(0, func() { t.Error("fired") })
	got, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, "x", string(got))
	require.Equal(t, 1, f.Pending())
}

func TestDriveNeverEnds(t *testing.T) {
	for _, end := range []tape.End{tape.EndHang, tape.EndCancel} {
		var f clock.Fake
		body := tape.Play(t.Context(), &tape.Tape{End: end}, tape.Config{Clock: &f, Drive: true, Cancel: func() {}})
		f.AfterFunc(time.Second, func() {})
		_, err := body.Read(make([]byte, 1))
		require.Equal(t, tape.ErrNeverEnds, err)
		require.Zero(t, f.Pending())

		f.AfterFunc(time.Second, func() { body.Close() })
		_, err = body.Read(make([]byte, 1))
		require.Equal(t, tape.ErrClosed, err, "a timer that is set later still ends it")
	}
}

func TestDriveTimersThatSetEachOther(t *testing.T) {
	for _, endless := range []tape.Tape{{End: tape.EndHang}, {EndAt: time.Hour}} {
		var f clock.Fake
		var beat clock.Timer
		beat = f.AfterFunc(1, func() { beat.Reset(1) })
		body := tape.Play(t.Context(), &endless, tape.Config{Clock: &f, Drive: true})
		_, err := body.Read(make([]byte, 1))
		require.Equal(t, tape.ErrNeverEnds, err)
	}
}

// A guard that re-arms its timer before each Read sees the stall at its bound,
// without a goroutine.
func TestDriveStallGuard(t *testing.T) {
	const bound = 5 * time.Minute
	var f clock.Fake
	ctx, cancel := context.WithCancel(t.Context())
	guard := f.AfterFunc(bound, cancel)
	body := tape.Play(ctx, &tape.Tape{
		Arrivals: []tape.Arrival{{Data: []byte("x"), Times: 10, Every: bound - 1}},
		End:      tape.EndHang,
	}, tape.Config{Clock: &f, Drive: true})
	reads, p := 0, make([]byte, 1)
	for {
		guard.Reset(bound)
		_, err := body.Read(p)
		if err != nil {
			require.Equal(t, context.Canceled, err)
			break
		}
		reads++
	}
	require.Equal(t, 10, reads)
	require.Equal(t, 9*(bound-1)+bound, f.Now().Sub(clock.Epoch))
}

func TestDriveSharedCases(t *testing.T) {
	for _, name := range sharedTapes(t) {
		var f clock.Fake
		want := readFile(t, name)
		body := tape.Play(t.Context(), want, tape.Config{Clock: &f, Drive: true})
		n, err := io.Copy(io.Discard, body)
		require.Equal(t, size(want), n, name)
		switch want.End {
		case tape.EndEOF:
			require.NoError(t, err, name)
		case tape.EndUnexpectedEOF:
			require.Equal(t, io.ErrUnexpectedEOF, err, name)
		case tape.EndReset:
			requireReset(t, err)
		default:
			require.Equal(t, tape.ErrNeverEnds, err, name)
		}
		require.False(t, f.Now().Before(clock.Epoch.Add(want.EndAt)), name)
	}
}

func size(t *tape.Tape) (n int64) {
	for _, a := range t.Arrivals {
		n += int64(len(a.Data)) * max(a.Count, 1) * max(a.Times, 1)
	}
	return n
}

func BenchmarkDrive(b *testing.B) {
	stall := &tape.Tape{
		Arrivals: []tape.Arrival{{Data: []byte("data: {}\n\n"), Times: 100, Every: time.Second}},
		EndAt:    100 * time.Second,
		End:      tape.EndHang,
	}
	p := make([]byte, 512)
	b.ReportAllocs()
	for b.Loop() {
		var f clock.Fake
		body := tape.Play(context.Background(), stall, tape.Config{Clock: &f, Drive: true})
		f.AfterFunc(5*time.Minute, func() { body.Close() })
		for {
			if _, err := body.Read(p); err != nil {
				break
			}
		}
	}
}
