package jsonscan

// Spans notes where the scalars of a document stand that a Cursor has passed, in
// order. The zero value is empty. It must not be used concurrently.
type Spans struct {
	// List has the scalars. It is overwritten by the next Reset of the cursor.
	List []Span
}

// Span is where a scalar stands in its document: a string without its quotes, or a
// number.
type Span struct {
	From, To int
	Kind     SpanKind
}

// SpanKind says what a Span is, and what was asked of it.
type SpanKind uint8

const (
	// ReadString is a string that Str returned.
	ReadString SpanKind = iota
	// UnreadString is a string that nobody asked for.
	UnreadString
	// UnreadNumber is a number that nobody asked for.
	UnreadNumber
)

// Record makes the cursor note scalars in s from the next Reset on; nil makes it
// stop. Strings that Str returned are noted, and strings and numbers that nobody
// asked for. Names are not, nor literals, numbers that Num returned, and whatever is
// in a value that Raw returned.
func (c *Cursor) Record(s *Spans) { c.spans = s }

func (s *Spans) add(from, to int, kind SpanKind) {
	s.List = append(s.List, Span{from, to, kind})
}
