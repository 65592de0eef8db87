package soak

import (
	"strings"

	"github.com/endwell-go/endwell"
)

// frame is a frame of a scripted answer, and all that it says: what the oracle knows.
type frame struct {
	raw     string
	text    string // of the answer
	begins  int    // where the payload begins in raw
	content int    // the length of raw without what ends the frame
	pays    bool   // it has a payload, and is no sign of life only
	emits   bool
	usable  bool // it emits something that makes an answer
	after   endwell.End
	broken  bool // it reports a fault, or cannot be read
}

// said is what the first frames say together.
type said struct {
	raw, text             strings.Builder
	pays, emitted, usable bool
	state                 endwell.End
	alive                 int // the length of a keep-alive that lacks its end
	settled               int // the length of raw when the answer was in hand, 0 for never
	sentinel              int // the length of the frame that ended the answer
}

func (s *said) add(f *frame) {
	s.raw.WriteString(f.raw)
	s.text.WriteString(f.text)
	s.pays = s.pays || f.pays
	s.emitted = s.emitted || f.emits
	s.usable = s.usable || f.usable
	if f.pays {
		s.state = f.after
	}
	if s.settled == 0 && s.state >= settled {
		s.settled = s.raw.Len()
	}
	if f.after == ended {
		s.sentinel = len(f.raw)
	}
}

// length is the bytes of frames.
func length(frames []frame) (n int) {
	for i := range frames {
		n += len(frames[i].raw)
	}
	return n
}
