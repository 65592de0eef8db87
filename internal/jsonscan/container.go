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
	s, ok := c.member()
	if s.Escaped {
		c.name = s.AppendTo(c.name[:0])
		return c.name, ok
	}
	return s.Raw, ok
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
	i, b := c.at(c.pos)
	switch {
	case b == ']':
		return c.leave(i)
	case c.first:
		return c.due(i)
	case b == ',':
		return c.due(i + 1)
	}
	c.bad(i)
	return false
}

// member is Key with the name as it is written.
func (c *Cursor) member() (name Str, ok bool) {
	if c.kind != 0 {
		c.Skip()
	}
	if !c.inObject() {
		return Str{}, false
	}
	i, b := c.at(c.pos)
	if b == '}' {
		return Str{}, c.leave(i)
	}
	if !c.first {
		if b != ',' {
			c.bad(i)
			return Str{}, false
		}
		i, b = c.at(i + 1)
	}
	if b != '"' {
		c.bad(i)
		return Str{}, false
	}
	end, escaped := c.quoted(i + 1)
	if end < 0 {
		return Str{}, false
	}
	name = Str{Raw: c.doc[i+1 : end : end], Escaped: escaped}
	if i, b = c.at(end + 1); b != ':' {
		c.bad(i)
		return Str{}, false
	}
	if !c.due(i + 1) {
		return Str{}, false
	}
	return name, true
}

func (c *Cursor) enter(bit uint64) bool {
	if c.depth == MaxDepth {
		c.fail(ErrDepth)
		return false
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
