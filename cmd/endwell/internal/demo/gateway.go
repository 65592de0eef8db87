package demo

import (
	"fmt"
	"net"

	et "github.com/endwell-go/endwell/endwelltest"
)

// gateway is the faulty gateway of one run, and a port where nothing listens.
type gateway struct {
	*et.Gateway
	// held is a connection that keeps its own port: nobody can begin to listen there.
	held net.Conn
}

// start begins to serve on a free port of 127.0.0.1. The caller closes what it returns.
func start() (*gateway, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	held, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return &gateway{Gateway: et.Listen(l), held: held}, nil
}

// url is where these answers are asked for, by a client whose name no other one has. If
// there are none, nothing listens there.
func (g *gateway) url(client string, a answers) string {
	if len(a) == 0 {
		return "http://" + g.held.LocalAddr().String() + chat.Path()
	}
	return g.On(client, a...) + chat.Path()
}

// Close breaks off all answers and returns when nothing of the gateway runs any more.
func (g *gateway) Close() {
	_ = g.held.Close()
	g.Gateway.Close()
}
