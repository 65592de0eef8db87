package soak

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// pipes is a provider in this process: a small server of HTTP/1.1 on one end of a
// net.Pipe for each connection, which says byte by byte what a script wants, also what
// net/http would not say.
type pipes struct {
	find  func(id string) *attempt
	start time.Time
	work  sync.WaitGroup

	mu     sync.Mutex // guards what follows
	conns  map[net.Conn]struct{}
	closed bool
}

func newPipes(find func(string) *attempt) *pipes {
	return &pipes{find: find, start: time.Now(), conns: map[net.Conn]struct{}{}}
}

// dial is for http.Transport.
func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	c := &peer{Conn: theirs}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, net.ErrClosed
	}
	p.conns[ours] = struct{}{}
	p.work.Add(1)
	go p.serve(&link{Conn: ours, peer: c, r: bufio.NewReaderSize(ours, 512)})
	return c, nil
}

// close ends all connections and returns when nothing of the server runs any more.
func (p *pipes) close() {
	p.mu.Lock()
	p.closed = true
	for c := range p.conns {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.work.Wait()
}

// peer is the client's end, which the server can reset.
type peer struct {
	net.Conn
	reset atomic.Bool
}

// Read implements net.Conn.
func (c *peer) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil && c.reset.Load() {
		err = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return n, err
}

// link is the server's end.
type link struct {
	net.Conn
	peer *peer
	r    *bufio.Reader
}

// errOver ends a connection.
var errOver = errors.New("over")

func (p *pipes) serve(l *link) {
	defer p.work.Done()
	for p.exchange(l) == nil {
	}
	_ = l.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, l.Conn)
}

// exchange answers one request.
func (p *pipes) exchange(l *link) error {
	id, err := readRequest(l.r)
	if err != nil {
		return err
	}
	at := p.find(id)
	if at == nil {
		return errOver
	}
	a := at.act
	switch a.start {
	case silent:
		return l.hang()
	case halfHeader:
		_, _ = io.WriteString(l, "HTTP/1.1 200 OK\r\nContent-Ty")
		return l.hang()
	case refuses:
		return l.document(a.status, "application/json", a.doc, a.hint)
	case page:
		return l.document(http.StatusOK, "text/html", "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", 0)
	case streams:
		return p.stream(l, at)
	default:
		return errOver
	}
}

// readRequest reads a request and returns the value of its X-Soak.
func readRequest(r *bufio.Reader) (id string, err error) {
	size := 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		name, value, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), ": ")
		switch {
		case name == "":
			_, err = r.Discard(size)
			return id, err
		case strings.EqualFold(name, header):
			id = value
		case strings.EqualFold(name, "Content-Length"):
			size, _ = strconv.Atoi(value)
		}
	}
}

// hang waits until the client has gone.
func (l *link) hang() error {
	_, _ = l.r.ReadByte()
	return errOver
}

func (l *link) document(status int, typ, doc string, hint time.Duration) error {
	after := ""
	if hint > 0 {
		after = fmt.Sprintf("Retry-After-Ms: %d\r\n", hint.Milliseconds())
	}
	_, err := fmt.Fprintf(l, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), typ, after, len(doc), doc)
	return err
}

// stream plays the frames of an act.
func (p *pipes) stream(l *link, at *attempt) error {
	a := at.act
	head := "HTTP/1.1 200 OK\r\nContent-Type: " + a.voice.typ + "\r\n"
	switch a.framing {
	case chunked:
		head += "Transfer-Encoding: chunked\r\n\r\n"
	case counted:
		head += "Content-Length: " + strconv.Itoa(length(a.frames)) + "\r\n\r\n"
	case untilClose:
		head += "Connection: close\r\n\r\n"
	}
	if _, err := io.WriteString(l, head); err != nil {
		return err
	}
	if err := p.body(l, at); err != nil {
		return err
	}
	switch a.how {
	case clean:
		if a.framing == chunked {
			_, err := io.WriteString(l, "0\r\n\r\n")
			return err
		}
		if a.framing == untilClose {
			return errOver
		}
		return nil
	case reset:
		l.peer.reset.Store(true)
		return errOver
	case hangs:
		return l.hang()
	case lives:
		return p.live(l, at)
	default:
		return errOver
	}
}

// body sends what goes out of the frames, in pieces.
func (p *pipes) body(l *link, at *attempt) error {
	a := at.act
	if a.cut == 0 {
		return nil
	}
	var all strings.Builder
	emits := make([]int, 0, len(a.frames)) // where the frames end that emit something
	for i := range a.frames {
		if f := &a.frames[i]; f.emits && a.complete(f, a.cut-all.Len()) {
			emits = append(emits, all.Len()+a.frames[i].content)
		}
		all.WriteString(a.frames[i].raw)
	}
	body, from := all.String(), 0
	for i, to := range a.cuts(rand.New(rand.NewPCG(at.seed, 3))) {
		for _, s := range a.pauses {
			if s.long > 0 && s.at == i {
				rest(s.long)
			}
		}
		emitting := false
		for len(emits) > 0 && emits[0] <= to {
			emits, emitting = emits[1:], true
		}
		if err := p.send(l, at, body[from:to], emitting); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// send sends one piece, and notes when.
func (p *pipes) send(l *link, at *attempt, piece string, emitting bool) error {
	out := piece
	if at.act.framing == chunked {
		out = strconv.FormatInt(int64(len(piece)), 16) + "\r\n" + piece + "\r\n"
	}
	now := int64(time.Since(p.start))
	at.wrote.Store(now)
	if emitting {
		at.emitted.Store(now)
	}
	_, err := io.WriteString(l, out)
	at.written.Store(int64(time.Since(p.start)))
	return err
}

// live sends keep-alives until the client has gone.
func (p *pipes) live(l *link, at *attempt) error {
	for {
		rest(pulse)
		if err := p.send(l, at, at.act.voice.alive, false); err != nil {
			return err
		}
	}
}

// pulse is the time between two keep-alives.
const pulse = 50 * time.Millisecond

func rest(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	<-t.C
}
