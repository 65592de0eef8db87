package jsonscan

// NumberEnd returns the index after the number that begins at i; len(doc) when the
// document ends before one can tell where the number does, and the complement of the
// index of the first wrong byte when it is not valid.
func NumberEnd(doc []byte, i int) int {
	end := numberEnd(doc, i)
	if ^end >= len(doc) {
		return len(doc)
	}
	return end
}

// numberEnd returns the index after the number that begins at i, or the
// complement of the index where a digit is missing.
func numberEnd(doc []byte, i int) int {
	if has(doc, i, '-') {
		i++
	}
	if has(doc, i, '0') {
		i++
	} else if i = digits(doc, i); i < 0 {
		return i
	}
	if uint(i) < uint(len(doc)) && (doc[i] == '.' || doc[i]|0x20 == 'e') {
		return fractionEnd(doc, i)
	}
	return i
}

// fractionEnd is numberEnd from the point or the exponent on.
func fractionEnd(doc []byte, i int) int {
	if doc[i] == '.' {
		if i = digits(doc, i+1); i < 0 {
			return i
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		return digits(doc, i)
	}
	return i
}

// digits returns the index after the digits that begin at i, or the complement
// of i if there are none.
func digits(doc []byte, i int) int {
	start := i
	for uint(i) < uint(len(doc)) && isDigit(doc[i]) {
		i++
	}
	if i == start {
		return ^i
	}
	return i
}

func isDigit(b byte) bool { return b-'0' <= 9 }
