package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// consume opens the stream of a call and reads it as planned.
func (s *soak) consume(c *call) {
	p := c.plan
	ctx, kill := context.WithTimeout(context.Background(), endless)
	defer kill()
	c.ctx, c.cancel = context.WithCancel(ctx)
	if p.stop == expires {
		c.ctx, c.cancel = context.WithTimeout(ctx, p.beside)
	}
	defer c.cancel()

	st := s.open(c)
	if c.end != nil {
		return
	}
	if c.resp != nil && c.resp.StatusCode/100 != 2 {
		c.refused()
		return
	}
	beside := s.beside(c, st)
	s.read(c, st)
	beside()
	s.after(c, st)
}

// refused reads the body of a refused call, which is handed over as it is.
func (c *call) refused() {
	b, err := io.ReadAll(c.resp.Body)
	_ = c.resp.Body.Close()
	c.raw.Write(b)
	if c.end = err; err == nil {
		c.end = io.EOF
	}
	c.status = c.told.Err()
}

// endless is when a stream is taken for one that never ends.
const endless = 2 * time.Minute

// open opens the stream, or notes why there is none. Whoever stops beside may do so
// already.
func (s *soak) open(c *call) (st endwell.Stream) {
	var timer *time.Timer
	if c.plan.stop == cancelsBeside {
		timer = time.AfterFunc(c.plan.beside, func() { c.halt(c.cancel) })
		c.release = chain(c.release, func() { timer.Stop() })
	}
	c.end = c.ask(func() (err error) {
		if c.plan.wrapped {
			st, err = s.openBody(c)
		} else {
			st, err = s.openStream(c)
		}
		return err
	})
	return st
}

func chain(a, b func()) func() { return func() { b(); a() } }

// halt stops the stream and notes that.
func (c *call) halt(how func()) {
	c.asked.Store(true)
	how()
	c.obeyed.Store(true)
}

// beside closes the stream from another goroutine, if that is planned. What it returns
// waits for it.
func (s *soak) beside(c *call, st endwell.Stream) func() {
	if c.plan.stop != closesBeside {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(c.plan.beside, func() {
		c.halt(func() { _ = st.Close() })
		close(done)
	})
	return func() {
		if !timer.Stop() {
			<-done
		}
	}
}

// read reads to the end, or as far as is planned.
func (s *soak) read(c *call, st endwell.Stream) {
	for n := 0; ; n++ {
		for _, t := range c.plan.thinks {
			if t.at == n {
				s.pauseFor(time.Duration(t.long * float64(s.cfg.Think)))
			}
		}
		if n == c.plan.after {
			switch c.plan.stop {
			case closes:
				c.halt(func() { _ = st.Close() })
			case cancels:
				c.halt(c.cancel)
			default:
			}
		}
		var chunk endwell.Chunk
		err := c.ask(func() (err error) { chunk, err = st.Recv(); return err })
		if err != nil {
			c.end = err
			return
		}
		c.raw.Write(chunk.Raw)
		c.sizes = append(c.sizes, c.raw.Len())
		c.text.WriteString(chunk.Text)
		if chunk.Emission() {
			c.emitted = c.waits[len(c.waits)-1].to
			c.first = or(c.first, c.emitted)
		}
		switch {
		case c.sure && !c.plan.wrapped:
			c.wrongf("a chunk after the consumer had stopped")
		case n > 100_000:
			c.wrongf("the stream does not end")
			return
		}
	}
}

// pauseFor pauses, unless the run is over.
func (s *soak) pauseFor(d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.over:
	}
}

// after checks what holds once a stream has ended: the ending is sticky, Close may be
// called again and from elsewhere, and changes nothing.
func (s *soak) after(c *call, st endwell.Stream) {
	c.sticky(st, "the ending")
	if c.plan.twice {
		var both sync.WaitGroup
		both.Go(func() { _ = st.Close() })
		_ = st.Close()
		both.Wait()
	}
	_ = st.Close()
	c.sticky(st, "the ending after Close")
}

func (c *call) sticky(st endwell.Stream, what string) {
	chunk, err := st.Recv()
	if err != c.end || len(chunk.Raw) > 0 || chunk.Text != "" {
		c.wrongf("%s is not sticky: %v, then %v", what, c.end, err)
	}
}

func (c *call) wrongf(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// openStream asks through the standard chain.
func (s *soak) openStream(c *call) (endwell.Stream, error) {
	req := &endwell.Request{Agent: c.id, Provider: "soak", Model: "soak-model", Payload: asking}
	return s.chains[c.target()].Open(c.ctx, req)
}

// openBody asks with a plain http.Client.
func (s *soak) openBody(c *call) (endwell.Stream, error) {
	ctx, ending := transport.WithEnding(c.ctx)
	c.told = ending
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url(c.target()), strings.NewReader(asking))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(header, c.id)
	resp, err := s.client.Do(r)
	if err != nil {
		c.status = ending.Err()
		return nil, err
	}
	c.resp = resp
	return &body{Response: resp, ending: ending, buf: make([]byte, c.plan.buffer), c: c}, nil
}

// body is a response's body as a stream of bytes.
type body struct {
	*http.Response
	ending *transport.Ending
	buf    []byte
	c      *call
	got    int
}

// Recv implements endwell.Stream. A chunk is an emission here if it reaches the end of
// one.
func (b *body) Recv() (endwell.Chunk, error) {
	n, err := b.Body.Read(b.buf)
	chunk := endwell.Chunk{Raw: b.buf[:n], Kind: endwell.KindMeta}
	if n > 0 {
		b.got += n
		if b.c.emitsWithin(b.got-n, b.got) {
			chunk.Kind = endwell.KindOutput
		}
		if err != nil && !errors.Is(err, io.EOF) {
			b.c.wrongf("bytes together with an error: %v", err)
		}
		return chunk, nil
	}
	if err != nil {
		b.c.status = b.ending.Err()
	}
	return endwell.Chunk{}, err
}

// Close implements endwell.Stream.
func (b *body) Close() error { return b.Body.Close() }

// emitsWithin reports whether some frame of the attempt that is on emits something and
// ends within a part of the body.
func (c *call) emitsWithin(from, to int) bool {
	n := int(c.tries.Load())
	if n < 1 || n > len(c.plan.attempts) {
		return false
	}
	act, at := c.plan.attempts[n-1].act, 0
	if act.named != nil {
		return true // nobody knows its frames, and a gate hands over nothing else first
	}
	for _, f := range act.frames {
		if end := at + f.content; f.emits && end > from && end <= to {
			return true
		}
		at += len(f.raw)
	}
	return false
}
