package dialects

import (
	"bytes"
	"mime"

	"github.com/endwell-go/endwell"
)

// Tail is what must be known of a body to report an error behind it: how it began and
// how it ends. Write to it what is sent to the client. The zero value is a body of
// which nothing has been sent. It allocates nothing; use it from one goroutine at a
// time.
type Tail struct {
	// ContentType is that of the response, which says how a body is framed that has not
	// begun; "" is the dialect's own framing. It matters to systems that stream in two
	// ways.
	ContentType string

	first byte    // the first byte behind white space and a byte order mark; 0 for none
	last  byte    // the last one that is no white space
	end   [3]byte // the last bytes
	n     int     // how many of them there are
}

// Write notes bytes of the body. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	for i := 0; t.first == 0 && i < len(p); i++ {
		if c := p[i]; !jsonBlank(c) && c != '\n' && c != 0xef && c != 0xbb && c != 0xbf {
			t.first = c
		}
	}
	if rest := bytes.TrimRight(p, " \t\r\n"); len(rest) > 0 {
		t.last = rest[len(rest)-1]
	}
	keep := p[max(len(p)-len(t.end), 0):]
	old := min(t.n, len(t.end)-len(keep))
	copy(t.end[:], t.end[t.n-old:t.n])
	t.n = old + copy(t.end[old:], keep)
	return len(p), nil
}

// ErrorFrameAfter is ErrorFrame behind a body that is framed, and that ends, as t
// says. What the body lacks of the end of its last event, or line, comes first, and
// a frame in a JSON array gets its comma: the array stays open.
//
// It is nil for a body that is one JSON document and no stream: nothing can be added
// to it. A body that ends in the middle of a frame cannot be mended: its client gets
// half a frame, and most fail at that.
func (d *Dialect) ErrorFrameAfter(t *Tail, e *endwell.Error) []byte {
	f, s := newWireError(e), d.shape()
	switch d.framing(t) {
	case framedAWS:
		return awsErrorMessage(f)
	case framedLines:
		return append(append(t.lineEnd(), encode(s.document(f))...), '\n')
	case framedArray:
		return t.element(encode(s.document(f)))
	case framedOnce:
		if t.n > 0 {
			return nil
		}
		return encode(s.body(f))
	default:
		return append(t.eventEnd(), s.events(f)...)
	}
}

// framing is how bytes become frames, for writing.
type framing uint8

const (
	framedEvents framing = iota
	framedLines
	framedArray
	framedAWS
	framedOnce // one JSON document
)

// framing finds the framing of a body. Its first byte tells, else the content type.
func (d *Dialect) framing(t *Tail) framing {
	media, _, _ := mime.ParseMediaType(t.ContentType)
	document := t.first == '{' || t.first == 0 && media == jsonType
	switch d.family {
	case FamilyConverse, FamilyInvoke:
		return framedAWS
	case FamilyOllama, FamilyCohereV1:
		if t.first != 0 && t.first != '{' || t.first == 0 && media == "text/event-stream" {
			return framedEvents
		}
		return framedLines
	case FamilyGemini, FamilyInteractions:
		if t.first == '[' || t.first == 0 && document {
			return framedArray
		}
	}
	if document {
		return framedOnce
	}
	return framedEvents
}

// eventEnd returns what the last event lacks of its end.
func (t *Tail) eventEnd() []byte {
	end := t.end[:t.n]
	switch {
	case t.n == 0, bytes.HasSuffix(end, []byte("\n\n")), bytes.HasSuffix(end, []byte("\r\r")),
		bytes.HasSuffix(end, []byte("\n\r\n")):
		return nil
	case end[t.n-1] == '\n':
		return []byte("\n")
	default:
		return []byte("\n\n")
	}
}

// lineEnd returns what the last line lacks of its end.
func (t *Tail) lineEnd() []byte {
	if t.n == 0 || t.end[t.n-1] == '\n' {
		return nil
	}
	return []byte("\n")
}

// element returns a document as the next element of the array. An array that has
// ended already has it behind its end, where it is no JSON any more.
func (t *Tail) element(doc []byte) []byte {
	switch t.last {
	case 0:
		return append(append([]byte("["), doc...), ']')
	case '[', ',':
		return doc
	case ']':
		return append([]byte("\r\n"), doc...)
	default:
		return append([]byte(",\r\n"), doc...)
	}
}
