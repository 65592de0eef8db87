package endwelltest

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Gateway is a provider on loopback that answers by script: the first request with
// the first script, and so on; the last script answers all further requests too. It
// is safe for concurrent use.
type Gateway struct {
	// URL is where to ask, without a slash at its end. Any path below it, such as
	// /v1/chat/completions, will do.
	URL string

	server   *httptest.Server
	listener *listener
	cancel   context.CancelFunc
	main     route
	once     sync.Once

	mu       sync.Mutex // guards what follows
	routes   map[string]*route
	requests []Request
	total    int
	active   int
	closed   bool
	work     sync.WaitGroup // handlers; nothing is added when closed is set
}

// route is a part of the gateway with scripts and a count of its own.
type route struct {
	scripts []Step
	asked   int
}

// NewGateway starts a gateway that speaks HTTP/1.1. Without a script it answers
// with nothing: a status of 200 and no body. The caller closes it. It panics when
// no port of 127.0.0.1 can be listened to.
func NewGateway(scripts ...Step) *Gateway { return newGateway(false, scripts) }

// NewHTTP2Gateway is NewGateway over TLS, with HTTP/2 for those who ask for it.
// [Gateway.Client] does, and trusts its certificate.
func NewHTTP2Gateway(scripts ...Step) *Gateway { return newGateway(true, scripts) }

// Listen is [NewGateway] on a listener of the caller's, which the gateway closes. It
// speaks HTTP/2 without TLS, too, with clients that begin with it.
func Listen(l net.Listener, scripts ...Step) *Gateway {
	g, s := prepare(scripts)
	_ = s.Listener.Close()
	s.Listener = l
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	g.start(s)
	return g
}

func newGateway(h2 bool, scripts []Step) *Gateway {
	g, s := prepare(scripts)
	s.EnableHTTP2 = h2
	g.start(s)
	return g
}

// prepare makes a gateway and its server.
func prepare(scripts []Step) (*Gateway, *httptest.Server) {
	g := &Gateway{main: route{scripts: scripts}, routes: map[string]*route{}}
	s := httptest.NewUnstartedServer(http.HandlerFunc(g.serve))
	return g, s
}

// start begins to serve, over TLS if it is with HTTP/2.
func (g *Gateway) start(s *httptest.Server) {
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel, g.listener = cancel, &listener{Listener: s.Listener, ctx: ctx}
	s.Listener = g.listener
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if s.EnableHTTP2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	s.Client().Transport.(*http.Transport).DisableCompression = true
	g.server, g.URL = s, s.URL
}

// connKey finds the connection of a request in its context.
type connKey struct{}

// On adds scripts for the requests whose first path element is name, which count on
// their own, and returns where to ask for them. Adding to the same name again
// replaces its scripts and begins at the first one. A name has no slash.
func (g *Gateway) On(name string, scripts ...Step) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.routes[name] = &route{scripts: scripts}
	return g.URL + "/" + name
}

// Client is an HTTP client for this gateway. It does not undo gzip unasked, keeps no
// connection after Close, and has no timeout.
func (g *Gateway) Client() *http.Client { return g.server.Client() }

// Active is the number of requests that are being answered right now. It falls when
// an answer ends, and when the gateway sees that its client has gone.
func (g *Gateway) Active() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.active
}

// Close breaks off all answers and returns when nothing of the gateway runs any more. It
// may be called any number of times.
func (g *Gateway) Close() {
	g.once.Do(func() {
		g.mu.Lock()
		g.closed = true
		g.mu.Unlock()
		g.cancel()
		g.server.CloseClientConnections()
		g.server.Close()
		g.work.Wait()
	})
}

// serve answers one request.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	if !g.enter() {
		return
	}
	defer g.leave()
	x := &exchange{w: w, control: http.NewResponseController(w), request: r, ctx: r.Context()}
	x.conn, _ = r.Context().Value(connKey{}).(net.Conn)
	if x.under = under(x.conn); x.under != nil {
		x.nth = x.under.requests.Add(1)
	}
	script, attempt := g.script(r)
	x.note = func(body []byte) { g.note(r, body, attempt) }
	script.run(x)
	x.hear()
	if x.ctx.Err() != nil {
		x.abort() // what was cut short has no end of its own
	}
	x.finish()
}

// enter counts a handler, unless the gateway has been closed. The server does not
// wait for handlers of HTTP/2 by itself.
func (g *Gateway) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.active++
	g.work.Add(1)
	return true
}

func (g *Gateway) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.active--
	g.work.Done()
}

// script picks the script that answers a request, and counts.
func (g *Gateway) script(r *http.Request) (Step, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	to := &g.main
	if named, ok := g.routes[firstElement(r.URL.Path)]; ok {
		to = named
	}
	to.asked++
	if len(to.scripts) == 0 {
		return Step{}, to.asked
	}
	return to.scripts[min(to.asked, len(to.scripts))-1], to.asked
}
