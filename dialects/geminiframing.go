package dialects

import "bytes"

// geminiFramer cuts what Google sends for one request in either of two framings:
// Server-Sent Events with alt=sse, a JSON array without. The first byte that is no
// white space tells, and not the content type, since Code Assist and Vertex wrap
// error documents in an array even with alt=sse (wire/other-families.md §2.c). What
// follows the array is read as events, which finds an error document there.
type geminiFramer struct {
	events  sse
	list    jsonArray
	known   bool
	isArray bool
	looked  int // bytes looked at until the framing was known
}

// next implements framer.
func (g *geminiFramer) next(b []byte, eof bool, f *frame) bool {
	if !g.known && !g.look(b, eof) {
		return false
	}
	if g.inList() {
		return g.list.next(b, eof, f)
	}
	if !g.events.next(b, eof, f) {
		return false
	}
	if f.kind == frameBare {
		// An error document, most likely, which must be JSON to be told from junk.
		f.data = withoutDoubledCommas(f.data)
	}
	return true
}

// inList reports whether what comes next is of the array.
func (g *geminiFramer) inList() bool { return g.isArray && !g.list.done }

// look reports whether there are enough bytes to know the framing.
func (g *geminiFramer) look(b []byte, eof bool) bool {
	mark := []byte("\xef\xbb\xbf")
	if g.looked == 0 && len(b) < len(mark) && bytes.HasPrefix(mark, b) && !eof {
		return false
	}
	if g.looked == 0 && bytes.HasPrefix(b, mark) {
		g.looked = len(mark)
	}
	for ; g.looked < len(b); g.looked++ {
		switch b[g.looked] {
		case ' ', '\t', '\r', '\n':
		default:
			g.known, g.isArray = true, b[g.looked] == '['
			return true
		}
	}
	g.known = eof
	return g.known
}
