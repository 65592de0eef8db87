// Package gateway is a faulty gateway on loopback: it speaks the OpenAI chat wire
// and ends its answers in every way that hosts, proxies and networks are known to
// (wire/clients-and-proxies.md, wire/openai-family.md §0, §22). The ending is part
// of the URL, so one gateway plays all of them at once.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Gateway is a running server. It is safe for concurrent use.
type Gateway struct {
	listener net.Listener
	server   *http.Server
	cancel   context.CancelFunc
	served   chan struct{}
	work     sync.WaitGroup // connections and handlers

	// held is a connection that keeps its own port: nothing listens there, and
	// nobody else can begin to.
	held net.Conn

	mu    sync.Mutex
	calls map[string]int
}

// Start begins to serve on a free port of 127.0.0.1. The caller closes what it
// returns.
func Start() (*Gateway, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	held, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("gateway: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := &Gateway{listener: l, cancel: cancel, served: make(chan struct{}), held: held, calls: map[string]int{}}
	g.server = &http.Server{
		Handler:     http.HandlerFunc(g.serve),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnState:   g.count,
		ErrorLog:    log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(g.served)
		_ = g.server.Serve(l)
	}()
	return g, nil
}

// URL is where an answer with that ending is asked for. Each caller has a name of
// its own, since an ending may depend on how often the same caller has asked.
func (g *Gateway) URL(e Ending, caller string) string {
	addr := g.listener.Addr()
	if e == Unreachable {
		addr = g.held.LocalAddr()
	}
	return fmt.Sprintf("http://%s/%s/%s/v1/chat/completions", addr, e, caller)
}

// Close ends all answers and returns when nothing of the gateway runs any more.
// Call it once.
func (g *Gateway) Close() error {
	g.cancel()
	err := errors.Join(g.held.Close(), g.server.Close())
	<-g.served
	g.work.Wait()
	return err
}

// count follows the connections. A new one is counted before Serve goes on, so
// nothing is added once Serve has returned.
func (g *Gateway) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		g.work.Add(1)
	case http.StateClosed, http.StateHijacked:
		g.work.Done()
	default:
	}
}

// serve plays the ending that the path names. A connection that is taken over
// counts no more, so the handler counts by itself.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	g.work.Add(1)
	defer g.work.Done()
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	e, ok := ByName(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	// A server sees that its client has gone only when it has read the request.
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return
	}
	scripts[e].play(&exchange{
		out: w, control: http.NewResponseController(w), ctx: r.Context(), call: g.nth(r.URL.Path),
	})
}

// nth counts the calls for a path, from 1.
func (g *Gateway) nth(path string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls[path]++
	return g.calls[path]
}
