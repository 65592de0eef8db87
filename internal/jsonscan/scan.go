package jsonscan

// kinds tells what kind of value a byte begins, and is 0 for the others.
var kinds = [256]byte{
	'{': '{', '[': '[', '"': '"', 't': 't', 'f': 'f', 'n': 'n', '-': '0',
	'0': '0', '1': '0', '2': '0', '3': '0', '4': '0',
	'5': '0', '6': '0', '7': '0', '8': '0', '9': '0',
}

// kindAt returns the kind of the value that begins at i, 0 when none does.
func kindAt(doc []byte, i int) byte {
	if uint(i) < uint(len(doc)) {
		return kinds[doc[i]]
	}
	return 0
}

// has reports whether b stands at i.
func has(doc []byte, i int, b byte) bool { return uint(i) < uint(len(doc)) && doc[i] == b }

// token returns the index of the first byte at or after i that is not white space.
func token(doc []byte, i int) int {
	if uint(i) < uint(len(doc)) && doc[i] <= ' ' {
		return afterSpace(doc, i)
	}
	return i
}

// afterSpace is token for where white space is likely. It is kept out of token, which
// stands wherever white space may.
//
//go:noinline
func afterSpace(doc []byte, i int) int {
	for i < len(doc) && isSpace(doc[i]) {
		i++
	}
	return i
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

// literalEnd returns the index after the literal whose first letter is at i, or the
// complement of the index where it is misspelt or cut.
func literalEnd(doc []byte, i int) int {
	switch rest := doc[i:]; {
	case len(rest) >= 4 && (string(rest[:4]) == "null" || string(rest[:4]) == "true"):
		return i + 4
	case len(rest) >= 5 && string(rest[:5]) == "false":
		return i + 5
	case rest[0] == 'n':
		return misspelt(doc, i, "null")
	case rest[0] == 't':
		return misspelt(doc, i, "true")
	default:
		return misspelt(doc, i, "false")
	}
}

// misspelt returns the complement of the index where word, which does not stand at i,
// ends to.
func misspelt(doc []byte, i int, word string) int {
	for k := range len(word) {
		if !has(doc, i+k, word[k]) {
			return ^(i + k)
		}
	}
	return i + len(word)
}
