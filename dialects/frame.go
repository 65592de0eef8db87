package dialects

// frame is one unit that a framer cut from the body. Its slices point into the
// reader's buffer, or into the framer's own, and live until the next frame.
type frame struct {
	raw   []byte    // everything, delimiters and comments included
	data  []byte    // the payload, without framing; nil when there is none
	event []byte    // the SSE event name, empty for none
	kind  frameKind // where data comes from
	coded []byte    // room for a payload that is coded
	tail  bool      // cut by the end of the body instead of by its delimiter
}

type frameKind uint8

const (
	frameEmpty frameKind = iota // no payload: comments, ids, blank lines
	frameData                   // a payload in the protocol's own place
	frameError                  // the value of a field named "error"
	frameBare                   // a whole JSON document outside the protocol
	frameJunk                   // other text outside the protocol
)

// framer cuts a body into frames. next looks at what is buffered and not yet
// consumed, from the first byte after the last frame, and reports whether a frame
// is complete; if so f is filled. The framer remembers how far it has looked, so a
// byte is looked at once however the body is split. At eof it flushes what is
// left, as a frame with tail set, and reports false only when nothing is left.
//
// Some frames are cut without a look at what precedes or follows them, so that the same
// bytes with another text are a frame again: repeats says whether raw is such a frame,
// fresh whether the framer is between two frames and owes nothing.
type framer interface {
	next(b []byte, eof bool, f *frame) bool
	repeats(raw []byte) bool
	fresh() bool
	eventful() bool
}
