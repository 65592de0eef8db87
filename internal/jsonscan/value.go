package jsonscan

// Str consumes the string that is due. If no string is due, ok is false,
// nothing is consumed and no error is set. ok is also false, with an error set,
// for a string that is cut or not valid.
func (c *Cursor) Str() (s Str, ok bool) {
	if c.kind != '"' {
		return Str{}, false
	}
	i := c.pos + 1
	end, escaped := c.quoted(i)
	if end < 0 {
		return Str{}, false
	}
	c.pos, c.kind = end+1, 0
	if c.spans != nil {
		c.spans.add(i, end, ReadString)
	}
	return Str{Raw: c.doc[i:end:end], Escaped: escaped}, true
}

// Num consumes the number that is due and returns it as it is written; see Int.
// If no number is due, ok is false, nothing is consumed and no error is set.
// ok is also false, with an error set, for a number that is cut or not valid.
func (c *Cursor) Num() (raw []byte, ok bool) {
	if c.kind != '0' {
		return nil, false
	}
	i := c.pos
	if !c.number() {
		return nil, false
	}
	return c.doc[i:c.pos:c.pos], true
}

// Bool consumes the true or false that is due and returns it. If neither is
// due, ok is false, nothing is consumed and no error is set. ok is also false,
// with an error set, for a literal that is cut or misspelt.
func (c *Cursor) Bool() (v, ok bool) {
	switch c.kind {
	case 't':
		v = true
		ok = c.literal("true")
	case 'f':
		ok = c.literal("false")
	}
	return v && ok, ok
}

// Null consumes the null that is due and reports whether it did. If no null is
// due, nothing is consumed and no error is set. It also reports false, with an
// error set, for a literal that is cut or misspelt.
func (c *Cursor) Null() bool { return c.kind == 'n' && c.literal("null") }

// Skip consumes the value that is due, whatever it is, and checks it. It does
// nothing when no value is due. It does not recurse.
func (c *Cursor) Skip() { c.unwind(c.depth) }

// Raw is Skip that returns the value as it is written, without the white space
// around it; nil when no value is due or it is not valid.
func (c *Cursor) Raw() []byte {
	if c.kind == 0 {
		return nil
	}
	i, spans := c.pos, c.spans
	c.spans = nil
	c.Skip()
	c.spans = spans
	if c.err != nil {
		return nil
	}
	return c.doc[i:c.pos:c.pos]
}

// unwind consumes the value that is due, if any, and then the rest of every
// container that is nested deeper than base.
func (c *Cursor) unwind(base int) {
	for {
		c.step()
		for more := false; !more; {
			if c.depth <= base {
				return
			}
			more = c.next()
		}
	}
}

// step consumes the value that is due, or enters it if it is a container.
func (c *Cursor) step() {
	switch c.kind {
	case '"':
		if end, _ := c.quoted(c.pos + 1); end >= 0 {
			c.unread(c.pos+1, end, UnreadString)
			c.pos, c.kind = end+1, 0
		}
	case '0':
		if i := c.pos; c.number() {
			c.unread(i, c.pos, UnreadNumber)
		}
	case '{':
		c.enter(object)
	case '[':
		c.enter(array)
	case 't':
		c.literal("true")
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	}
}

func (c *Cursor) unread(from, to int, kind SpanKind) {
	if c.spans != nil {
		c.spans.add(from, to, kind)
	}
}

// next is Key or Elem, whichever the innermost container calls for.
func (c *Cursor) next() bool {
	if c.inArray() {
		return c.Elem()
	}
	_, ok := c.member()
	return ok
}
