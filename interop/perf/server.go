package perf

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"github.com/endwell-go/endwell/interop/decode"
)

// Handler answers as an OpenAI chat server does, and flushes each frame. The path says
// how many frames have text, and how long it pauses before each: a duration, or "hold"
// for an answer that stops before its end and waits until the client has gone.
func Handler() http.Handler {
	var bodies sync.Map
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{frames}/{pause}/", func(rw http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("frames"))
		if err != nil || n < 2 {
			http.Error(rw, "two frames at least", http.StatusBadRequest)
			return
		}
		b, _ := bodies.LoadOrStore(n, sync.OnceValue(func() *decode.Body { return wires()[0].body(n, 1, false) }))
		serve(rw, r, b.(func() *decode.Body)())
	})
	return mux
}

func serve(rw http.ResponseWriter, r *http.Request, b *decode.Body) {
	_, _ = io.Copy(io.Discard, r.Body)
	rw.Header().Set("Content-Type", b.ContentType)
	pieces, pause := b.Pieces, time.Duration(0)
	hold := r.PathValue("pause") == "hold"
	if hold {
		pieces = held(b)
	} else {
		pause, _ = time.ParseDuration(r.PathValue("pause"))
	}
	out := http.NewResponseController(rw)
	for _, p := range pieces {
		if pause > 0 {
			time.Sleep(pause)
		}
		if _, err := rw.Write(p); err != nil {
			return
		}
		_ = out.Flush()
	}
	if hold {
		<-r.Context().Done()
	}
}

// held are the pieces of an answer that waits before its end.
func held(b *decode.Body) [][]byte { return b.Pieces[:len(b.Pieces)-2] }

// Serve serves on loopback until in has ended, and first writes its address to out: it
// is the server as a process of its own.
func Serve(in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: Handler()}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = s.Close()
	}()
	if _, err := fmt.Fprintf(out, "http://%s\n", l.Addr()); err != nil {
		return err
	}
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server starts a server.
func (s Settings) server() (url string, stop func(), err error) {
	if s.Server != nil {
		return s.Server()
	}
	here := httptest.NewServer(Handler())
	return here.URL, here.Close, nil
}
