package proxy

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
)

// serve opens the ledger, the folder of tapes and the listener, and serves until a
// signal comes.
func (o *options) serve(signals <-chan os.Signal) error {
	if o.ledger != "" {
		f, err := os.OpenFile(o.ledger, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		l := newLedger(f, o.cfg.Log)
		defer func() {
			l.close()
			_ = f.Close()
		}()
		o.cfg.Ledger = l
	}
	if o.cfg.Tapes != "" {
		if err := record.Folder(o.cfg.Tapes); err != nil {
			return err
		}
	}
	l, err := cli.Listen(o.listen)
	if err != nil {
		return err
	}
	log := o.cfg.Log
	if o.cfg.Public {
		log.Warn("other machines may use this proxy, and keys pass between them and it in the clear: put TLS and a password in front")
	}
	log.Info("listening", "url", "http://"+l.Addr().String(), "upstream", o.cfg.Upstream.String())
	return o.until(l, New(o.cfg), signals)
}

// grace is how long what has been aborted may take to end.
const grace = 5 * time.Second

// until serves until a signal comes, then lets open streams end, for a while or until
// the next signal, and aborts what is left.
func (o *options) until(l net.Listener, p *Proxy, signals <-chan os.Signal) error {
	log := o.cfg.Log
	server := &http.Server{
		Handler: p, ConnContext: withConn, ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-signals:
	}
	// Server.Shutdown comes last: from then on the server says Connection: close,
	// also on a stream whose header is still to come.
	_ = l.Close()
	log.Info("stopping: open streams may end", "drain", o.drain)
	if !drained(p, o.drain, signals) {
		log.Warn("stopping: open streams are aborted", "count", p.Abort())
		drained(p, grace, nil)
	}
	last, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	_ = server.Shutdown(last)
	_ = server.Close()
	drained(p, grace, nil)
	<-served
	p.Close()
	log.Info("stopped")
	return nil
}

// drained waits until no stream is open, the time is up, or a signal comes.
func drained(p *Proxy, d time.Duration, signals <-chan os.Signal) bool {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-over:
		}
	}()
	return p.Drain(ctx)
}
