package soak

import (
	"slices"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// verdict is how an attempt truly ended, by its script, and what it said.
type verdict struct {
	fault     endwell.Fault // 0 for whole
	also      endwell.Fault // another one that is as true; 0 for none
	category  endwell.Category
	transient bool
	emitted   bool
	lingers   bool // whole after a wait
	announced bool // an error was named and then cut: Faulted is as true

	raw, text string
	inHand    *verdict // what it is without all that follows the finish; nil for never

	alive    int    // the length of a keep-alive at the end of raw that lacks its end
	rest     string // half a frame at the end, which may be handed over or not
	settled  int    // the length of raw when the answer was in hand, 0 for never
	sentinel int    // the length of the frame at the end of raw that ended the answer
	vague    bool   // over a socket that breaks: what was sent may not have come
}

func (v verdict) String() string {
	if v.fault == 0 {
		return "whole"
	}
	return v.fault.String() + "/" + v.category.String()
}

// allows reports whether a fault is the one that happened.
func (v *verdict) allows(f endwell.Fault) bool { return f == v.fault || f == v.also && f != 0 }

// resends reports whether the call may be sent again.
func (v *verdict) resends() bool { return v.fault != 0 && v.transient && !v.emitted }

func failing(f endwell.Fault, c endwell.Category) verdict {
	return verdict{fault: f, category: c, transient: transient(c)}
}

// transient says of which categories the same request may succeed later (design §2).
func transient(c endwell.Category) bool {
	switch c {
	case endwell.RateLimited, endwell.Overloaded, endwell.Network, endwell.Timeout, endwell.ServerError:
		return true
	default:
		return false
	}
}

// cutOff is MalformedResponse of the kind that may succeed later.
func cutOff(f endwell.Fault) verdict {
	return verdict{fault: f, category: endwell.MalformedResponse, transient: true}
}

// verdict is the oracle.
func (a *act) verdict() verdict {
	switch a.start {
	case noDial, drops:
		return failing(endwell.Unreachable, endwell.Network)
	case silent, halfHeader:
		return failing(endwell.Stalled, endwell.Timeout)
	case refuses:
		return failing(endwell.Refused, refusals[a.status])
	case page:
		return failing(endwell.Malformed, endwell.MalformedResponse)
	}
	if a.named != nil {
		return a.namedVerdict()
	}
	var s said
	v, done := a.read(&s)
	if !done {
		v = a.close(&s, v.rest)
	}
	if v.fault == 0 && !s.usable {
		v.fault, v.category, v.transient = endwell.Empty, endwell.MalformedResponse, true
	}
	if v.fault == 0 && a.half {
		v.fault, v.category, v.transient = endwell.Truncated, endwell.MalformedResponse, true
	}
	v.emitted, v.raw, v.text = s.emitted, s.raw.String(), s.text.String()
	v.settled, v.sentinel, v.alive = s.settled, s.sentinel, s.alive
	if s.settled > 0 {
		v.inHand = s.inHand(a.half)
	}
	return v
}

// inHand is the verdict on what came up to the finish.
func (s *said) inHand(half bool) *verdict {
	v := new(verdict)
	switch {
	case !s.usable:
		*v = cutOff(endwell.Empty)
	case half:
		*v = cutOff(endwell.Truncated)
	}
	v.emitted = s.emitted
	return v
}

// read reads the frames that come in full. It is done when one of them decides.
func (a *act) read(s *said) (v verdict, done bool) {
	left := a.cut
	for i := range a.frames {
		f := &a.frames[i]
		switch {
		case s.state == ended:
			return verdict{}, true
		case !a.complete(f, left):
			return verdict{rest: f.raw[:max(left, 0)]}, false
		case f.broken && a.fault == 0:
			return failing(endwell.Malformed, endwell.MalformedResponse), true
		case f.broken:
			return failing(endwell.Faulted, a.fault), true
		}
		part := *f
		if len(f.raw) > left && !f.emits && f.begins+len("{\"type\":\"ping\"}") >= f.content && !strings.Contains(f.raw, "[DONE]") {
			s.alive = left
		}
		part.raw = f.raw[:min(len(f.raw), left)]
		s.add(&part)
		left -= len(part.raw)
	}
	return verdict{}, s.state == ended
}

// complete reports whether a frame of which n bytes come can be read. A CR ends a line
// by itself, and a line of JSON needs nothing behind it. Nor does any frame that the
// body ends in, unless it cannot be read: then it is half a frame.
func (a *act) complete(f *frame, n int) bool {
	switch torn := f.broken && a.fault == 0; {
	case n >= len(f.raw), strings.HasSuffix(f.raw, "\r\n") && n == len(f.raw)-1:
		return true
	case torn, n <= 0, a.voice.wire != endwelltest.Ollama && (a.how == hangs || a.how == lives):
		return false
	default:
		return n >= f.content
	}
}

// close is how a body ends of which half a frame is left.
func (a *act) close(s *said, rest string) verdict {
	v := verdict{rest: rest}
	switch inHand := s.state >= settled; {
	case a.how == hangs || a.how == lives:
		v.rest = ""
		if !inHand {
			v = failing(endwell.Stalled, endwell.Timeout)
		}
		v.lingers = inHand
	case inHand:
		v.announced = announced(rest)
	case a.how == broken || a.how == reset:
		v = failing(endwell.Broken, endwell.Network)
		v.announced = announced(rest)
	case s.state == mayEnd:
	case s.pays:
		v = cutOff(endwell.Truncated)
		v.announced = announced(rest)
	case rest == "":
		v = cutOff(endwell.Empty)
	default:
		v = cutOff(endwell.Truncated)
		v.announced = announced(rest)
		if a.dataless(rest) {
			v.also = endwell.Empty
		}
	}
	if a.how != hangs && a.how != lives {
		v.rest = rest
	}
	return v
}

// announced reports whether half a frame says by its name already that it is an error.
func announced(rest string) bool { return strings.HasPrefix(rest, "event: error") }

// dataless reports whether half a frame says nothing yet, so that it is no payload.
func (a *act) dataless(rest string) bool {
	at := slices.IndexFunc(a.frames, func(f frame) bool { return strings.HasPrefix(f.raw, rest) && !strings.HasPrefix(rest, f.raw) })
	return at < 0 || len(rest) <= a.frames[at].begins
}
