package jsonscan

// Object enters the object that is due; call Key until it reports false. If no
// object is due it reports false, consumes nothing and sets no error. It also
// reports false, with ErrDepth set, for an object that is nested too deeply.
func (c *Cursor) Object() bool { return c.kind == '{' && c.enter(object) }

// Array enters the array that is due; call Elem until it reports false. If no
// array is due it reports false, consumes nothing and sets no error. It also
// reports false, with ErrDepth set, for an array that is nested too deeply.
func (c *Cursor) Array() bool { return c.kind == '[' && c.enter(array) }

// Key moves to the next member of the innermost object and returns its name;
// the member's value is due afterwards. A name with escapes is unescaped into a
// buffer that the next Key overwrites. ok is false when the closing brace has
// been consumed, after an error, and when the innermost container is no object.
func (c *Cursor) Key() (key []byte, ok bool) {
	from, end, escaped := c.member()
	if escaped {
		c.name = Str{Raw: c.doc[from:end], Escaped: true}.AppendTo(c.name[:0])
		return c.name, true
	}
	if end == 0 {
		return nil, false
	}
	return c.doc[from:end:end], true
}

// member is Key with the name as it is written, from there to end; end is 0 when
// there is none. What a writer without white space puts around a name, or with a space
// behind the colon, is looked for first.
func (c *Cursor) member() (from, end int, escaped bool) {
	doc, i := c.doc, c.pos
	if c.kind != 0 {
		i = c.skip()
	}
	if !c.inObject() {
		return 0, 0, false
	}
	switch {
	case !c.first && has(doc, i, ',') && has(doc, i+1, '"'):
		i += 2
	case c.first && has(doc, i, '"'):
		i++
	case has(doc, i, '}'):
		c.leave(i)
		return 0, 0, false
	default:
		if i = c.quote(i); i == 0 {
			return 0, 0, false
		}
	}
	end = plainWords(doc, i)
	if !has(doc, end, '"') {
		if end, escaped = TextEnd(doc, end); !has(doc, end, '"') {
			c.badText(end)
			return 0, 0, false
		}
	}
	value := end + 2
	if has(doc, value, ' ') {
		value++
	}
	if kind := kindAt(doc, value); kind != 0 && has(doc, end+1, ':') {
		c.pos, c.kind, c.first = value, kind, false
	} else if !c.colon(end + 1) {
		return 0, 0, false
	}
	return i, end, escaped
}

// quote returns the index after the quote that opens the next member's name. It is 0
// when there is none: the closing brace has been consumed, or there was an error.
func (c *Cursor) quote(i int) int {
	i = token(c.doc, i)
	switch {
	case has(c.doc, i, '}'):
		c.leave(i)
		return 0
	case !c.first && has(c.doc, i, ','):
		i = token(c.doc, i+1)
	case !c.first:
		c.bad(i)
		return 0
	}
	if !has(c.doc, i, '"') {
		c.bad(i)
		return 0
	}
	return i + 1
}

// colon moves to the value of the member whose name, with its quote, ends at i.
func (c *Cursor) colon(i int) bool {
	i = token(c.doc, i)
	if !has(c.doc, i, ':') {
		return c.bad(i)
	}
	return c.due(i + 1)
}

// Elem moves to the next element of the innermost array, which is due
// afterwards. It reports false when the closing bracket has been consumed,
// after an error, and when the innermost container is no array.
func (c *Cursor) Elem() bool {
	if c.kind != 0 {
		c.Skip()
	}
	if !c.inArray() {
		return false
	}
	i := token(c.doc, c.pos)
	switch {
	case has(c.doc, i, ']'):
		return c.leave(i)
	case c.first:
	case has(c.doc, i, ','):
		i++
	default:
		return c.bad(i)
	}
	if kind := kindAt(c.doc, i); kind != 0 {
		c.pos, c.kind, c.first = i, kind, false
		return true
	}
	return c.due(i)
}

func (c *Cursor) enter(bit uint64) bool {
	if c.depth == MaxDepth {
		return c.fail(ErrDepth)
	}
	c.push(bit)
	c.pos++
	c.kind, c.first = 0, true
	return true
}

// leave consumes the closing bracket at i. It reports false, as Key and Elem
// do there.
func (c *Cursor) leave(i int) bool {
	c.pop()
	c.pos, c.first = i+1, false
	return false
}
