package demo

import (
	"context"
	"net/http"
	"time"

	"github.com/endwell-go/endwell/clock"
)

// The bounds of the demo, far shorter than anybody would set them for a real model.
// A row has only the one that it is about, and the stack's default for the others,
// so that a busy machine cannot make one stall look like another. They are times of the
// demo's clock.
const (
	first    = 1 * time.Second
	idle     = 2 * time.Second
	progress = 1500 * time.Millisecond
	thinking = 2500 * time.Millisecond // of the slow consumer: above idle

	// patience is how long the plain client is left with an answer that never
	// ends, and with one that does, in case it does not.
	patience    = 3 * time.Second
	anyPatience = 30 * time.Second
)

// The request. Neither the key nor the model exists.
const (
	key   = "sk-demo-not-a-real-key"
	model = "demo-model"
	body  = `{"model":"demo-model","stream":true,"messages":[{"role":"user","content":"How does it end?"}]}`
)

// consumer is what a caller does between two pieces of text. The zero value just
// goes on.
type consumer struct {
	think  time.Duration // after the first word
	stopAt int           // the word after which the caller stops; 0 for never
}

// word is called after each piece of text, with its number from 1; 0 is the header. stop ends the
// caller's own context.
func (c consumer) word(ctx context.Context, clk clock.Clock, n int, stop func()) {
	if n > 0 && n == c.stopAt {
		stop()
	}
	if c.think == 0 || n != 1 {
		return
	}
	thought := make(chan struct{})
	t := clk.AfterFunc(c.think, func() { close(thought) })
	defer t.Stop()
	select {
	case <-thought:
	case <-ctx.Done():
	}
}

// newClient returns an HTTP client of one call, with connections of its own and no
// proxy. The caller closes its idle connections.
func newClient() *http.Client { return &http.Client{Transport: &http.Transport{}} }
