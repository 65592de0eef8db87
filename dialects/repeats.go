package dialects

import "bytes"

// fresh implements framer.
func (s *sse) fresh() bool { return s.begun && s.pos == 0 && !s.skipLF && !s.text }

// repeats implements framer: an event that ends with a blank line, in LF or CRLF.
func (s *sse) repeats(raw []byte) bool {
	return raw[0] > ' ' && raw[0] < 0x7f && (bytes.HasSuffix(raw, []byte("\n\n")) || bytes.HasSuffix(raw, []byte("\r\n\r\n")))
}

// fresh implements framer.
func (n *ndjson) fresh() bool {
	return n.lines == nil && n.begun && n.pos == 0 && !n.owed && n.place == ndjsonBetween
}

// repeats implements framer: one document on a line of its own.
func (n *ndjson) repeats(raw []byte) bool {
	return n.lines == nil && raw[0] == '{' && (bytes.HasSuffix(raw, []byte("}\n")) || bytes.HasSuffix(raw, []byte("}\r\n")))
}

// fresh implements framer.
func (a *jsonArray) fresh() bool {
	return a.opened && !a.done && a.pos == 0 && !a.begun && !a.comment
}

// repeats implements framer: an object with nothing before it but what separates it
// from the last one.
func (a *jsonArray) repeats(raw []byte) bool {
	return raw[len(raw)-1] == '}' && bytes.HasPrefix(bytes.TrimLeft(raw, ", \t\r\n"), []byte("{"))
}

// fresh implements framer.
func (g *geminiFramer) fresh() bool {
	if g.inList() {
		return g.list.fresh()
	}
	return g.known && g.events.fresh()
}

// repeats implements framer.
func (g *geminiFramer) repeats(raw []byte) bool {
	if g.inList() {
		return g.list.repeats(raw)
	}
	return g.events.repeats(raw)
}

// fresh implements framer. Messages have a checksum, so only their payloads repeat.
func (a *awsEvents) fresh() bool { return false }

// repeats implements framer.
func (a *awsEvents) repeats([]byte) bool { return false }
