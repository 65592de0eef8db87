package proxy

import (
	"io"
	"net/http"

	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
)

// ServeHTTP implements http.Handler. GET /healthz and GET /metrics are the proxy's
// own; all else goes to the upstream.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, why := p.door.refuses(r); why != "" {
		http.Error(w, "endwell proxy: "+why, status)
		return
	}
	switch r.URL.Path {
	case "/healthz":
		if reads(r) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = io.WriteString(w, "ok\n")
			return
		}
	case "/metrics":
		if reads(r) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			p.meter.set.WritePrometheus(w)
			return
		}
	}
	p.forward(w, r)
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// forward hands a request to the upstream.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request) {
	x := newExchange(p, w, r)
	defer x.cancel(nil)
	if !p.begin(x) {
		w.Header().Set("Connection", "close")
		x.fails(p.dialect(r), "", errStopped).answer(w)
		return
	}
	defer x.end()
	body, err := readAhead(x.req)
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	x.model = modelIn(body, record.Secrets(x.req))
	// Or the server would read ahead in a body that an upstream answers early, and
	// then say Connection: close, which hides a cut from some clients
	// (wire/clients-and-proxies.md).
	_ = http.NewResponseController(w).EnableFullDuplex()
	p.reverse.ServeHTTP(x, x.req)
	x.through = true
}
