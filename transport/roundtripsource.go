package transport

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// source reads a body once, for one attempt after another: what has been read is kept,
// up to a limit, and the next attempt begins with it.
//
// An attempt that is over may still be reading, since a transport sends on a goroutine
// of its own. What it gets goes to the next one too, which does not begin before that.
type source struct {
	body  io.ReadCloser
	limit int

	mu   sync.Mutex // guards what follows; not held while body is read
	left int64      // what the body has not given yet of its declared length; below 0 without one
	ask  *asker     // nil when nobody wants to know
	kept []byte
	end  error
	bad  error // the body's own, before anybody has closed it
	cur  *sourceReader
	busy bool // body is being read
	lost bool // something was read and not kept, or cannot be read any more
	last bool // there will be no further attempt
	shut bool // body has been closed
}

func (s *source) reader() io.ReadCloser {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur = &sourceReader{s: s}
	return s.cur
}

// readAhead reads n bytes before anybody has asked for them, and reports whether they
// ask for a stream. An error of the body is returned to whoever reads, behind what came
// before it. When ctx ends, that is the error, and the read goes on without anybody who
// waits for it, as those of net/http do.
func (s *source) readAhead(ctx context.Context, n int64) (asks bool, err error) {
	s.mu.Lock()
	s.busy = true
	s.mu.Unlock()
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.keepAhead(io.ReadAll(io.LimitReader(s.body, n)))
	}()
	select {
	case <-read:
		return s.asked(), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// keepAhead keeps what has been read ahead. A body that nobody waits for is closed.
func (s *source) keepAhead(kept []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy, s.kept, s.end, s.lost = false, kept, err, err != nil
	s.blame(err)
	s.limit = max(s.limit, len(kept))
	s.left -= int64(len(kept))
	if s.ask != nil {
		s.ask.feed(kept)
	}
	if s.last {
		s.close()
	}
}

func (s *source) replayable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.lost && !s.busy
}

func (s *source) asked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ask != nil && s.ask.asks()
}

func (s *source) final() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = true
	if s.cur == nil && !s.busy || s.cur != nil && s.cur.closed {
		s.close()
	}
}

// close closes the body, once. The lock is held.
func (s *source) close() {
	if !s.shut {
		s.shut = true
		_ = s.body.Close()
	}
}

// note notes what has been read, and returns how that ended.
func (s *source) note(p []byte, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left -= int64(len(p))
	err = s.given(err)
	s.busy, s.end = false, err
	s.blame(err)
	if s.ask != nil {
		s.ask.feed(p)
	}
	switch {
	case len(p) > s.limit-len(s.kept), err != nil && err != io.EOF:
		s.lost, s.kept = true, nil
	case !s.lost:
		s.kept = append(s.kept, p...)
	}
	return err
}

// blame notes an error that is the body's own: nobody has closed it. The lock is held.
func (s *source) blame(err error) {
	if err != nil && err != io.EOF && !s.shut {
		s.bad = err
	}
}

// broken is the error of a body that could not be read; nil for none.
func (s *source) broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bad
}

// given is the end of a body: io.EOF for one that was closed after it had given all that
// it declared. A server closes the body of the request when it begins to answer, although
// whoever sends that body on may not have asked for its end yet; that must not cost the
// answer.
func (s *source) given(end error) error {
	if end == http.ErrBodyReadAfterClose && s.left == 0 {
		return io.EOF
	}
	return end
}

// sourceReader is the body of one attempt.
type sourceReader struct {
	s      *source
	at     int
	closed bool // guarded by the source's lock
}

// Read implements io.Reader.
func (r *sourceReader) Read(p []byte) (int, error) {
	n, done, err := r.again(p)
	if done {
		return n, err
	}
	n, err = r.s.body.Read(p)
	err = r.s.note(p[:n], err)
	r.at += n
	return n, err
}

// again reads what has been read before. It is not done when that is used up; the body
// is this reader's then.
func (r *sourceReader) again(p []byte) (n int, done bool, err error) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.closed || s.cur != r:
		return 0, true, http.ErrBodyReadAfterClose
	case r.at < len(s.kept):
		n = copy(p, s.kept[r.at:])
		r.at += n
		return n, true, nil
	case s.end != nil:
		return 0, true, s.end
	}
	s.busy = true
	return 0, false, nil
}

// Close implements io.Closer. The body itself is closed when nobody needs it any more,
// and to unblock a Read.
func (r *sourceReader) Close() error {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	r.closed = true
	if s.busy {
		s.lost = true
	}
	if s.cur == r && (s.busy || s.last) {
		s.close()
	}
	return nil
}
