package perf

import (
	"bufio"
	"bytes"
	"fmt"

	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/tmaxmax/go-sse"

	"github.com/endwell-go/endwell/interop/decode"
)

// heard is what a reader has said.
type heard struct{ pieces, bytes int }

func (h *heard) take(bytes int) {
	h.pieces++
	h.bytes += bytes
}

// reader reads a body to its end, for whatever is in it.
type reader func(*decode.Feed, *heard) error

// text is a reader that says text.
func text(read decode.Reader) reader {
	return func(f *decode.Feed, h *heard) error {
		return read(f, func(text string) { h.take(len(text)) })
	}
}

// reading is a side that reads a body to its end. What it says must be enough.
func reading(name string, b *decode.Body, read reader, enough func(heard) bool) side {
	return side{name, func(m *meter) error {
		var h heard
		err := read(b.Open(m.start), &h)
		m.stop(b.Frames)
		if err == nil && !enough(h) {
			err = fmt.Errorf("perf: %d bytes in %d pieces are not the answer", h.bytes, h.pieces)
		}
		return err
	}}
}

func allText(b *decode.Body) func(heard) bool {
	return func(h heard) bool { return h.bytes == len(b.Text) }
}

func allFrames(b *decode.Body) func(heard) bool {
	return func(h heard) bool { return h.pieces == b.Frames }
}

func allBytes(b *decode.Body) func(heard) bool {
	n := b.Len()
	return func(h heard) bool { return h.bytes == n }
}

// occurring is how often something is in a body.
func occurring(b *decode.Body, what string) func(heard) bool {
	n := 0
	for _, p := range b.Pieces {
		n += bytes.Count(p, []byte(what))
	}
	return func(h heard) bool { return h.pieces == n }
}

// The readers below find frames, or lines, and nothing in them.

func splitOpenAI(f *decode.Feed, h *heard) error {
	resp, err := f.RoundTrip(nil)
	if err != nil {
		return err
	}
	d := ssestream.NewDecoder(resp)
	for d.Next() {
		h.take(len(d.Event().Data))
	}
	return d.Err()
}

func splitGoSSE(f *decode.Feed, h *heard) error {
	for ev, err := range sse.Read(f, nil) {
		if err != nil {
			return err
		}
		h.take(len(ev.Data))
	}
	return nil
}

func splitLines(f *decode.Feed, h *heard) error {
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		h.take(len(lines.Bytes()))
	}
	return lines.Err()
}
