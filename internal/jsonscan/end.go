package jsonscan

// TextEnd returns the index of the quote that closes the string whose text begins at
// i, and whether the text has escapes. end is len(doc) when the string is cut, and -1
// when it is not valid. It accepts what a Cursor accepts.
func TextEnd(doc []byte, i int) (end int, escaped bool) {
	for {
		i = Plain(doc, i)
		switch {
		case i == len(doc) || doc[i] == '"':
			return i, escaped
		case doc[i] != '\\':
			return -1, escaped
		}
		escaped = true
		if i = escapeEnd(doc, i+1); i < 0 || i == len(doc) {
			return i, escaped
		}
	}
}

// escapeEnd returns the index after the escape whose backslash is before i; len(doc)
// when it is cut, or the document ends after it, and -1 when it is not valid.
func escapeEnd(doc []byte, i int) int {
	if i >= len(doc) {
		return len(doc)
	}
	switch doc[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
	default:
		return -1
	}
	end := min(i+5, len(doc))
	for _, b := range doc[i+1 : end] {
		if hexDigit(b) < 0 {
			return -1
		}
	}
	return end
}

// NumberEnd returns the index after the number that begins at i; len(doc) when the
// document ends before one can tell where the number does, and -1 when there is none
// that is valid. It accepts what a Cursor accepts.
func NumberEnd(doc []byte, i int) int {
	end := numberEnd(doc, i)
	if end < 0 && ^end < len(doc) {
		return -1
	}
	if end < 0 {
		return len(doc)
	}
	return end
}
