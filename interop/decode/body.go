package decode

import "io"

// Body is what a server sends for one answer.
type Body struct {
	// Pieces are handed over one a read.
	Pieces [][]byte
	// ContentType is that of the response.
	ContentType string
	// Frames is the number of frames with text.
	Frames int
	// Text is the whole answer.
	Text string
}

// Len returns the size of the body in bytes.
func (b *Body) Len() int {
	n := 0
	for _, p := range b.Pieces {
		n += len(p)
	}
	return n
}

// add adds a piece.
func (b *Body) add(piece string) { b.Pieces = append(b.Pieces, []byte(piece)) }

// Feed is a Body that is being read, by one goroutine. It returns a piece a read, or
// as much of it as there is room for.
type Feed struct {
	pieces [][]byte
	rest   []byte
	mime   string
	start  func()
}

// Open returns a feed of the body. It calls start, which may be nil, at the first
// read.
func (b *Body) Open(start func()) *Feed {
	return &Feed{pieces: b.Pieces, mime: b.ContentType, start: start}
}

// Read implements io.Reader.
func (f *Feed) Read(p []byte) (int, error) {
	if f.start != nil {
		f.start()
		f.start = nil
	}
	if len(f.rest) == 0 {
		if len(f.pieces) == 0 {
			return 0, io.EOF
		}
		f.rest, f.pieces = f.pieces[0], f.pieces[1:]
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// Close implements io.Closer. It does nothing.
func (f *Feed) Close() error { return nil }
