package transport

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
)

// decoded returns the body of a response without its content encoding. Gzip is
// recognised by its first bytes, declared or not, since some proxies declare it
// wrongly. "none" and "utf-8" are no encodings, but some hosts write them, the
// former to keep a proxy from compressing (terrapod#71). An encoding that cannot be
// decoded is evidence; the body is then returned as it is.
func decoded(resp *http.Response) (*body, error) {
	b := new(body)
	return b, b.decode(resp)
}

// decode begins the body of a response, as decoded does.
func (b *body) decode(resp *http.Response) error {
	b.raw, b.ctx = resp.Body, context.Background()
	if resp.Request != nil {
		b.ctx = resp.Request.Context()
	}
	if b.raw == nil {
		b.raw = http.NoBody
	}
	switch encoding(resp) {
	case "", "identity", "none", "utf-8":
		return nil
	case "gzip", "x-gzip":
		b.gzip = true
		return nil
	case "deflate":
		b.deflate = true
		return nil
	default:
		return &endwell.Evidence{
			Kind: endwell.NotAStream, InBand: true, Header: resp.Header, Cause: errEncoding,
		}
	}
}

var errEncoding = reason.New("transport", "content_encoding", "its content encoding is not one that can be decoded",
	"The provider, or a gateway before it, is at fault if nobody asked for that encoding: ask for gzip, or for none.")

// body decodes the content encoding while it is read.
type body struct {
	raw     io.ReadCloser
	ctx     context.Context // the request's, which says whose an error is
	dec     io.Reader       // decodes raw, if it is encoded
	broken  error           // why dec could not be made
	deflate bool
	gzip    bool // it is declared
	file    bool // it may be anything: gzip that is not declared is one more format
	asIs    bool // raw has begun, and is not encoded
	ended   bool // raw has ended cleanly
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	switch {
	case b.asIs:
		return b.readRaw(p)
	case b.broken != nil:
		return 0, b.broken
	case b.dec == nil:
		return b.first(p)
	}
	n, err := b.dec.Read(p)
	return n, b.decodeError(err)
}

// maxIdle is how many reads in a row may return nothing at all.
const maxIdle = 100

// gzipMagic begins what is in gzip (RFC 1952 §2.3.1), and no text.
const gzipMagic = "\x1f\x8b\x08"

// first reads the first bytes and finds out how they are encoded.
func (b *body) first(p []byte) (int, error) {
	n, err := b.readRaw(p)
	if n == 0 {
		return n, err
	}
	if !b.deflate && (p[0] != gzipMagic[0] || b.file && !b.gzip) {
		b.asIs = true
		return n, err
	}
	head := bytes.Clone(p[:n])
	for tries := 0; err == nil && len(head) < len(gzipMagic); tries++ {
		if tries == maxIdle {
			return 0, io.ErrNoProgress
		}
		n, err = b.readRaw(p[:min(len(p), len(gzipMagic)-len(head))])
		head = append(head, p[:n]...)
	}
	again := io.MultiReader(bytes.NewReader(head), ended{err}, rawReader{b})
	switch {
	case b.deflate:
		b.dec, err = zlib.NewReader(again)
	case b.gzip || beginsGzip(head):
		b.dec, err = gzip.NewReader(again)
	default:
		b.dec, err = again, nil
	}
	if err != nil {
		b.broken = b.decodeError(err)
	}
	return b.Read(p)
}

// beginsGzip reports whether a body that begins so, or is no longer than that, is in gzip.
func beginsGzip(head []byte) bool {
	n := min(len(head), len(gzipMagic))
	return string(head[:n]) == gzipMagic[:n]
}

// decodeError says what an error of the decoder means: a body that ended cleanly
// inside its encoding was cut, one that is not what it says cannot be read, and a
// transport's own error passes.
func (b *body) decodeError(err error) error {
	switch {
	case err == nil, err == io.EOF:
		return err
	case b.ended && errtree.Is(err, io.ErrUnexpectedEOF):
		return &endwell.Evidence{Kind: endwell.Cut, InBand: true, Cause: io.ErrUnexpectedEOF}
	case undecodable(err):
		return &endwell.Evidence{Kind: endwell.Unparseable, InBand: true, Cause: err}
	default:
		return err
	}
}

// undecodable reports whether an error says that what is encoded is not what it says.
func undecodable(err error) bool {
	t := errtree.Flatten(err)
	_, corrupt := errtree.Find[flate.CorruptInputError](t)
	return corrupt || slices.ContainsFunc(encodingErrors[:], t.Has)
}

var encodingErrors = [...]error{gzip.ErrHeader, gzip.ErrChecksum, zlib.ErrHeader, zlib.ErrChecksum, zlib.ErrDictionary}

// readRaw reads the response's own body.
func (b *body) readRaw(p []byte) (int, error) {
	n, err := b.raw.Read(p)
	if err != nil {
		err = b.rawError(err)
	}
	return n, err
}

// rawError notes a clean end, and says whose an error is. A transport may have decoded
// the body, as net/http does with gzip that nobody asked for by name: what is not that can
// be read no better here.
func (b *body) rawError(err error) error {
	switch {
	case err == io.EOF:
		b.ended = true
		return err
	case undecodable(err):
		return &endwell.Evidence{Kind: endwell.Unparseable, InBand: true, Cause: err}
	default:
		return ownError(b.ctx, err)
	}
}

type rawReader struct{ b *body }

// Read implements io.Reader.
func (r rawReader) Read(p []byte) (int, error) { return r.b.readRaw(p) }

// ended is a reader that has an error to report, unless that is nil.
type ended struct{ err error }

// Read implements io.Reader. io.EOF moves a MultiReader on, to a body that will say
// so again.
func (e ended) Read([]byte) (int, error) {
	if e.err == nil {
		return 0, io.EOF
	}
	return 0, e.err
}

// Drain reads what is left of the body, within a small bound of bytes and time, so
// that the connection can be used again: an answer is whole at its sentinel, a
// little before the body ends. It is for a dialect's stream, which calls it when nobody
// reads, and reads no more.
func (b *body) Drain() {
	if b.ended {
		return
	}
	late := time.AfterFunc(drainTime, func() { _ = b.raw.Close() })
	defer late.Stop()
	_, _ = io.CopyN(io.Discard, b.raw, drainBytes)
}

// Close closes the response's body. It unblocks a Read.
func (b *body) Close() error { return b.raw.Close() }
