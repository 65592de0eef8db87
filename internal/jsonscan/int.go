package jsonscan

import "math"

// Int returns the value of a JSON number, as Num returns it, if it is integral
// and fits: 4, -0, 4.0, 4e2 and 400e-2 are integral. ok is false for others and
// for what is no number. The cost is linear in the length of raw, whatever the
// exponent.
func Int(raw []byte) (n int64, ok bool) {
	if n, ok := plainInt(raw); ok {
		return n, true
	}
	if numberEnd(raw, 0) != len(raw) {
		return 0, false
	}
	d := decimalOf(raw)
	if d.significant == 0 {
		return 0, true
	}
	if d.exp < 0 || int64(d.significant)+d.exp > maxDigits {
		return 0, false
	}
	return d.int64()
}

// plainInt is Int for what most numbers are: a few digits and nothing else.
func plainInt(raw []byte) (n int64, ok bool) {
	if len(raw) == 0 || len(raw) >= maxDigits || raw[0] == '0' && len(raw) > 1 {
		return 0, false
	}
	for _, b := range raw {
		if !isDigit(b) {
			return 0, false
		}
		n = n*10 + int64(b-'0')
	}
	return n, true
}

// maxDigits is how many digits math.MaxInt64 has; a uint64 holds that many.
const maxDigits = 19

// decimal is ±digits·10^exp without leading or trailing zeros in digits, of
// which the first maxDigits are kept and all are counted.
type decimal struct {
	negative    bool
	kept        [maxDigits]byte
	significant int
	exp         int64
}

func decimalOf(raw []byte) decimal {
	var d decimal
	if raw[0] == '-' {
		d.negative, raw = true, raw[1:]
	}
	var point, zeros int // digits after the point; zeros not yet known to be inner
	fraction := false
	for i, b := range raw {
		if b|0x20 == 'e' {
			d.exp = exponent(raw[i+1:])
			break
		}
		if b == '.' {
			fraction = true
			continue
		}
		if fraction {
			point++
		}
		zeros = d.add(b, zeros)
	}
	d.exp += int64(zeros - point)
	return d
}

// add appends digit b, which zeros zeros precede, and returns how many zeros
// are now pending. Zeros before the first other digit do not count.
func (d *decimal) add(b byte, zeros int) int {
	if b == '0' {
		return zeros + 1
	}
	if d.significant > 0 {
		d.significant += zeros
	}
	if d.significant < maxDigits {
		d.kept[d.significant] = b - '0'
	}
	d.significant++
	return 0
}

// int64 is for decimals that have at most maxDigits digits before the point and
// none after it.
func (d *decimal) int64() (int64, bool) {
	var u uint64
	for i := range d.significant + int(d.exp) {
		u *= 10
		if i < d.significant {
			u += uint64(d.kept[i])
		}
	}
	if d.negative {
		return int64(-u), u <= -math.MinInt64
	}
	return int64(u), u <= math.MaxInt64
}

// exponent returns the value of an optional sign and digits. It saturates far
// beyond what the digits of any number in memory could make up for.
func exponent(raw []byte) int64 {
	const limit = 1 << 56
	var e int64
	for _, b := range raw {
		if isDigit(b) && e < limit {
			e = e*10 + int64(b-'0')
		}
	}
	if raw[0] == '-' {
		return -e
	}
	return e
}
