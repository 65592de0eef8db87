package tape_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

// arrived is one Read that returned.
type arrived struct {
	At   time.Duration
	Text string
}

// listener reads a body to its ending, with a buffer of a given size.
type listener struct {
	clock clock.Clock
	start time.Time
	size  int
	got   []arrived
	err   error
	at    time.Duration
}

func listen(c clock.Clock, size int) *listener {
	return &listener{clock: c, start: c.Now(), size: size}
}

func (l *listener) read(r io.Reader) {
	p := make([]byte, l.size)
	for l.err == nil {
		var n int
		n, l.err = r.Read(p)
		l.at = l.clock.Now().Sub(l.start)
		if n > 0 {
			l.got = append(l.got, arrived{l.at, string(p[:n])})
		}
	}
}

// stage is one way to play: a clock, a config for it, and how to let a
// listener run until it has its ending.
type stage struct {
	clock.Clock
	cfg tape.Config
	run func(l *listener, body io.Reader)
}

// onAll runs a test on a Fake that the body drives, on a Fake that somebody
// else advances, and on System inside a bubble.
func onAll(t *testing.T, test func(*testing.T, stage)) {
	t.Run("drive", func(t *testing.T) {
		f := new(clock.Fake)
		test(t, stage{f, tape.Config{Clock: f, Drive: true}, (*listener).read})
	})
	t.Run("fake", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := new(clock.Fake)
			test(t, stage{f, tape.Config{Clock: f}, func(l *listener, body io.Reader) {
				go l.read(body)
				for synctest.Wait(); l.err == nil; synctest.Wait() {
					due, ok := f.Next()
					require.True(t, ok, "waits for nothing")
					f.AdvanceTo(due)
				}
				require.Zero(t, f.Pending(), "a timer is left behind")
			}})
		})
	})
	t.Run("system", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, stage{clock.System, tape.Config{}, (*listener).read})
		})
	})
}

func requireReset(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, syscall.ECONNRESET)
	_, ok := errors.AsType[*net.OpError](err)
	require.True(t, ok)
}

func is(want error) func(*testing.T, error) {
	return func(t *testing.T, err error) {
		t.Helper()
		require.Equal(t, want, err)
	}
}

const ms = time.Millisecond

func TestPlay(t *testing.T) {
	hi := tape.Arrival{Data: []byte("hi")}
	rows := []struct {
		fault string
		tape  tape.Tape
		size  int
		stop  time.Duration // the body is closed then
		want  []arrived
		at    time.Duration
		end   func(*testing.T, error)
	}{
		{"nothing at all", tape.Tape{}, 9, 0, nil, 0, is(io.EOF)},
		{"eof", tape.Tape{Arrivals: []tape.Arrival{hi}, EndAt: ms}, 9, 0, []arrived{{0, "hi"}}, ms, is(io.EOF)},
		{"unexpected eof", tape.Tape{Arrivals: []tape.Arrival{hi}, End: tape.EndUnexpectedEOF}, 9, 0, []arrived{{0, "hi"}}, 0, is(io.ErrUnexpectedEOF)},
		{"reset", tape.Tape{Arrivals: []tape.Arrival{hi}, EndAt: 5 * ms, End: tape.EndReset}, 9, 0, []arrived{{0, "hi"}}, 5 * ms, requireReset},
		{"hang", tape.Tape{Arrivals: []tape.Arrival{hi}, EndAt: 5 * ms, End: tape.EndHang}, 9, time.Hour, []arrived{{0, "hi"}}, time.Hour, is(tape.ErrClosed)},
		{"cancel without a caller", tape.Tape{EndAt: ms, End: tape.EndCancel}, 9, time.Hour, nil, time.Hour, is(tape.ErrClosed)},
		{"reads of one instant run together", tape.Tape{Arrivals: []tape.Arrival{hi, hi}}, 9, 0, []arrived{{0, "hi"}, {0, "hi"}}, 0, is(io.EOF)},
		{"a small buffer loses bytes", tape.Tape{Arrivals: []tape.Arrival{{At: ms, Data: []byte("hello")}}, EndAt: ms}, 2, 0, []arrived{{ms, "he"}, {ms, "ll"}, {ms, "o"}}, ms, is(io.EOF)},
		{"count across buffers", tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("abc"), Count: 4}}}, 5, 0, []arrived{{0, "abcab"}, {0, "cabca"}, {0, "bc"}}, 0, is(io.EOF)},
		{"times", tape.Tape{Arrivals: []tape.Arrival{{At: ms, Data: []byte("p"), Times: 3, Every: 10 * ms}}, EndAt: 21 * ms}, 9, 0, []arrived{{ms, "p"}, {11 * ms, "p"}, {21 * ms, "p"}}, 21 * ms, is(io.EOF)},
		{"times of counts in a small buffer", tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("ab"), Count: 2, Times: 2, Every: ms}}, EndAt: ms}, 3, 0, []arrived{{0, "aba"}, {0, "b"}, {ms, "aba"}, {ms, "b"}}, ms, is(io.EOF)},
		{"a repetition outlasts what follows", tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("p"), Times: 2, Every: 9 * ms}, {At: ms, Data: []byte("q")}}, EndAt: ms}, 9, 0, []arrived{{0, "p"}, {9 * ms, "p"}, {9 * ms, "q"}}, 9 * ms, is(io.EOF)},
		{"empty reads", tape.Tape{Arrivals: []tape.Arrival{{At: ms}, {At: ms, Times: math.MaxInt64, Every: ms}, {At: 2 * ms, Data: []byte("x")}, {At: 7 * ms}}, EndAt: 8 * ms}, 9, 0, []arrived{{2 * ms, "x"}}, 8 * ms, is(io.EOF)},
		{"closed in a pause", tape.Tape{Arrivals: []tape.Arrival{hi, {At: time.Hour, Data: []byte("late")}}, EndAt: time.Hour}, 9, time.Hour - 1, []arrived{{0, "hi"}}, time.Hour - 1, is(tape.ErrClosed)},
	}
	for _, row := range rows {
		t.Run(row.fault, func(t *testing.T) {
			onAll(t, func(t *testing.T, s stage) {
				body := tape.Play(t.Context(), &row.tape, s.cfg)
				if row.stop > 0 {
					s.AfterFunc(row.stop, func() { body.Close() })
				}
				l := listen(s, row.size)
				s.run(l, body)
				require.Equal(t, row.want, l.got)
				require.Equal(t, row.at, l.at)
				row.end(t, l.err)

				_, again := body.Read(make([]byte, 1))
				require.Equal(t, l.err, again, "the ending is sticky")
				require.NoError(t, body.Close())
				_, again = body.Read(make([]byte, 1))
				require.Equal(t, l.err, again, "the ending is sticky after Close too")
			})
		})
	}
}

func TestPlaySixHundredPings(t *testing.T) {
	pings := &tape.Tape{
		Arrivals: []tape.Arrival{{At: time.Second, Data: []byte(": ping\n\n"), Times: 600, Every: time.Second}},
		EndAt:    10 * time.Minute,
	}
	onAll(t, func(t *testing.T, s stage) {
		l := listen(s, 512)
		s.run(l, tape.Play(t.Context(), pings, s.cfg))
		require.Len(t, l.got, 600)
		for i, a := range l.got {
			require.Equal(t, arrived{time.Duration(i+1) * time.Second, ": ping\n\n"}, a)
		}
		require.Equal(t, io.EOF, l.err)
	})
}

func TestPlayCancel(t *testing.T) {
	onAll(t, func(t *testing.T, s stage) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		s.cfg.Cancel = func() {
			calls++
			cancel()
		}
		l := listen(s, 9)
		s.run(l, tape.Play(ctx, &tape.Tape{EndAt: 3 * ms, End: tape.EndCancel}, s.cfg))
		require.Equal(t, context.Canceled, l.err)
		require.Equal(t, 3*ms, l.at)
		require.Equal(t, 1, calls)
	})
}

func TestPlayContext(t *testing.T) {
	for name, end := range map[string]tape.End{"in a pause": tape.EndEOF, "in a hang": tape.EndHang} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, s stage) {
				ctx, cancel := context.WithCancelCause(t.Context())
				s.AfterFunc(7*ms, func() { cancel(errors.New("a cause is not what Read returns")) })
				endAt := time.Hour
				if end == tape.EndHang {
					endAt = 0
				}
				l := listen(s, 9)
				s.run(l, tape.Play(ctx, &tape.Tape{EndAt: endAt, End: end}, s.cfg))
				require.Equal(t, context.Canceled, l.err)
				require.Equal(t, 7*ms, l.at)
			})
		})
	}
}

func TestPlayContextDoneBeforeRead(t *testing.T) {
	onAll(t, func(t *testing.T, s stage) {
		ctx, cancel := context.WithCancel(t.Context())
		body := tape.Play(ctx, &tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("x")}}}, s.cfg)
		n, err := body.Read(nil)
		require.NoError(t, err)
		require.Zero(t, n)
		cancel()
		n, err = body.Read(make([]byte, 9))
		require.Zero(t, n)
		require.Equal(t, context.Canceled, err)
	})
}

func TestPlayCloseUnblocksRead(t *testing.T) {
	for name, c := range map[string]clock.Clock{"fake": new(clock.Fake), "system": clock.System} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, end := range []tape.End{tape.EndEOF, tape.EndHang} {
					body := tape.Play(t.Context(), &tape.Tape{EndAt: time.Hour, End: end}, tape.Config{Clock: c})
					done := make(chan error)
					go func() {
						_, err := body.Read(make([]byte, 1))
						done <- err
					}()
					synctest.Wait()
					go body.Close()
					go body.Close()
					require.Equal(t, tape.ErrClosed, <-done)
				}
			})
		})
	}
}

func TestPlayClockThatGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f clock.Fake
		body := tape.Play(t.Context(), &tape.Tape{EndAt: time.Second}, tape.Config{Clock: &f})
		l := listen(&f, 1)
		go l.read(body)
		require.NoError(t, f.BlockUntil(t.Context(), 1))

		f.Hold()
		f.Advance(time.Second)
		f.Set(clock.Epoch)
		f.Release()
		synctest.Wait()
		require.NoError(t, l.err, "a callback that comes late is not the instant")
		f.Advance(time.Second)
		synctest.Wait()
		require.Equal(t, io.EOF, l.err)
	})
}

func TestPlayDataErr(t *testing.T) {
	hi := []tape.Arrival{{Data: []byte("hi")}, {Data: []byte("ho")}, {}}
	rows := []struct {
		name string
		tape tape.Tape
		size int
		want int
		end  func(*testing.T, error)
	}{
		{"eof", tape.Tape{Arrivals: hi}, 9, 2, is(io.EOF)},
		{"unexpected eof", tape.Tape{Arrivals: hi, End: tape.EndUnexpectedEOF}, 9, 2, is(io.ErrUnexpectedEOF)},
		{"reset", tape.Tape{Arrivals: hi, End: tape.EndReset}, 9, 2, requireReset},
		{"bytes are left", tape.Tape{Arrivals: hi}, 1, 1, is(nil)},
		{"the end is later", tape.Tape{Arrivals: hi, EndAt: 1}, 9, 2, is(nil)},
		{"hang", tape.Tape{Arrivals: hi, End: tape.EndHang}, 9, 2, is(nil)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, s stage) {
				s.cfg.DataErr = true
				body := tape.Play(t.Context(), &row.tape, s.cfg)
				n, err := body.Read(make([]byte, 2))
				require.NoError(t, err)
				require.Equal(t, 2, n)
				n, err = body.Read(make([]byte, row.size))
				require.Equal(t, row.want, n)
				row.end(t, err)
			})
		})
	}
}

func TestPlayIsLazy(t *testing.T) {
	huge := &tape.Tape{
		Arrivals: []tape.Arrival{{Data: []byte("abc"), Count: 1e9, Times: 1e12, Every: time.Hour}},
		End:      tape.EndHang,
	}
	body := tape.Play(t.Context(), huge, tape.Config{Clock: new(clock.Fake), Drive: true})
	p := make([]byte, 1000)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if n, err := body.Read(p); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}))
	n, err := io.CopyN(io.Discard, body, 4e8)
	require.NoError(t, err)
	require.EqualValues(t, 4e8, n)
}

func TestPlayInstantsDoNotWrap(t *testing.T) {
	var f clock.Fake
	far := &tape.Tape{Arrivals: []tape.Arrival{{
		At: math.MaxInt64 - 1, Data: []byte("x"), Times: 3, Every: math.MaxInt64,
	}}}
	l := listen(&f, 9)
	l.read(tape.Play(t.Context(), far, tape.Config{Clock: &f, Drive: true}))
	require.Equal(t, []arrived{{math.MaxInt64 - 1, "x"}, {math.MaxInt64, "x"}, {math.MaxInt64, "x"}}, l.got)
}

func TestPlayLongReadIsOneRead(t *testing.T) {
	want := strings.Repeat("ab", 1000)
	for _, size := range []int{1, 2, 3, 7, 512, 2000, 4096} {
		body := tape.Play(t.Context(), &tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("ab"), Count: 1000}}}, tape.Config{})
		var got strings.Builder
		_, err := io.CopyBuffer(&got, struct{ io.Reader }{body}, make([]byte, size))
		require.NoError(t, err)
		require.Equal(t, want, got.String(), "buffer of %d", size)
	}
}

// Two bodies may play one tape at once.
func TestPlayTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		once := &tape.Tape{Arrivals: []tape.Arrival{{Data: []byte("abc"), Times: 9, Every: ms}}, EndAt: 9 * ms}
		a, b := listen(clock.System, 2), listen(clock.System, 2)
		go a.read(tape.Play(t.Context(), once, tape.Config{}))
		b.read(tape.Play(t.Context(), once, tape.Config{}))
		synctest.Wait()
		require.Equal(t, a.got, b.got)
		require.Len(t, a.got, 18)
	})
}
