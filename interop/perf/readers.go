package perf

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/interop/clients"
	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// peer is something else to read a wire with.
type peer struct {
	name string
	read decode.Reader
	goal float64 // how many times cheaper bytes to text shall be; 0 for no goal
}

func chatPeers() []peer {
	return []peer{
		{"go-openai", client("go-openai"), 18},
		{"langchaingo", client("langchaingo, openai"), 30},
		{"eino-ext openai", client("eino-ext, openai"), 30},
	}
}

func anthropicPeers() []peer { return []peer{{"fantasy anthropic", client("fantasy, anthropic"), 0}} }

// nowhere is the address that clients are given. Nothing is sent to it.
const nowhere = "http://127.0.0.1:1"

// client reads with one of the clients of the module.
func client(name string) decode.Reader {
	c := named(name)
	return func(f *decode.Feed, to decode.Sink) error {
		return c.Ask(context.Background(), nowhere, &http.Client{Transport: f}, func(text string) bool {
			to(text)
			return true
		})
	}
}

func named(name string) clients.Client {
	all := clients.Clients()
	return all[slices.IndexFunc(all, func(c clients.Client) bool { return c.Name == name })]
}

// question is what every stream here is asked for with.
var question = &endwell.Request{Provider: "bench", Model: "gpt-0"}

// stacked reads through a dialect and all decorators. Without text, it says "" for
// each piece.
func stacked(d *dialects.Dialect, opt dialects.Options) decode.Reader {
	read := throughStack(d, opt)
	return func(f *decode.Feed, to decode.Sink) error { return read(f, to) }
}

func throughStack(d *dialects.Dialect, opt dialects.Options) func(io.Reader, decode.Sink) error {
	stack := middleware.Standard(middleware.Config{})
	return func(body io.Reader, to decode.Sink) error {
		st, err := stack(source(d, body, opt)).Open(context.Background(), question)
		if err != nil {
			return err
		}
		defer func() { _ = st.Close() }()
		for {
			c, err := st.Recv()
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			case c.Kind == endwell.KindText:
				to(c.Text)
			}
		}
	}
}

// source is a provider whose answer is a body.
func source(d *dialects.Dialect, body io.Reader, opt dialects.Options) endwell.Next {
	return endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return d.Stream(body, opt), nil
	})
}

// asking asks a provider for a stream.
func (w wire) asking(ctx context.Context, url string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+w.path, strings.NewReader(`{"model":"gpt-0","stream":true}`))
	if err != nil {
		panic(err) // the address is one of this package's
	}
	req.Header.Set("Content-Type", "application/json")
	return req
}

// room is how much a Read of a body is offered.
const room = 32 << 10

// bytewise reads the body as a program does that reads bytes, as it is or under a
// chain, with one transport for all its requests.
func (w wire) bytewise(wrap func(http.RoundTripper) http.RoundTripper) reader {
	buf := make([]byte, room)
	base := new(relay)
	rt := wrap(base)
	return func(f *decode.Feed, h *heard) error {
		base.Feed = f
		resp, err := rt.RoundTrip(w.asking(context.Background(), w.host))
		if err != nil {
			return err
		}
		return drain(resp.Body, buf, h)
	}
}

// relay is a transport whose answer is the feed of the day.
type relay struct{ *decode.Feed }

// drain reads a body to its end and closes it.
func drain(body io.ReadCloser, buf []byte, h *heard) error {
	defer func() { _ = body.Close() }()
	for {
		n, err := body.Read(buf)
		h.take(n)
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

func bare(base http.RoundTripper) http.RoundTripper { return base }

func wrapped(cfg transport.WrapConfig) func(http.RoundTripper) http.RoundTripper {
	return func(base http.RoundTripper) http.RoundTripper { return transport.Wrap(base, cfg) }
}
