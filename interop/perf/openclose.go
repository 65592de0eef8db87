package perf

import (
	"context"
	"net/http"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/interop/decode"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

var openAndClose = Piece{
	Number: 8, Title: "Opening and closing",
	About: "A stream is opened and closed, without a network and with a context that can be\n" +
		"cancelled: the dialect's stream without decorators and with all six, and the response of\n" +
		"a transport as it is and under `transport.Wrap`. Once it is closed before anything has\n" +
		"been read, and once behind the first chunk.",
	run: runOpen,
}

func runOpen(sec *Section, s Settings) error {
	for _, reads := range []bool{false, true} {
		o := openings{n: max(1, s.streams()/50), reads: reads}
		when := "closed unread"
		if reads {
			when = "closed behind the first chunk"
		}
		tracks, err := race(s.rounds(), s.now(), []side{
			o.stream("dialect alone", alone), o.stream("with all six", middleware.Standard(middleware.Config{})),
			o.body("response of the transport", known, bare),
			o.body("transport.Wrap, a provider's host", known, wrapped(transport.WrapConfig{})),
			o.body("transport.Wrap, a host that nobody knows", nowhere, wrapped(transport.WrapConfig{})),
		})
		if err != nil {
			return err
		}
		t := Table{Caption: "Streams " + when + ":", Head: []string{"", "ns a stream", "B", "allocs", "beyond the bare one"}}
		for i, track := range tracks {
			beyond := track.beyond(tracks[bareOf[i]])
			t.Rows = append(t.Rows, row(track, figure(beyond)+" ns"))
			if i != bareOf[i] {
				sec.goal(Goal{
					What: "opening and closing, " + track.name + ", " + when + ", beyond the bare one", Got: beyond,
					Limit: 2000, Unit: " ns", Way: openWays[i],
				})
			}
		}
		sec.table(t)
	}
	return nil
}

// bareOf says which side has no guard, for each.
var bareOf = [...]int{0, 0, 2, 2, 2}

// openWays says what stands in the way, for each side with a guard.
var openWays = [...]string{
	1: "contexts that can be cancelled are joined to the caller's, a timer is made, and the stack's block is.",
	3: "what the stack takes, and the request: it is read for whether it asks for a stream, for keys, and is sent as a copy with a context of its own.",
	4: "what a provider's host takes, and its dialect is detected: every family's sign is looked for in the first frame.",
}

// known is the address of a provider. Nothing is sent to it.
const known = "https://api.openai.com"

// openings are the streams that a side opens and closes.
type openings struct {
	n     int
	reads bool // the first chunk
}

func (o openings) stream(name string, mw endwell.Middleware) side {
	b := wires()[0].body(2, 1, false)
	d := dialects.MustByName("openai")
	next := mw(endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) {
		return d.Stream(b.Open(nil), dialects.Options{}), nil
	}))
	return o.side(name, func(ctx context.Context) error {
		st, err := next.Open(ctx, question)
		if err != nil {
			return err
		}
		if o.reads {
			if _, err = st.Recv(); err != nil {
				return err
			}
		}
		return st.Close()
	})
}

func (o openings) body(name, host string, wrap func(http.RoundTripper) http.RoundTripper) side {
	w := wires()[0]
	rt := wrap(&answers{w.body(2, 1, false)})
	buf := make([]byte, room)
	return o.side(name, func(ctx context.Context) error {
		resp, err := rt.RoundTrip(w.asking(ctx, host))
		if err != nil {
			return err
		}
		if o.reads {
			if _, err = resp.Body.Read(buf); err != nil {
				return err
			}
		}
		return resp.Body.Close()
	})
}

func (o openings) side(name string, once func(context.Context) error) side {
	return side{name, func(m *meter) error {
		m.start()
		for range o.n {
			ctx, cancel := context.WithCancel(context.Background())
			err := once(ctx)
			cancel()
			if err != nil {
				return err
			}
		}
		m.stop(o.n)
		return nil
	}}
}

// answers is a transport that answers each request with the same body.
type answers struct{ body *decode.Body }

// RoundTrip implements http.RoundTripper.
func (a *answers) RoundTrip(req *http.Request) (*http.Response, error) {
	return a.body.Open(nil).RoundTrip(req)
}
