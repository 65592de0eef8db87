package cli

import (
	"fmt"
	"net"
)

// Address checks the value of -listen. An address that other machines reach is refused
// unless it is meant to be public.
func Address(address string, public bool) error {
	a, err := net.ResolveTCPAddr("tcp", address)
	switch {
	case err != nil:
		return fmt.Errorf("-listen wants host:port: %w", err)
	case !public && !a.IP.IsLoopback():
		return fmt.Errorf("-listen %s is within reach of other machines: say so with -public, or listen on 127.0.0.1", address)
	default:
		return nil
	}
}

// Listen listens on an address that Address has checked.
func Listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: choose another with -listen", err)
	}
	return l, nil
}
