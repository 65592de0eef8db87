package proxy

import (
	"context"
	"net"
)

type connKey struct{}

// withConn keeps a connection in the context of its requests.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// reset has the connection of an aborted answer torn down, where a close would be its
// proper end: over HTTP/1.0 there is no other.
func (x *exchange) reset() {
	if x.req.ProtoAtLeast(1, 1) {
		return
	}
	if c, ok := x.req.Context().Value(connKey{}).(*net.TCPConn); ok {
		_ = c.SetLinger(0)
	}
}
