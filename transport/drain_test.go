package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

// A connection is used again although the answer was over before its body was.
func TestConnectionIsReused(t *testing.T) {
	rest := ": " + strings.Repeat("x", 40<<10) + "\n\n"
	for _, row := range []struct {
		name string
		cfg  transport.Config
	}{
		{"dialect known", transport.Config{Dialect: openai}},
		{"dialect detected", transport.Config{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := serve(t, false, body(200, answer+rest))
			reused := 0
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn: func(i httptrace.GotConnInfo) {
					if i.Reused {
						reused++
					}
				},
			})
			// A machine that is busy may need longer for one of them than Close takes.
			for range 20 {
				st, err := b.open(ctx, row.cfg, true)
				require.NoError(t, err)
				for err == nil {
					_, err = st.Recv()
				}
				require.True(t, err == io.EOF, "%v", err)
				<-b.idle // the server has sent everything
				require.NoError(t, st.Close())
			}
			require.Positive(t, reused)
		})
	}
}

// slow is a body whose Read waits, once its parts are used up, until it is closed.
type slow struct {
	parts  []string
	read   int
	closed chan struct{}
	closes atomic.Int32
}

func hanging(parts ...string) *slow { return &slow{parts: parts, closed: make(chan struct{})} }

func (s *slow) Read(p []byte) (int, error) {
	if len(s.parts) == 0 || s.closes.Load() > 0 {
		<-s.closed
		return 0, http.ErrBodyReadAfterClose
	}
	n := copy(p, s.parts[0])
	if s.parts[0] = s.parts[0][n:]; s.parts[0] == "" {
		s.parts = s.parts[1:]
	}
	s.read += n
	return n, nil
}

func (s *slow) Close() error {
	if s.closes.Add(1) == 1 {
		close(s.closed)
	}
	return nil
}

// How long Close takes is measured in a bubble, where only a wait costs time.
func TestCloseDrainsWithinABound(t *testing.T) {
	for _, row := range []struct {
		name  string
		body  *slow
		texts int // chunks with text that are taken before Close
		end   bool
		took  time.Duration
		read  int
	}{
		{"at once mid-answer", hanging(hel, lo+stop+done), 1, false, 0, len(hel)},
		{"at once before anything was read", hanging(answer), 0, false, 0, 0},
		{"bounded in time after the sentinel", hanging(answer), 0, true, 50 * time.Millisecond, len(answer)},
		{"bounded in bytes after the sentinel", hanging(answer, strings.Repeat("x", 10<<20)), 0, true, 0, len(answer) + 64<<10},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				row.body.closed = make(chan struct{})
				st, err := transport.Decode(respond(row.body), openai, dialects.Options{})
				require.NoError(t, err)
				for n := 0; n < row.texts || row.end; {
					c, err := st.Recv()
					require.NoError(t, err)
					if c.Kind == endwell.KindText {
						n++
					}
					if c.End == endwell.Ended {
						break
					}
				}
				start := time.Now()
				require.NoError(t, st.Close())
				require.Equal(t, row.took, time.Since(start))
				require.Equal(t, row.read, row.body.read)
				_, err = st.Recv()
				require.True(t, err == endwell.ErrClosed, "%v", err)
			})
		})
	}
}

// A Close beside a Recv that waits behind the sentinel leaves the body to it.
func TestCloseDoesNotDrainBesideRecv(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, err := transport.Decode(respond(hanging(answer)), openai, dialects.Options{})
		require.NoError(t, err)
		got := waiting(st)
		synctest.Wait()
		start := time.Now()
		require.NoError(t, st.Close())
		require.True(t, <-got == endwell.ErrClosed)
		require.Zero(t, time.Since(start))
	})
}

// A refusal whose body begins and does not go on is judged by what came.
func TestRefusalThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := hanging(`{"error":{"code":"invalid_api_key"}}`)
		resp := respond(body)
		resp.StatusCode = 401
		start := time.Now()
		_, err := transport.Decode(resp, openai, dialects.Options{})
		require.Equal(t, 5*time.Second, time.Since(start))
		var ev *endwell.Evidence
		require.True(t, errors.As(err, &ev))
		require.Equal(t, "invalid_api_key", ev.Code)
		require.Positive(t, body.closes.Load())
	})
}

func TestDecodeOwnsTheBody(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		header []string
	}{
		{"refused", 500, nil},
		{"undecodable", 200, []string{"Content-Encoding", "br"}},
		{"refused and undecodable", 500, []string{"Content-Encoding", "br"}},
	} {
		body := hanging(strings.Repeat("x", 64<<10))
		resp := respond(body, row.header...)
		resp.StatusCode = row.status
		st, err := transport.Decode(resp, openai, dialects.Options{})
		require.Nil(t, st)
		require.Error(t, err)
		require.EqualValues(t, 1, body.closes.Load(), row.name)
	}
}

func TestDecodeOfAResponseWithoutBody(t *testing.T) {
	for _, status := range []int{200, 204, 404} {
		st, err := transport.Decode(&http.Response{StatusCode: status}, nil, dialects.Options{})
		if status == 404 {
			require.Equal(t, "reported 404 ", describe(err))
			continue
		}
		require.NoError(t, err)
		_, err = st.Recv()
		require.True(t, err == io.EOF)
		require.NoError(t, st.Close())
	}
}

// What ended stays ended, also below the stack, and however it is compressed.
func TestEndingsAreSticky(t *testing.T) {
	for name, body := range map[string]string{
		"whole": zipped(answer), "cut": zipped(answer)[:40], "no gzip header": "\x1fnonsense and more", "text": hel,
	} {
		st, err := transport.Decode(respond(io.NopCloser(strings.NewReader(body))), openai, dialects.Options{})
		require.NoError(t, err)
		for err == nil {
			_, err = st.Recv()
		}
		for range 3 {
			_, again := st.Recv()
			require.True(t, err == again, name)
		}
	}
}

func TestEarlyCloseEndsTheHandler(t *testing.T) {
	overBoth(t, func(t *testing.T, h2 bool) {
		gone := make(chan struct{})
		b := talk{serve(t, h2, func(x *exchange) { defer close(gone); talkative(x) }), t}
		st := b.begin(context.Background(), transport.Config{Dialect: openai}, true)
		require.NoError(t, st.Close())
		<-gone
	})
}
