package soak

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// header says on the wire which stream and which attempt a request is.
const header = "X-Soak"

// asking is the payload of every request.
const asking = `{"model":"soak","stream":true,"messages":[{"role":"user","content":"What ends well?"}]}`

// line is the transport under everything: it counts attempts and names them.
type line struct{ s *soak }

// RoundTrip implements http.RoundTripper.
func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	c := l.s.call(r.Header.Get(header))
	n := int(c.tries.Add(1))
	if n > len(c.plan.attempts) {
		_ = r.Body.Close()
		return nil, syscall.EINVAL // judged by the count
	}
	at := c.plan.attempts[n-1]
	at.begun.Store(int64(time.Since(l.s.start)))
	if at.act.start == noDial && at.act.named == nil {
		_ = r.Body.Close()
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	named := new(http.Request)
	*named = *r
	named.Header = r.Header.Clone()
	named.Header.Set(header, c.id+"/"+strconv.Itoa(n))
	return l.s.under(c, at.act).RoundTrip(named)
}

// under is the transport for an attempt. One of its own goes with the call.
func (s *soak) under(c *call, a *act) http.RoundTripper {
	if a.named == nil {
		return s.inner
	}
	t, own := s.sockets.transport(c.plan.lane, a)
	if own {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.owned = append(c.owned, t)
	}
	return t
}

// find finds an attempt by its name on the wire.
func (s *soak) find(name string) *attempt {
	id, n, _ := strings.Cut(name, "/")
	c := s.call(id)
	if c == nil {
		return nil
	}
	return c.plan.attempts[atoi(n)-1]
}
