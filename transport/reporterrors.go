package transport

import (
	"cmp"
	"io"
	"net/http"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/internal/ask"
	"github.com/endwell-go/endwell/internal/errtree"
)

// ReportErrors returns a hook for ModifyResponse of an httputil.ReverseProxy over a
// [RoundTripper]. Where the body of a response ends in an *endwell.Error, its Read
// returns the frame in which d reports it, and then the error, at which ReverseProxy
// aborts the connection: of the two, there are clients that see only one
// (wire/clients-and-proxies.md). All other endings pass, the client's own among them.
//
// A nil d is found for each response, by the request's path and host and the first
// bytes. A body is left as it is when a frame would do harm: that of a response which
// is not 2xx, is encoded, or has a length. A RoundTripper decodes what it watches,
// and hands over whole frames only, so that the frame is never within another one.
//
// The hook keeps at most 4 KiB of a body and may be called from any number of
// goroutines. It never fails.
func ReportErrors(d *dialects.Dialect) func(*http.Response) error {
	return func(resp *http.Response) error {
		if reportable(resp) {
			b := &reporting{ReadCloser: resp.Body, resp: resp, dialect: d}
			b.tail.ContentType = resp.Header.Get("Content-Type")
			resp.Body = b
		}
		return nil
	}
}

func reportable(resp *http.Response) bool {
	switch encoding(resp) {
	case "", "identity":
		return resp.StatusCode/100 == 2 && resp.Body != nil && resp.ContentLength < 0
	default:
		return false
	}
}

// reporting is a body that reports its error before it returns it.
type reporting struct {
	io.ReadCloser
	resp    *http.Response
	dialect *dialects.Dialect // nil where nobody has named one
	tail    dialects.Tail
	first   []byte // of the body, in case that only they tell
	end     error
	frame   []byte // what is left of it
}

// Read implements io.Reader.
func (b *reporting) Read(p []byte) (int, error) {
	if b.end == nil {
		n, err := b.ReadCloser.Read(p)
		b.note(p[:n])
		if err == nil || err == io.EOF || !b.fails(err) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
	if len(b.frame) == 0 {
		return 0, b.end
	}
	n := copy(p, b.frame)
	b.frame = b.frame[n:]
	return n, nil
}

// fails makes the frame for an error that is to be reported; false for any other.
func (b *reporting) fails(err error) bool {
	e, ok := errtree.As[*endwell.Error](err)
	if !ok {
		return false
	}
	b.end, b.frame = err, b.known().ErrorFrameAfter(&b.tail, e)
	return true
}

// firstBytes is how much of a body is kept to tell its dialect by.
const firstBytes = 4 << 10

func (b *reporting) note(p []byte) {
	_, _ = b.tail.Write(p)
	if room := firstBytes - len(b.first); room > 0 {
		b.first = append(b.first, p[:min(len(p), room)]...)
	}
}

// known returns the dialect: the one that was named, unless the bytes are clearly of another
// family; that of the request's path or host, or of the bytes, or else of the content type.
func (b *reporting) known() *dialects.Dialect {
	x := &exchange{t: &RoundTripper{cfg: WrapConfig{Dialect: b.dialect}}, req: b.resp.Request}
	asked := x.req != nil && x.req.URL != nil
	told, ok := dialects.Detect(b.tail.ContentType, host(b.resp), b.first)
	if named := b.dialect; named != nil {
		chat := asked && routeOf(x.req.URL.Path).chat()
		if ok && told.Family() != named.Family() && (told.Family() != dialects.FamilyChat || chat) {
			return told // what nothing tells is taken for chat
		}
		if asked && len(b.first) == 0 {
			return orCompatible(x.refusing())
		}
		return named
	}
	media := ask.Media(b.resp.Header)
	if asked {
		if d, _ := x.dialect(media); d != nil {
			return d
		}
	}
	switch {
	case ok:
		return told
	case asked:
		return cmp.Or(x.refusing(), byMedia(media))
	default:
		return byMedia(media)
	}
}

func byMedia(media string) *dialects.Dialect {
	switch media {
	case "application/vnd.amazon.eventstream":
		return dialects.MustByName("bedrock-converse")
	case "application/x-ndjson":
		return dialects.MustByName("ollama")
	default:
		return orCompatible(nil)
	}
}
