package dialects

import (
	"net/http"
	"strconv"
	"time"

	"github.com/endwell-go/endwell"
)

// ErrorFrame returns the bytes that report e inside a stream, for a gateway that has
// sent a part of an answer: complete frames in the dialect's framing, and no
// sentinel after them. The stream must be at the end of a frame, see [Tail] for one
// that may not be. Abort the connection afterwards: there are clients that see only
// one of the two (wire/clients-and-proxies.md).
//
// It holds e's Message, tokens of the dialect for e's Category, the HTTPStatus, and
// what the wire has a place for of RetryAfter, RequestID and Model. What the
// provider wrote is not in it, nor are its own codes, except where Message has one.
// Reading the frame back gives e's category, or the nearest that the wire can say;
// see "Errors that are written" in the package's documentation. A nil e is one of
// which nothing is known.
func (d *Dialect) ErrorFrame(e *endwell.Error) []byte { return d.ErrorFrameAfter(new(Tail), e) }

// ErrorBody returns the body of an unsuccessful response that reports e, and its
// content type. See ErrorFrame for what is in it.
func (d *Dialect) ErrorBody(e *endwell.Error) (contentType string, body []byte) {
	return jsonType, encode(d.shape().body(newWireError(e)))
}

const jsonType = "application/json"

// WriteError answers a request with e: HTTPStatus, ErrorBody, and the headers that
// clients of the dialect look at. These are Retry-After, in seconds rounded up, and
// Retry-After-Ms where SDKs prefer it; X-Should-Retry, with which OpenAI and
// Anthropic overrule the status, unless the category says that the error is
// transient, and it is; the request id; and AWS' name of the error. Nothing of the response may have been sent. Errors of
// writing are the client's and ignored.
func (d *Dialect) WriteError(w http.ResponseWriter, e *endwell.Error) {
	f := newWireError(e)
	contentType, body := d.ErrorBody(e)
	h := w.Header()
	for _, stale := range [...]string{"Content-Encoding", "Etag", "Last-Modified"} {
		h.Del(stale)
	}
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	d.setHeaders(h, f)
	w.WriteHeader(f.status)
	_, _ = w.Write(body)
}

func (d *Dialect) setHeaders(h http.Header, f *wireError) {
	aws := d.family == FamilyConverse || d.family == FamilyInvoke
	idHeader := "X-Request-Id"
	switch {
	case aws:
		h.Set("X-Amzn-Errortype", f.of(awsErrors))
		idHeader = "X-Amzn-Requestid"
	case d.family == FamilyAnthropic:
		idHeader = "Request-Id"
	}
	if f.id != "" {
		h.Set(idHeader, f.id)
	}
	if f.wait > 0 {
		h.Set("Retry-After", f.seconds())
	}
	switch d.family {
	case FamilyChat, FamilyResponses, FamilyAnthropic:
		if ms := f.wait.Milliseconds(); ms > 0 {
			h.Set("Retry-After-Ms", strconv.FormatInt(ms, 10))
		}
	}
	if !f.transient || !f.category.Transient() {
		h.Set("X-Should-Retry", strconv.FormatBool(f.transient))
	}
}

// seconds is the wait in whole seconds, rounded up.
func (f *wireError) seconds() string {
	n := int64(f.wait / time.Second)
	if f.wait%time.Second > 0 {
		n++
	}
	return strconv.FormatInt(n, 10)
}

// errorShape is how a system writes errors.
type errorShape struct {
	body  func(*wireError) any // of a response
	frame func(*wireError) any // of an event or a line; nil is as body
	event string               // the name of the event
	more  func(*wireError) any // a second event, see its uses
	named string               // its name
	bare  bool                 // the document stands outside of any event first
}

// shape finds the dialect's. Systems of the chat family without one of their own write
// as OpenAI does.
func (d *Dialect) shape() errorShape {
	if d.family == FamilyChat {
		if s, ok := chatErrors[d.name]; ok {
			return s
		}
	}
	if s, ok := familyErrors[d.family]; ok {
		return s
	}
	return familyErrors[FamilyChat]
}

// familyErrors is how each family writes errors. Those of Bedrock have messages in
// the place of frames.
var familyErrors = map[Family]errorShape{
	FamilyChat:         {body: openaiBody, frame: openaiFrame},
	FamilyResponses:    {body: openaiBody, frame: responsesErrorEvent, event: "error", more: responsesFailed, named: "response.failed"},
	FamilyAnthropic:    {body: anthropicError, frame: anthropicErrorEvent, event: "error"},
	FamilyGemini:       {body: googleErrorDocument, bare: true},
	FamilyInteractions: {body: interactionsError, frame: interactionsErrorEvent, event: "error"},
	FamilyCohere:       {body: cohereError, frame: cohereErrorEnd, event: "message-end"},
	FamilyCohereV1:     {body: cohereError, frame: cohereV1ErrorEnd},
	FamilyOllama:       {body: ollamaError, frame: ollamaErrorLine},
	FamilyConverse:     {body: awsErrorBody},
	FamilyInvoke:       {body: awsErrorBody},
	FamilyReplicate:    {body: replicateProblem, event: "error"},
}

func (s *errorShape) document(f *wireError) any {
	if s.frame != nil {
		return s.frame(f)
	}
	return s.body(f)
}

// events writes the shape as Server-Sent Events.
func (s *errorShape) events(f *wireError) []byte {
	doc := encode(s.document(f))
	var b []byte
	if s.bare {
		b = append(append(b, doc...), "\n\n"...)
	}
	b = appendEvent(b, s.event, doc)
	if s.more != nil {
		b = appendEvent(b, s.named, encode(s.more(f)))
	}
	return b
}

func appendEvent(b []byte, name string, data []byte) []byte {
	if name != "" {
		b = append(append(append(b, "event: "...), name...), '\n')
	}
	b = append(append(b, "data: "...), data...)
	return append(b, "\n\n"...)
}
