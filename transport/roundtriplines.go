package transport

import "bytes"

// lineEnds is what is known of the lines of a body that is handed over, so that its end
// can be one that clients of SSE understand.
type lineEnds struct {
	known bool    // a line feed has come, and crlf says what it was like
	crlf  bool    // lines end with CR and LF
	odd   bool    // behind the last event there is an odd number of blank lines
	tail  [4]byte // the last bytes
	n     int     // how many of them there are
}

// take notes the next bytes, which are not none.
func (l *lineEnds) take(raw []byte) {
	if !l.known {
		l.learn(raw)
	}
	l.odd = isBlank(raw) && l.odd != l.addsOdd(raw)
	if len(raw) >= len(l.tail) {
		l.n = copy(l.tail[:], raw[len(raw)-len(l.tail):])
		return
	}
	kept := copy(l.tail[:], l.tail[max(l.n+len(raw)-len(l.tail), 0):l.n])
	l.n = kept + copy(l.tail[kept:], raw)
}

// missing is what the body lacks to end its last event, which clients drop otherwise.
// Behind a fault it may be a blank line too: keep-alives of blank lines come in pairs
// where events are what stands between two line ends, and a bound may end between the
// two (go-genai takes the half of a pair for a chunk that is no JSON).
func (l *lineEnds) missing(fault bool) []byte {
	if l.n == 0 {
		return nil
	}
	lacks := lacking(l.tail[:l.n])
	if lacks == "" && fault && l.known {
		if l.crlf && l.last() == '\r' {
			lacks = "\n"
		}
		if l.odd {
			lacks += "\n"
		}
	}
	if !l.crlf || lacks == "" {
		return []byte(lacks)
	}
	ends := bytes.ReplaceAll([]byte(lacks), []byte("\n"), []byte("\r\n"))
	if l.last() == '\r' {
		return ends[1:]
	}
	return ends
}

// learn looks for the first line feed, and at what stands before it.
func (l *lineEnds) learn(raw []byte) {
	lf := bytes.IndexByte(raw, '\n')
	if lf < 0 {
		return
	}
	l.known = true
	l.crlf = lf > 0 && raw[lf-1] == '\r' || lf == 0 && l.last() == '\r'
}

// last is the last byte, 0 before there is one.
func (l *lineEnds) last() byte {
	if l.n == 0 {
		return 0
	}
	return l.tail[l.n-1]
}

// isBlank reports whether there is nothing but line ends.
func isBlank(raw []byte) bool {
	for _, c := range raw {
		if c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// addsOdd reports whether line ends add an odd number of blank lines to those behind
// the last event. The first one may be the end of the event itself.
func (l *lineEnds) addsOdd(raw []byte) bool {
	odd := l.n > 0 && !endsBlank(l.tail[:l.n])
	before := l.last()
	for _, c := range raw {
		if c != '\n' || before != '\r' {
			odd = !odd
		}
		before = c
	}
	return odd
}

// endsBlank reports whether the last line of a body that ends like that is a blank one.
func endsBlank(tail []byte) bool { return len(lacking(tail)) == 0 }

// lacking is what a body that ends like that lacks to end in a blank line.
func lacking(tail []byte) string {
	last := tail[len(tail)-1]
	switch line := bytes.TrimSuffix(tail[:len(tail)-1], []byte("\r")); {
	case last != '\n' && last != '\r':
		return "\n\n"
	case last == '\r':
		line = tail[:len(tail)-1]
		if len(line) > 0 && line[len(line)-1] != '\n' && line[len(line)-1] != '\r' {
			return "\n\n"
		}
	case len(line) > 0 && line[len(line)-1] != '\n' && line[len(line)-1] != '\r':
		return "\n"
	}
	return ""
}
