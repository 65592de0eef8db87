package endwelltest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/endwell-go/endwell"
)

// The times of a check. Patience bounds what hangs when the code is wrong; nothing
// else waits for it. Settling is how long something that ought to block is given to
// do otherwise. In a testing/synctest bubble neither takes any time.
const (
	patience = 5 * time.Second
	settling = 5 * time.Millisecond
)

// maxChunks bounds an answer in a check.
const maxChunks = 10_000

// bench is where one check runs: what it works on, and what it found wrong.
type bench struct {
	ctx  context.Context
	stop context.CancelFunc
	next endwell.Next
	req  *endwell.Request

	mu    sync.Mutex // guards what follows
	doing string
	wrong []string
	shut  int // how often Close was called
}

// check is one thing that is tried, and its name.
type check struct {
	name string
	in   Situation // for checks of a Next
	try  func(*bench)
}

var benches atomic.Int64

// label marks the goroutines of one bench, and those that they start.
const label = "endwelltest"

// run runs a check on a goroutine of its own and returns what it found wrong.
func (c check) run(next endwell.Next) []string {
	b := &bench{next: next, req: sample()}
	b.ctx, b.stop = context.WithCancel(context.Background())
	defer b.stop()
	id := strconv.FormatInt(benches.Add(1), 10)
	done := make(chan struct{})
	go func() {
		defer close(done)
		pprof.Do(b.ctx, pprof.Labels(label, id), func(ctx context.Context) {
			b.ctx = ctx
			defer b.caught()
			c.try(b)
		})
	}()
	if !within(done) {
		b.failf("it hangs: %s", b.now())
		return b.found()
	}
	b.stop()
	if left := ""; !eventually(patience, func() bool { left = running(id); return left == "" }) {
		b.failf("a goroutine is left when the stream has been closed:\n%s", left)
	}
	return b.found()
}

// within waits for done, at most for [patience]. It counts pauses, as [eventually] does: a
// clock goes on while a machine stands still, and they do not.
func within(done <-chan struct{}) bool {
	const pause = patience / 50
	t := time.NewTicker(pause)
	defer t.Stop()
	for waited := time.Duration(0); waited < patience; waited += pause {
		select {
		case <-done:
			return true
		case <-t.C:
		}
	}
	return false
}

// settle gives something that ought to block the time to do otherwise.
func settle() { rest(settling) }

// caught makes a panic of what is checked a finding.
func (b *bench) caught() {
	if p := recover(); p != nil {
		b.failf("it panics: %s: %v\n%s", b.now(), p, debug.Stack())
	}
}

// failf notes a finding, once.
func (b *bench) failf(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := fmt.Sprintf(format, args...); !slices.Contains(b.wrong, s) {
		b.wrong = append(b.wrong, s)
	}
}

func (b *bench) found() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.wrong)
}

// do says what is done next, for the case that it hangs or panics.
func (b *bench) do(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.doing = what
}

func (b *bench) now() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doing
}

// sample is the request of every check.
func sample() *endwell.Request {
	return &endwell.Request{
		Agent: "endwelltest", Provider: "loopback", Model: "test-model",
		Payload: `{"model":"test-model","stream":true,"messages":[{"role":"user","content":"How does it end?"}]}`,
		Secret:  []string{"sk-test-not-a-real-key"}, Private: []string{"How does it end?"},
	}
}

// open opens a stream and checks that there is one or an error.
func (b *bench) open() (endwell.Stream, error) {
	b.do("Open")
	s, err := b.next.Open(b.ctx, b.req)
	switch {
	case err == nil && s == nil:
		b.failf("Open returned neither a stream nor an error")
		return nil, errNothing
	case err != nil && s != nil:
		b.failf("Open returned a stream beside the error %v", err)
		return nil, err
	}
	if !reflect.DeepEqual(b.req, sample()) {
		b.failf("Open changed the request")
	}
	return s, err
}

var errNothing = errors.New("endwelltest: neither a stream nor an error")

// mustOpen is open where there must be a stream.
func (b *bench) mustOpen() (endwell.Stream, bool) {
	s, err := b.open()
	if err != nil {
		b.failf("Open failed: %v", err)
	}
	return s, err == nil
}

// recv receives and checks that a chunk and an error never come together.
func (b *bench) recv(s endwell.Stream) (endwell.Chunk, error) {
	b.do("Recv")
	c, err := s.Recv()
	if err != nil && !reflect.ValueOf(c).IsZero() {
		b.failf("Recv returned a chunk of kind %v together with the error %v", c.Kind, err)
	}
	return c, err
}

// close closes a stream. When it is called for a panic, that is what was done.
func (b *bench) close(s endwell.Stream) {
	b.mu.Lock()
	was := b.doing
	b.doing = "Close"
	b.shut++
	b.mu.Unlock()
	defer b.do(was)
	defer b.caught()
	_ = s.Close()
}

// closed is how often Close was called.
func (b *bench) closed() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shut
}

// drain reads a stream to its end, which it leaves open.
func (b *bench) drain(s endwell.Stream) (chunks []endwell.Chunk, end error) {
	for range maxChunks {
		c, err := b.recv(s)
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, c)
	}
	b.failf("the answer had not ended after %d chunks", maxChunks)
	return chunks, errNothing
}

// sticks checks that a stream which ended stays ended, whatever happens to it.
func (b *bench) sticks(s endwell.Stream, end error) {
	again := func(when string) {
		_, err := b.recv(s)
		if !same(err, end) {
			b.failf("the ending is not sticky: %v, then, %s, %v", end, when, err)
		}
	}
	again("asked again")
	again("asked a third time")
	b.close(s)
	again("after Close")
	b.stop()
	again("after its context ended")
}

// same compares errors by identity.
func same(a, b error) bool {
	if t := reflect.TypeOf(a); t != nil && !t.Comparable() {
		return reflect.DeepEqual(a, b)
	}
	return a == b
}

// stopped checks the ending of a stream that its caller has stopped.
func (b *bench) stopped(end error, how string) {
	switch {
	case end == nil:
		b.failf("%s, and Recv returned another chunk", how)
	case errors.Is(end, io.EOF):
		b.failf("%s, and Recv returned %v, which says that the answer is whole", how, end)
	}
}

// pending starts to read a stream to its end on another goroutine, gives it the time
// to come to where it blocks, and returns where to find the ending.
func (b *bench) pending(s endwell.Stream) <-chan error {
	ended := make(chan error, 1)
	go func() {
		var end error = errNothing
		defer func() { ended <- end }()
		defer b.caught()
		_, end = b.drain(s)
	}()
	settle()
	select {
	case end := <-ended:
		b.failf("the stream ended by itself, with %v, where it should wait for more", end)
		ended <- end
	default:
	}
	return ended
}
