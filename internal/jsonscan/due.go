package jsonscan

// due says what may come next outside of strings, inside of one what may come
// after it.
type due uint8

const (
	dueUnjudged  due = iota // anything: it is not followed
	dueWrong                // nothing: there was a syntax error
	dueFirstKey             // a member or the end of the object
	dueKey                  // a member
	dueColon                // the colon after a key
	dueFirstElem            // a value or the end of the array
	dueValue                // a value
	dueMore                 // a comma or the end of the container

	dueMinus    // a number's first digit
	dueZero     // what follows its leading zero
	dueWhole    // digits
	duePoint    // the first digit after the point
	dueFraction // digits
	dueExponent // a sign or a digit
	dueSign     // a digit
	duePower    // digits

	dueLetter // the letter of literals that is due is literals[due-dueLetter]
)

// literals are those of JSON without their first letters.
const literals = "rue alse ull "

// Where the literals begin in literals.
const (
	afterT = dueLetter
	afterF = dueLetter + 4
	afterN = dueLetter + 9
)

// maxKinds is how many containers Balance knows the kinds of.
const maxKinds = 64

// judged reports whether the next byte outside of strings can be right or wrong.
func (d due) judged() bool { return d > dueWrong }

// follow takes a byte outside of strings for the grammar's sake.
func (b *Balance) follow(c byte) {
	switch {
	case b.due >= dueLetter:
		b.due = b.due.spell(c)
		return
	case b.due >= dueMinus:
		next, ended := b.due.number(c)
		b.due = next
		if !ended {
			return
		}
	}
	if isSpace(c) {
		return
	}
	switch b.due {
	case dueFirstKey, dueKey:
		b.followKey(c)
	case dueColon:
		b.due = dueWrong
		if c == ':' {
			b.due = dueValue
		}
	case dueFirstElem, dueValue:
		b.followValue(c)
	case dueMore:
		b.followMore(c)
	default:
	}
}

func (b *Balance) followKey(c byte) {
	switch {
	case c == '"':
		b.due = dueColon
	case c == '}' && b.due == dueFirstKey:
		b.pop()
	default:
		b.due = dueWrong
	}
}

func (b *Balance) followValue(c byte) {
	switch {
	case c == '"':
		b.due = dueMore
	case c == '{':
		b.push(1, dueFirstKey)
	case c == '[':
		b.push(0, dueFirstElem)
	case c == ']' && b.due == dueFirstElem:
		b.pop()
	default:
		b.due = beginScalar(c)
	}
}

func (b *Balance) followMore(c byte) {
	object := b.kinds&1 == 1
	switch {
	case c == ',' && object:
		b.due = dueKey
	case c == ',':
		b.due = dueValue
	case c == '}' && object, c == ']' && !object:
		b.pop()
	default:
		b.due = dueWrong
	}
}

// push enters a container, or gives up when its kind cannot be kept.
func (b *Balance) push(kind uint64, next due) {
	b.kinds, b.due = b.kinds<<1|kind, next
	if b.depth >= maxKinds {
		b.due = dueUnjudged
	}
}

func (b *Balance) pop() { b.kinds, b.due = b.kinds>>1, dueMore }

// beginScalar returns what is due after the first byte of a number or a literal.
func beginScalar(c byte) due {
	switch {
	case c == '-':
		return dueMinus
	case c == '0':
		return dueZero
	case isDigit(c):
		return dueWhole
	case c == 't':
		return afterT
	case c == 'f':
		return afterF
	case c == 'n':
		return afterN
	default:
		return dueWrong
	}
}

// spell returns what is due after the next byte of a literal.
func (d due) spell(c byte) due {
	switch i := d - dueLetter; {
	case literals[i] != c:
		return dueWrong
	case literals[i+1] == ' ':
		return dueMore
	default:
		return d + 1
	}
}

// number returns what is due after the next byte of a number; more, and true, when
// the number had ended before it.
func (d due) number(c byte) (next due, ended bool) {
	if isDigit(c) {
		return d.numberDigit(c), false
	}
	switch {
	case c == '.' && (d == dueZero || d == dueWhole):
		return duePoint, false
	case c|0x20 == 'e' && (d == dueZero || d == dueWhole || d == dueFraction):
		return dueExponent, false
	case (c == '+' || c == '-') && d == dueExponent:
		return dueSign, false
	case d == dueZero, d == dueWhole, d == dueFraction, d == duePower:
		return dueMore, true
	default:
		return dueWrong, false
	}
}

// numberDigit returns what is due after a digit of a number.
func (d due) numberDigit(c byte) due {
	switch d {
	case dueMinus:
		return beginScalar(c)
	case dueZero:
		return dueWrong
	case duePoint:
		return dueFraction
	case dueExponent, dueSign:
		return duePower
	default:
		return d
	}
}
