package soak

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// act is what the provider does for one attempt.
type act struct {
	start   start
	voice   *voice
	frames  []frame
	cut     int // how many bytes of them go out
	how     how
	framing framing
	fault   endwell.Category // of the frame that is broken; 0 for one that cannot be read
	half    bool             // the tool call ends before its JSON does

	status int // of a refusal
	doc    string
	hint   time.Duration

	pieces pieces
	pauses [2]pause

	named *endwelltest.Ending // over sockets: everything else is unused
	wire  endwelltest.Wire
}

// start is how an answer begins.
type start uint8

const (
	streams    start = iota // with a header and a body of frames
	noDial                  // nobody is reached
	drops                   // the connection ends before a response
	silent                  // the request is read, and that is all
	halfHeader              // the header does not end
	refuses                 // an unsuccessful status
	page                    // an HTML page behind status 200
)

var startNames = [...]string{"streams", "no-dial", "drops", "silent", "half-header", "refuses", "page"}

// how is how a body of frames ends.
type how uint8

const (
	clean  how = iota // as HTTP has it
	broken            // the connection closes in the middle
	reset             // the connection is reset
	hangs             // nothing more comes, and the connection stays open
	lives             // keep-alives go on
)

var howNames = [...]string{"clean", "broken", "reset", "hangs", "lives"}

// framing is how HTTP/1.1 says where the body ends.
type framing uint8

const (
	chunked framing = iota
	counted         // Content-Length
	untilClose
)

// pieces is how the body is cut into writes.
type pieces uint8

const (
	framewise pieces = iota
	atOnce
	anywhere
	bytewise
)

// pause is a pause of the provider before some piece.
type pause struct {
	at   int
	long time.Duration
}

// String describes the act for a person who looks for what went wrong.
func (a *act) String() string {
	if a.named != nil {
		return a.wire.String() + " " + a.named.Name
	}
	s := a.voice.wire.String() + " " + startNames[a.start]
	switch a.start {
	case refuses:
		return fmt.Sprintf("%s %d", s, a.status)
	case streams:
		return fmt.Sprintf("%s %d of %d bytes in %d frames, %s, framing %d, pieces %d, pauses %v",
			s, a.cut, length(a.frames), len(a.frames), howNames[a.how], a.framing, a.pieces, a.pauses)
	default:
		return s
	}
}

// chance is the script of one attempt, chosen at random.
type chance struct {
	*rand.Rand
	words int // numbers the words of this stream
	id    uint64
}

func (r *chance) one(of int) bool { return r.IntN(of) == 0 }

// word is a piece of text that occurs nowhere else.
func (r *chance) word() string {
	r.words++
	w := fmt.Sprintf("%x-%d ", r.id&0xffff, r.words)
	switch r.IntN(8) {
	case 0:
		return w + strings.Repeat("lorem ", r.IntN(30))
	case 1:
		return w + "\"quoted\"\n\tand \\ "
	case 2:
		return w + "zażółć 世界 \U0001f30a "
	default:
		return w
	}
}

// act chooses an act. An early one fails, mostly, before anything is emitted.
func (r *chance) act(v *voice, early bool) *act {
	a := &act{voice: v, how: clean}
	if r.starts(a, early) {
		return a
	}
	a.frames = r.answer(a, early)
	a.cut = length(a.frames)
	r.faulty(a, early)
	if !early && r.one(3) {
		a.how = clean
	} else {
		r.ending(a)
	}
	r.delivery(a)
	return a
}

// starts chooses a call that fails before there is a stream.
func (r *chance) starts(a *act, early bool) bool {
	often := 10
	if early {
		often = 2
	}
	if !r.one(often) {
		return false
	}
	switch n := r.IntN(10); {
	case n < 2:
		a.start = noDial
	case n < 4:
		a.start = drops
	case n < 5:
		a.start = silent
	case n < 6:
		a.start = halfHeader
	case n < 7:
		a.start = page
	default:
		a.start = refuses
		a.status = [...]int{400, 401, 403, 404, 429, 429, 500, 500, 503, 503}[r.IntN(10)]
		a.doc = a.voice.refusal(a.status, a.voice.wire.Token(a.status))
		if a.status == http.StatusTooManyRequests {
			a.hint = time.Duration(r.IntN(50)) * time.Millisecond
		}
	}
	return true
}

// answer makes the frames of a whole answer.
func (r *chance) answer(a *act, early bool) []frame {
	v := a.voice
	frames := slices.Clone(v.begin)
	for range r.IntN(3) {
		frames = append(frames, v.aliveFrame())
	}
	if early || r.one(30) {
		return append(frames, v.end...) // says nothing
	}
	if v.think != nil && r.one(4) {
		for range 1 + r.IntN(3) {
			frames = append(frames, v.think(r.word()))
		}
		if r.one(10) {
			return append(frames, v.end...)
		}
	}
	for range 1 + r.IntN(12) {
		frames = append(frames, v.say(r.word()))
		if r.one(10) {
			frames = append(frames, v.aliveFrame())
		}
	}
	if v.call != nil && r.one(8) {
		a.half = r.one(2)
		return append(frames, v.call(a.half)...)
	}
	return append(frames, v.end...)
}

// aliveFrame is a keep-alive. Ollama has none, and says an empty text.
func (v *voice) aliveFrame() frame {
	return frame{raw: v.alive, content: len(strings.TrimRight(v.alive, "\r\n")), begins: len(v.alive), pays: v.wire == endwelltest.Ollama, after: open}
}

// faulty puts a broken frame somewhere, now and then.
func (r *chance) faulty(a *act, early bool) {
	often := 8
	if early {
		often = 4
	}
	if !r.one(often) {
		return
	}
	f := frame{raw: a.voice.torn, content: len(a.voice.torn), broken: true, pays: true}
	if !r.one(3) {
		tokens := make([]string, 0, len(a.voice.faults))
		for t := range a.voice.faults {
			tokens = append(tokens, t)
		}
		slices.Sort(tokens)
		token := tokens[r.IntN(len(tokens))]
		f.raw, a.fault = a.voice.fault(token), a.voice.faults[token]
	}
	f.content = len(strings.TrimRight(f.raw, "\r\n"))
	f.begins = max(strings.Index(f.raw, "data: ")+len("data: "), 0)
	a.frames = slices.Insert(a.frames, len(a.voice.begin)+r.IntN(len(a.frames)-len(a.voice.begin)), f)
	a.cut = length(a.frames)
}

// ending chooses where and how the body ends.
func (r *chance) ending(a *act) {
	a.how = [...]how{clean, clean, clean, broken, broken, reset, hangs, lives}[r.IntN(8)]
	switch n := r.IntN(10); {
	case n < 3:
		a.cut = length(a.frames[:r.IntN(len(a.frames)+1)])
	case n < 5:
		a.cut = length(a.frames[:r.IntN(len(a.frames)+1)]) + r.IntN(5) - 2
	default:
		a.cut = r.IntN(a.cut + 1)
	}
	a.cut = min(max(a.cut, 0), length(a.frames))
	if a.how == lives { // keep-alives do not come within a frame
		at := 0
		for i := range a.frames {
			if at+len(a.frames[i].raw) > a.cut {
				break
			}
			at += len(a.frames[i].raw)
		}
		a.cut = at
	}
}

// delivery chooses how the bytes come.
func (r *chance) delivery(a *act) {
	switch {
	case a.how == clean && a.cut < length(a.frames), a.how == hangs, a.how == lives, a.how == reset:
		a.framing = [...]framing{chunked, untilClose}[r.IntN(2)]
	case a.how == broken:
		a.framing = [...]framing{chunked, counted}[r.IntN(2)]
	default:
		a.framing = [...]framing{chunked, chunked, chunked, chunked, counted, untilClose}[r.IntN(6)]
	}
	if a.how == broken && a.framing == counted && a.cut == length(a.frames) {
		a.framing = chunked
	}
	switch n := r.IntN(100); {
	case n < 50:
		a.pieces = framewise
	case n < 75:
		a.pieces = atOnce
	case n < 99:
		a.pieces = anywhere
	default:
		a.pieces = bytewise
	}
	for i := range a.pauses {
		if r.one(3) {
			a.pauses[i] = pause{at: r.IntN(8), long: time.Duration(r.IntN(60)) * time.Millisecond}
		}
	}
}

// cuts are the places where the bytes that go out are cut into writes.
func (a *act) cuts(r *rand.Rand) (ends []int) {
	switch a.pieces {
	case framewise:
		at := 0
		for i := range a.frames {
			if at += len(a.frames[i].raw); at >= a.cut {
				break
			}
			ends = append(ends, at)
		}
	case anywhere:
		for range r.IntN(8) {
			if a.cut > 1 {
				ends = append(ends, 1+r.IntN(a.cut-1))
			}
		}
		slices.Sort(ends)
		ends = slices.Compact(ends)
	case bytewise:
		for at := 1; at < a.cut; at++ {
			ends = append(ends, at)
		}
	case atOnce:
	}
	if a.cut > 0 {
		ends = append(ends, a.cut)
	}
	return ends
}
