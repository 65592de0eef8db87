package jsonscan

// Str consumes the string that is due. If no string is due, ok is false,
// nothing is consumed and no error is set. ok is also false, with an error set,
// for a string that is cut or not valid.
func (c *Cursor) Str() (s Str, ok bool) {
	if c.kind != '"' {
		return Str{}, false
	}
	doc, i := c.doc, c.pos+1
	end := plainWords(doc, i)
	if !has(doc, end, '"') {
		if end, s.Escaped = TextEnd(doc, end); !has(doc, end, '"') {
			return Str{}, c.badText(end)
		}
	}
	c.pos, c.kind = end+1, 0
	if c.spans != nil {
		c.spans.add(i, end, ReadString)
	}
	s.Raw = doc[i:end:end]
	return s, true
}

// Num consumes the number that is due and returns it as it is written; see Int.
// If no number is due, ok is false, nothing is consumed and no error is set.
// ok is also false, with an error set, for a number that is cut or not valid.
func (c *Cursor) Num() (raw []byte, ok bool) {
	if c.kind != '0' {
		return nil, false
	}
	i := c.pos
	end := numberEnd(c.doc, i)
	if end < 0 {
		return nil, c.bad(^end)
	}
	c.pos, c.kind = end, 0
	return c.doc[i:end:end], true
}

// Bool consumes the true or false that is due and returns it. If neither is
// due, ok is false, nothing is consumed and no error is set. ok is also false,
// with an error set, for a literal that is cut or misspelt.
func (c *Cursor) Bool() (v, ok bool) {
	k := c.kind
	ok = (k == 't' || k == 'f') && c.literal()
	return ok && k == 't', ok
}

// Null consumes the null that is due and reports whether it did. If no null is
// due, nothing is consumed and no error is set. It also reports false, with an
// error set, for a literal that is cut or misspelt.
func (c *Cursor) Null() bool { return c.kind == 'n' && c.literal() }

// Skip consumes the value that is due, whatever it is, and checks it. It does
// nothing when no value is due. It does not recurse.
func (c *Cursor) Skip() { c.skip() }

// skip is Skip, and returns where the value ends; after an error that is 0.
func (c *Cursor) skip() int {
	doc, i := c.doc, c.pos
	var end int
	switch c.kind {
	case '"':
		if end = plainWords(doc, i+1); !has(doc, end, '"') {
			if end, _ = TextEnd(doc, end); !has(doc, end, '"') {
				c.badText(end)
				return 0
			}
		}
		if c.spans != nil {
			c.spans.add(i+1, end, UnreadString)
		}
		end++
	case '0':
		end = numberEnd(doc, i)
		if c.spans != nil && end > 0 {
			c.spans.add(i, end, UnreadNumber)
		}
	case 't', 'f', 'n':
		end = literalEnd(doc, i)
	case '{', '[':
		c.unwind(c.depth)
		return c.pos
	default:
		return i
	}
	if end < 0 {
		c.bad(^end)
		return 0
	}
	c.pos, c.kind = end, 0
	return end
}

// literal consumes the literal that is due.
func (c *Cursor) literal() bool {
	end := literalEnd(c.doc, c.pos)
	if end < 0 {
		return c.bad(^end)
	}
	c.pos, c.kind = end, 0
	return true
}

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
		switch c.kind {
		case '{':
			c.enter(object)
		case '[':
			c.enter(array)
		default:
			c.Skip()
		}
		for more := false; !more; {
			if c.depth <= base {
				return
			}
			more = c.next()
		}
	}
}

// next is Key or Elem, whichever the innermost container calls for, without the name.
func (c *Cursor) next() bool {
	if c.inArray() {
		return c.Elem()
	}
	_, end, _ := c.member()
	return end != 0
}
