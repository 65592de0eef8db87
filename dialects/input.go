package dialects

import "sync"

// Sizes of a reader's buffers.
const (
	firstBuffer = 512      // what a stream waits with, unless its frames are larger
	maxOwn      = 2 << 10  // and at most, whatever its frames are
	readBuffer  = 16 << 10 // for a body that is ahead of its reader, and for a frame that does not fit
	maxRest     = 16       // bytes that are no reason to keep a large one, such as what separates two elements
	maxTight    = 4        // rounds in a row after which the first one is too small
)

// input is the buffer that a reader reads into. It has a small one of its own, with
// which it waits for its body. For a body that is ahead, and for a frame that does not
// fit, it has a large one, which is lent until all that is in it has been consumed.
type input struct {
	buf   []byte // own, or a larger one
	own   []byte
	r, w  int
	ahead bool // the last read filled the buffer
	large bool // buf is not own
	tight int8 // how often in a row twice of own would have done
}

var readBuffers = sync.Pool{New: func() any { return new([readBuffer]byte) }}

// settle goes back to the own buffer, now that nothing to speak of is buffered and the
// body is not ahead. When twice its size would have done again and again, it gets that.
func (in *input) settle(limit int) {
	if twice := 2 * len(in.own); in.w > twice || twice > min(maxOwn, limit) {
		in.tight = 0
	} else if in.tight++; in.tight == maxTight {
		in.own, in.tight = make([]byte, twice), 0
	}
	in.use(in.own, false)
}

// grow goes on with a buffer that has more room, of at most limit bytes.
func (in *input) grow(limit int) {
	switch size := len(in.buf); {
	case in.own == nil:
		in.own = make([]byte, min(firstBuffer, limit))
		in.use(in.own, false)
	case size < min(readBuffer, limit):
		b := readBuffers.Get().(*[readBuffer]byte)
		in.use(b[:min(readBuffer, limit)], true)
	default:
		in.use(make([]byte, min(2*size, limit)), true)
	}
}

// retire gives back a buffer that was lent, though the last n bytes that were consumed
// are in use: it returns them, in another one. Many a stream is not read any further
// than to its sentinel.
func (in *input) retire(n int) []byte {
	in.r -= n
	if have := in.w - in.r; in.large && have <= len(in.own) {
		in.use(in.own, false)
	} else if in.large && cap(in.buf) == readBuffer {
		in.use(make([]byte, have), true)
	}
	in.r += n
	return in.buf[in.r-n : in.r]
}

// have begins with a buffer that holds something.
func (in *input) have(b []byte, r, w, limit int) {
	in.buf, in.r, in.w, in.ahead = b, r, w, w == len(b)
	if in.own = b; len(b) != firstBuffer || limit < firstBuffer {
		in.own, in.large = make([]byte, min(firstBuffer, limit)), true
	}
}

// use moves to another buffer, and gives back the one that was lent.
func (in *input) use(b []byte, large bool) {
	n := copy(b, in.buf[in.r:in.w])
	in.lendBack()
	in.buf, in.r, in.w, in.large = b, 0, n, large
}

// lendBack gives back a buffer that was lent: nobody may read into it any more, and
// nothing in it may be in use.
func (in *input) lendBack() {
	if in.large && cap(in.buf) == readBuffer {
		readBuffers.Put((*[readBuffer]byte)(in.buf[:readBuffer]))
	}
	in.buf, in.large = nil, false
}
