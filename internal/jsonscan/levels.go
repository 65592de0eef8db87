package jsonscan

// levels is the stack of the containers that are open, one bit each: set for
// an object. The innermost 64 or fewer are in word, the others in spilled.
type levels struct {
	depth   int
	word    uint64
	spilled []uint64
}

func (l *levels) clear() {
	l.depth = 0
	l.spilled = l.spilled[:0]
}

func (l *levels) push(bit uint64) {
	if l.depth%64 == 0 && l.depth > 0 {
		l.spilled = append(l.spilled, l.word)
	}
	l.word = l.word<<1 | bit
	l.depth++
}

func (l *levels) pop() {
	l.word >>= 1
	l.depth--
	if l.depth%64 == 0 && l.depth > 0 {
		n := len(l.spilled) - 1
		l.word, l.spilled = l.spilled[n], l.spilled[:n]
	}
}

// inObject reports whether the innermost container is an object; inArray,
// whether it is an array. At the top neither is true.
func (l *levels) inObject() bool { return l.depth > 0 && l.word&1 == object }
func (l *levels) inArray() bool  { return l.depth > 0 && l.word&1 == array }

const (
	array  = 0
	object = 1
)
