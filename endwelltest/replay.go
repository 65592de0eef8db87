package endwelltest

import (
	"context"
	"net/http"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/tape"
	"github.com/endwell-go/endwell/transport"
)

// Replay is a provider that answers every call with a recorded response, whatever
// the request: put a stack above it. A status that is not 2xx is refused as
// transport.Decode does.
//
// A nil dialect means the one that the tape names, and is detected where it names
// none or one that is not known. A nil clock means clock.System, in real time. A
// *clock.Fake is moved by the tape itself, on the goroutine of Recv, timers of the
// stack above included, so that an hour of silence takes no time; then one call at a
// time may be made, and a wait that nothing ends is tape.ErrNeverEnds.
//
// A tape that ends with the caller's cancellation hangs there: who plays it cancels.
func Replay(t *tape.Tape, d *dialects.Dialect, c clock.Clock) endwell.Next {
	if d == nil {
		d, _ = dialects.ByName(t.Dialect)
	}
	_, fake := c.(*clock.Fake)
	return endwell.NextFunc(func(ctx context.Context, _ *endwell.Request) (endwell.Stream, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		status := t.Status
		if status == 0 {
			status = http.StatusOK
		}
		return transport.Decode(&http.Response{
			StatusCode: status,
			Header:     t.Header.HTTP(),
			Body:       tape.Play(ctx, t, tape.Config{Clock: c, Drive: fake}),
		}, d, dialects.Options{})
	})
}
