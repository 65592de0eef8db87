package perf

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/endwell-go/endwell/transport"
)

// Profile writes profiles of guarded streams that a server paces, as many at once as the
// settings have connections: cpu.pprof, heap.pprof while all are open, allocs.pprof,
// block.pprof and mutex.pprof. Read them with go tool pprof.
func Profile(dir string, s Settings) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	url, stop, err := s.server()
	if err != nil {
		return err
	}
	defer stop()
	n := s.connections()
	base := &http.Transport{MaxIdleConnsPerHost: n}
	defer base.CloseIdleConnections()
	client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{})}
	chunks := min(pacedChunks, s.chunks()/100)
	b := wires()[0].body(chunks, 1, false)
	url = fmt.Sprintf("%s/%d/%v", url, chunks, pacedBy)

	runtime.MemProfileRate = profiledBytes
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	cpu, err := os.Create(filepath.Join(dir, "cpu.pprof"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cpu.Close()) }()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() {
		over <- together(n, func() error { return rawCall(context.Background(), url, client, b) })
	}()
	time.Sleep(time.Duration(chunks) * pacedBy / 2)
	midway := write(dir, "heap")
	err = errors.Join(midway, <-over)
	pprof.StopCPUProfile()
	for _, name := range []string{"allocs", "block", "mutex"} {
		err = errors.Join(err, write(dir, name))
	}
	return err
}

// What is profiled: answers of so many chunks, one each so often.
const (
	pacedChunks = 200
	pacedBy     = 20 * time.Millisecond
)

// profiledBytes is how many allocated bytes there are to one that the profiles of memory
// have, for a stream allocates no more than a few kilobytes.
const profiledBytes = 1 << 10

// write writes one of the runtime's profiles.
func write(dir, name string) error {
	if name == "heap" {
		runtime.GC()
	}
	f, err := os.Create(filepath.Join(dir, name+".pprof"))
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup(name).WriteTo(f, 0), f.Close())
}
