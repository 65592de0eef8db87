package endwelltest

import (
	"context"
	"net"
	"sync/atomic"
)

// listener hands out connections that can be frozen.
type listener struct {
	net.Listener
	ctx    context.Context // the gateway's
	frozen atomic.Bool     // connections are dead from the beginning, too
	taken  atomic.Int64    // how many connections there were
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.taken.Add(1)
	return &conn{Conn: c, of: l}, nil
}

// conn is a connection that can die without a word: once frozen, neither Read nor
// Write returns until the gateway closes, whatever the peer does.
type conn struct {
	net.Conn
	of       *listener
	frozen   atomic.Bool
	requests atomic.Uint32 // how many have begun
}

// dead waits for the gateway to close if the connection is frozen.
func (c *conn) dead() bool {
	if !c.frozen.Load() && !c.of.frozen.Load() {
		return false
	}
	<-c.of.ctx.Done()
	return true
}

// Read looks again when something has come, since it may have waited for that while
// the connection was frozen.
func (c *conn) Read(b []byte) (int, error) {
	if c.dead() {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(b)
	if c.dead() {
		return 0, net.ErrClosed
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	if c.dead() {
		return 0, net.ErrClosed
	}
	return c.Conn.Write(b)
}

// under is the connection below TLS.
func under(c net.Conn) *conn {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	below, _ := c.(*conn)
	return below
}

// tcp is the connection below everything; nil when it is none of TCP.
func (x *exchange) tcp() *net.TCPConn {
	if x.under == nil {
		return nil
	}
	tcp, _ := x.under.Conn.(*net.TCPConn)
	return tcp
}

// Freeze makes every connection half-open, those that there are, also idle ones, and
// those to come: the system accepts them, and nobody reads or writes any more, not
// even for TLS. It lasts until Close.
func (g *Gateway) Freeze() { g.listener.frozen.Store(true) }

// Connections is the number of connections so far.
func (g *Gateway) Connections() int { return int(g.listener.taken.Load()) }
