package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
)

// outside judges text outside of the protocol. A line that says it is an error is
// one; anything else is a sign of life, kept in case nothing else comes, and noted
// unless it is a field that Server-Sent Events do not know.
func (d *reader) outside(f *frame) *endwell.Evidence {
	for rest := f.data; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if said := afterErrorLabel(line); len(said) > 0 {
			return d.reportLine(line, said)
		}
		d.stray = d.stray || len(line) > 0 && !unknownField(line)
	}
	d.keepJunk(f.data)
	d.push(endwell.Chunk{Kind: endwell.KindKeepAlive})
	return nil
}

// reportLine makes evidence of a line that says it is an error: of the document
// behind its label, or of the whole line.
func (d *reader) reportLine(line, said []byte) *endwell.Evidence {
	if looksJSON(said) && whole(said) {
		return d.report(said, nil)
	}
	return d.report(line, nil)
}

// unknownField reports whether a line outside of the protocol has the form of a field:
// a word, and what follows a colon. The name of an exception is none.
func unknownField(line []byte) bool {
	name, _, _ := bytes.Cut(line, []byte(":"))
	for _, c := range name {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return len(name) > 0 && !bytes.HasSuffix(name, []byte("Error")) && !bytes.HasSuffix(name, []byte("Exception"))
}
