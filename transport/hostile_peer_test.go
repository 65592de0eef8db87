package transport_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell/clock"
)

// part is a piece of a body that comes a number of times, or for ever.
type part struct {
	text  string
	each  func(i int) string // in place of text, for pieces that are numbered
	times int                // 0 is one, negative for ever
}

func just(text string) part                  { return part{text: text} }
func times(n int, text string) part          { return part{text: text, times: n} }
func some(n int, each func(int) string) part { return part{each: each, times: n} }
func forever(text string) part               { return part{text: text, times: -1} }
func numbered(each func(int) string) part    { return part{each: each, times: -1} }

// gigabyte is one of letters.
func gigabyte() part { return times(1<<30/len(letters), letters) }

var letters = strings.Repeat("a", 4<<10)

// flood is the body of a hostile peer. Its clock goes on with each Read, so that what
// only time bounds ends without waiting.
type flood struct {
	parts []part
	piece int // bytes a Read returns at most; 0 fills what it is given
	pace  time.Duration
	clock *clock.Fake
	then  error // how it ends; nil is io.EOF

	left   string // of the current text
	round  int    // of the current part
	read   int64
	closed atomic.Bool
}

// Read implements io.Reader.
func (f *flood) Read(p []byte) (int, error) {
	f.clock.Advance(f.pace)
	if f.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if f.piece > 0 {
		p = p[:min(f.piece, len(p))]
	}
	n := 0
	for n < len(p) && f.more() {
		k := copy(p[n:], f.left)
		f.left = f.left[k:]
		n += k
	}
	f.read += int64(n)
	if n == 0 && f.then == errNothing {
		return 0, nil
	}
	if n == 0 && f.then != nil {
		return 0, f.then
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// more reports whether there is anything left to send.
func (f *flood) more() bool {
	for f.left == "" && len(f.parts) > 0 {
		p := &f.parts[0]
		if p.times >= 0 && f.round >= max(p.times, 1) {
			f.parts, f.round = f.parts[1:], 0
			continue
		}
		f.left = p.text
		if p.each != nil {
			f.left = p.each(f.round)
		}
		f.round++
	}
	return f.left != ""
}

// Close implements io.Closer.
func (f *flood) Close() error {
	f.closed.Store(true)
	return nil
}

// answering is an http.RoundTripper whose answers have what is given.
type answering func(*http.Request) *http.Response

// RoundTrip implements http.RoundTripper.
func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	resp := a(r)
	resp.Request = r
	return resp, nil
}
