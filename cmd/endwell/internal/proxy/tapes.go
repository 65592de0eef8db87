package proxy

import (
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/tape"
)

// tapes is an http.RoundTripper that records the answers to the requests that a chain
// watches, each attempt on a tape of its own. No stream ever waits for it.
type tapes struct {
	base    http.RoundTripper
	dir     string
	dialect *dialects.Dialect
	clock   clock.Clock
	log     *slog.Logger
	saving  sync.WaitGroup
	once    sync.Once
}

// RoundTrip implements http.RoundTripper.
func (t *tapes) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if err != nil || resp.Body == nil || resp.StatusCode == http.StatusSwitchingProtocols {
		return resp, err
	}
	x := exchangeOf(req.Context())
	secrets, packed := record.Secrets(x.req), packed(resp.Header.Get("Content-Encoding"))
	resp.Request = req
	which := int(x.answers.Add(1))
	body := record.NewBody(x.req.Context(), t.clock, resp, t.named(resp), func(got *tape.Tape) {
		switch {
		case !x.watches():
		case got == nil || packed:
			t.complain(errUnfit)
		default:
			t.saving.Go(func() { t.save(got, x, which, secrets) })
		}
	})
	x.keeps(body)
	resp.Body = body
	return resp, nil
}

func packed(encoding string) bool { return encoding != "" && !strings.EqualFold(encoding, "identity") }

var errUnfit = errors.New("an answer that is packed or very long was not recorded")

// CloseIdleConnections closes those of the base, if it can.
func (t *tapes) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// named returns the name of the dialect; "" when only the body tells.
func (t *tapes) named(resp *http.Response) string {
	d := t.dialect
	if d == nil {
		d = record.Told(resp)
	}
	if d == nil {
		return ""
	}
	return d.Name()
}

// save writes a tape of an exchange. Its name is made of what was known before the answer
// came, since answers end and are written in any order.
func (t *tapes) save(got *tape.Tape, x *exchange, which int, secrets []string) {
	record.Clean(got, secrets)
	err := os.MkdirAll(t.dir, 0o700)
	if err == nil {
		_, err = record.SaveIn(t.dir, x.began, x.number, which, got)
	}
	if err != nil {
		t.complain(err)
	}
}

// complain logs that a tape could not be written, once.
func (t *tapes) complain(err error) {
	t.once.Do(func() { t.log.Warn("an answer was not recorded; this is said once", "error", err) })
}
