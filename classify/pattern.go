package classify

// A pattern is text in lower case that is compared with the beginning of a message.
// In it, '#' stands for a number, '@' for the rest of a word, which may hold
// anything but white space, '*' for up to maxGap bytes of anything, and '$' for the
// end of the message.

// maxGap is the longest text for which '*' stands.
const maxGap = 400

// startsLike reports whether s begins with something like the pattern.
func startsLike(s, pattern string) bool {
	_, ok := after(s, pattern)
	return ok
}

// after returns what follows in s what is like the pattern.
func after(s, pattern string) (string, bool) {
	for i := range len(pattern) {
		switch rest := pattern[i+1:]; pattern[i] {
		case '#':
			n := number(s)
			if n == 0 {
				return "", false
			}
			return after(s[n:], rest)
		case '@':
			return after(s[word(s):], rest)
		case '*':
			return afterAny(s, rest)
		case '$':
			return s, s == ""
		}
		if s == "" || s[0] != pattern[i] {
			return "", false
		}
		s = s[1:]
	}
	return s, true
}

func afterAny(s, pattern string) (string, bool) {
	for n := 0; n <= len(s) && n <= maxGap; n++ {
		if rest, ok := after(s[n:], pattern); ok {
			return rest, true
		}
	}
	return "", false
}

// number is the length of the number with which s begins. A point or a comma
// belongs to it only before another digit: otherwise it ends a sentence.
func number(s string) int {
	n := 0
	for n < len(s) && (digit(s[n]) || n > 0 && separates(s[n:])) {
		n++
	}
	return n
}

func separates(s string) bool {
	return (s[0] == ',' || s[0] == '.') && len(s) > 1 && digit(s[1])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// word is the length of s up to its first white space.
func word(s string) int {
	for n := range len(s) {
		switch s[n] {
		case ' ', '\t', '\r', '\n':
			return n
		}
	}
	return len(s)
}
