// Package proxy is the command that stands between a program in any language and a
// provider, and sees to it that no stream that ended badly looks like an end.
package proxy

import (
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

// Config configures a Proxy.
type Config struct {
	// Upstream is where requests go: their path and query are joined to its own. It
	// must be there.
	Upstream *url.URL
	// Dialect is how answers are read and errors are written; nil finds it for each
	// exchange, by the path, the host and the answer.
	Dialect *dialects.Dialect
	// Bounds are the stall guard's; zero ones are its defaults.
	Bounds middleware.Bounds
	// Attempts is how often a request is sent at most; 0 means once.
	Attempts int
	// Hold is how long an answer is held back at most for its first emission, so that
	// a failure can still be a status; 0 means transport.DefaultHold.
	Hold time.Duration
	// Ledger gets an entry for each attempt of a stream; nil means none.
	Ledger retry.Ledger
	// Tapes is the folder in which answers are recorded; "" records none.
	Tapes string
	// Public says that the proxy may be asked under any host name, not only under
	// those of this machine.
	Public bool
	// Origins are web pages' origins that may ask although they are not of this
	// machine; "*" means all.
	Origins []string
	// Log takes a record for each exchange; nil means slog.Default().
	Log *slog.Logger
	// Transport asks the upstream; nil means http.DefaultTransport as it is, without
	// its own gzip.
	Transport http.RoundTripper
	// Clock is the clock of Hold and Bounds; nil means clock.System.
	Clock clock.Clock
}

// Proxy is the handler. Make it with New. It is safe for concurrent use.
type Proxy struct {
	cfg     Config
	base    http.RoundTripper
	reverse httputil.ReverseProxy
	meter   *meter
	tapes   *tapes
	door    door
	asked   atomic.Int64 // the exchanges so far

	mu       sync.Mutex // guards what follows
	open     map[*exchange]struct{}
	stopping bool
	idle     chan struct{} // closed when stopping and none is open
}

// New returns a proxy.
func New(cfg Config) *Proxy {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	p := &Proxy{
		cfg: cfg, base: cfg.Transport, meter: newMeter(), door: door{cfg.Public, cfg.Origins},
		open: map[*exchange]struct{}{}, idle: make(chan struct{}),
	}
	if p.base == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true // or answers in one piece would change
		t.MaxIdleConnsPerHost = 64
		p.base = t
	}
	if cfg.Tapes != "" {
		p.tapes = &tapes{base: p.base, dir: cfg.Tapes, dialect: cfg.Dialect, clock: cfg.Clock, log: cfg.Log}
		p.base = p.tapes
	}
	p.reverse = httputil.ReverseProxy{
		Rewrite:        p.rewrite,
		Transport:      transport.Wrap(p.base, p.wrapping()),
		ModifyResponse: p.answer,
		ErrorHandler:   p.fail,
		ErrorLog:       log.New(io.Discard, "", 0), // what goes wrong is in the exchange's record
	}
	return p
}

// wrapping is the chain over every stream.
func (p *Proxy) wrapping() transport.WrapConfig {
	cfg := transport.WrapConfig{
		Chain: middleware.Standard(middleware.Config{
			Clock: p.cfg.Clock, Stall: middleware.StallConfig{Bounds: p.cfg.Bounds},
		}),
		// With a ledger there is a gate also for a single attempt, which holds back
		// what comes before the first emission.
		Retry: middleware.RetryConfig{Policy: retry.Always(&retry.Policy{
			MaxAttempts: p.cfg.Attempts, Ledger: retry.Tee(p.meter, p.cfg.Ledger),
		})},
		Around:  endwell.Chain(noticed, middleware.Observe(middleware.ObserveConfig{Report: reported})),
		Hold:    p.cfg.Hold,
		Upfront: true,
		MaxBody: -1, // see readAhead
		Dialect: p.cfg.Dialect,
		Describe: func(r *http.Request, req *endwell.Request) {
			req.Provider, req.Model = p.provider(r), exchangeOf(r.Context()).model
		},
		Clock: p.cfg.Clock,
	}
	if cfg.Hold == 0 {
		cfg.Hold = transport.DefaultHold
	}
	return cfg
}

// rewrite points a request at the upstream.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery // as it came, also where it is unusual
	r.SetURL(p.cfg.Upstream)
	if strings.Contains(strings.ToLower(r.Out.Header.Get("Upgrade")), "h2c") {
		// An offer of HTTP/2 without TLS is this connection's affair, and there are
		// servers that drop the body of a request with one.
		for _, name := range [...]string{"Upgrade", "Connection", "Http2-Settings"} {
			r.Out.Header.Del(name)
		}
	}
	if p.tapes != nil {
		r.Out.Header.Set("Accept-Encoding", "identity") // a tape that is packed cannot be cleaned
	}
}

// answer sees to it that the body of a response reports its error.
func (p *Proxy) answer(resp *http.Response) error {
	x := exchangeOf(resp.Request.Context())
	if x.watches() {
		resp.Body = &stoppable{resp.Body, x}
	}
	return transport.ReportErrors(p.cfg.Dialect)(resp)
}

// fail answers a request that came to nothing.
func (p *Proxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r.Context())
	switch {
	case x.stopped():
		err = errStopped
	case r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // the client has gone: nothing may look like an answer
	}
	x.fails(p.dialect(r), p.provider(r), record.Asked(r, err)).answer(w)
}

// dialect returns the dialect in which a request that goes upstream is answered.
func (p *Proxy) dialect(r *http.Request) *dialects.Dialect {
	if d := p.cfg.Dialect; d != nil {
		return d
	}
	return transport.DialectOf(r, nil)
}

// provider names the system that is asked; "" when it is not known.
func (p *Proxy) provider(r *http.Request) string {
	if name := p.dialect(r).Name(); name != "compatible" {
		return name
	}
	return ""
}

func asError(err error) (*endwell.Error, bool) {
	var e *endwell.Error
	return e, errors.As(err, &e) && e != nil
}
