package jsonscan

// Cursor walks one JSON document. The zero value is ready for Reset.
//
// At any time at most one value is due: the top value after Reset, a member's
// value after Key, an element after Elem. Kind says what it is; Object and
// Array enter it; Str, Num, Bool, Null, Skip and Raw consume it. The methods
// that ask for one kind do nothing and report false when another kind is due,
// or none, so that a caller may try several in turn. A value that nobody
// consumed is skipped, and checked, by the next Key, Elem or End.
//
// Spans alias the document. Only Key may copy, when a name has escapes.
// Nothing is allocated for documents that nest up to 64 deep and whose names
// have no escapes; otherwise the cursor keeps two buffers for reuse, at most 2 kB
// for nesting, and the longest escaped name that Key returned.
//
// The document is known to be valid only when End has returned nil. Errors are
// sticky: after one, every method but Reset reports false, zero or that error.
// A Cursor must not be used concurrently.
type Cursor struct {
	doc   []byte
	pos   int  // the first byte that is not consumed
	kind  byte // the kind of the value that is due at pos; 0 when none is
	first bool // the container was just entered: no comma is due
	levels
	err   error
	name  []byte // the last name that had escapes
	spans *Spans // nil when nothing is recorded
}

// Reset starts over with doc, which it does not copy: doc must not change while
// the cursor or a span of it is in use. The top value is due afterwards, unless
// doc does not begin with one; Err says so at once. Reset(nil) lets go of the
// last document.
func (c *Cursor) Reset(doc []byte) {
	c.doc, c.err = doc, nil
	if c.spans != nil {
		c.spans.List = c.spans.List[:0]
	}
	c.levels.clear()
	c.due(0)
}

// Kind returns the kind of the value that is due, without consuming it: '{',
// '[', '"', '0' for any number, 't', 'f' or 'n'. It returns 0 when no value is
// due: after the value was consumed, at the end, and after an error. Only the
// first byte of the value has been looked at.
func (c *Cursor) Kind() byte { return c.kind }

// Err returns the error that stopped the cursor: ErrUnexpectedEnd, ErrDepth or
// a *SyntaxError. It is nil as long as what was consumed is valid.
func (c *Cursor) Err() error { return c.err }

// End checks what is left of the document, wherever the cursor is, and returns
// nil if the whole of it is one JSON value with nothing but white space around
// it. Otherwise it returns what Err returns.
func (c *Cursor) End() error {
	if c.kind != 0 || c.depth > 0 {
		c.unwind(0)
	}
	if c.err == nil {
		i := token(c.doc, c.pos)
		if i < len(c.doc) || i == 0 {
			c.bad(i)
		}
	}
	return c.err
}

// due moves to the value that must begin at i, white space aside.
func (c *Cursor) due(i int) bool {
	i = token(c.doc, i)
	kind := kindAt(c.doc, i)
	if kind == 0 {
		return c.bad(i)
	}
	c.pos, c.kind, c.first = i, kind, false
	return true
}

// bad stops the cursor because the byte at i, or the end of the document if it
// is there, cannot stand where it does. It returns false.
func (c *Cursor) bad(i int) bool {
	if i < len(c.doc) {
		return c.fail(&SyntaxError{Offset: i})
	}
	return c.fail(ErrUnexpectedEnd)
}

// badText stops the cursor because of a string for which TextEnd returned end, and no
// quote is there.
func (c *Cursor) badText(end int) bool { return c.bad(max(end, ^end)) }

// fail stops the cursor: with no value due and no container open, no method
// goes on. It returns false.
func (c *Cursor) fail(err error) bool {
	c.err, c.kind = err, 0
	c.levels.clear()
	return false
}
