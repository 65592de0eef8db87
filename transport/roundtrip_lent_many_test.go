package transport_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// torn is a body that comes in pieces of any size, some of them around those of the
// buffers, and ends with its last piece or behind it.
type torn struct {
	rest string
	end  error
	rng  *rand.Rand
}

func (b *torn) Read(p []byte) (int, error) {
	if b.rest == "" {
		return 0, b.end
	}
	sizes := [...]int{1, 7, 100, 300, 511, 512, 513, 2047, 2049, 16383, 16384, len(p)}
	n := copy(p[:min(len(p), sizes[b.rng.IntN(len(sizes))])], b.rest)
	if b.rest = b.rest[n:]; b.rest == "" && b.rng.IntN(2) == 0 {
		return n, b.end
	}
	return n, nil
}

func (b *torn) Close() error { return nil }

// story is an answer all of whose bytes name it.
func story(rng *rand.Rand, name string) string {
	var b strings.Builder
	if rng.IntN(2) == 0 {
		b.WriteString(": " + name + "\n\n")
	}
	for range 1 + rng.IntN([...]int{1, 3, 30}[rng.IntN(3)]) {
		b.WriteString(says(strings.Repeat(name, 1+[...]int{1, 5, 20, 60, 300, 2000}[rng.IntN(6)])))
	}
	if rng.IntN(2) == 0 {
		b.WriteString(stop)
	}
	return b.String() + done
}

// Streams that share their buffers hand over their own bytes, in order and without a gap:
// all of them up to a fault, whoever leaves early, and whatever is held back between.
func TestRoundTripManyShareBuffers(t *testing.T) {
	gate, upfront := gated(2), transport.WrapConfig{Upfront: true}
	inside := transport.WrapConfig{Chain: middleware.Standard(middleware.Config{Retry: gate.Retry})}
	cfgs := []transport.WrapConfig{{}, gate, upfront, inside, {Dialect: openai}, {Report: true}}
	var all sync.WaitGroup
	for g := range uint64(8) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(g, 9))
			for i := range 300 {
				sent := story(rng, fmt.Sprintf("<%d.%d>", g, i))
				b := &torn{rest: sent, end: io.EOF, rng: rng}
				if rng.IntN(3) == 0 {
					b.rest, b.end = sent[:rng.IntN(len(sent))], errors.New("reset")
				}
				base := roundTrip(func(*http.Request) (*http.Response, error) {
					again := *b
					return respond(&again), nil
				})
				resp, err := transport.Wrap(base, cfgs[rng.IntN(len(cfgs))]).RoundTrip(asks(t.Context(), "http://host.invalid/"))
				if err != nil {
					continue // a gate has no more attempts
				}
				var got strings.Builder
				p := make([]byte, 1+rng.IntN(4<<10))
				for leaves := rng.IntN(40); err == nil && leaves != 1; leaves-- {
					var n int
					n, err = resp.Body.Read(p)
					got.Write(p[:n])
					runtime.Gosched() // others use what is free
				}
				_ = resp.Body.Close()
				said, _, _ := strings.Cut(got.String(), `data: {"error":`)
				said = strings.TrimSuffix(said, "\n\n")                      // which a torn event gets
				finished := strings.Contains(said, `"finish_reason":"stop"`) // may end there
				if !strings.HasPrefix(sent, said) || err == io.EOF && said+"\n\n" != sent && !finished {
					t.Errorf("%d.%d: %v after %q, which is not what was sent: %q", g, i, err, got.String(), sent)
				}
			}
		})
	}
	all.Wait()
}
