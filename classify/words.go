package classify

import "strings"

// maxWords is the length up to which a message is short enough for its words to
// tell: a longer one may echo a prompt.
const maxWords = 120

// words are the last resort, for a short message with neither a usable token nor a
// status. The first that occurs as a whole word decides.
var words = []struct {
	text string
	then verdict
}{
	{"insufficient balance", quota},
	{"insufficient credits", quota},
	{"credit balance", quota},
	{"quota", quota},
	{"rate limit", rateLimited},
	{"rate limited", rateLimited},
	{"too many requests", rateLimited},
	{"throttled", rateLimited},
	{"overloaded", overloaded},
	{"out of capacity", overloaded},
	{"server busy", overloaded},
	{"service unavailable", overloaded},
	{"temporarily unavailable", overloaded},
	{"invalid api key", authInvalid},
	{"unauthorized", authInvalid},
	{"context length", tooLong},
	{"context window", tooLong},
	{"context size", tooLong},
	{"model not found", noModel},
	{"not found, try pulling it first", noModel},
	{"timed out", timedOut},
	{"timeout", timedOut},
	{"gateway timeout", timedOut},
	{"content policy", blocked},
}

// byWords looks for words where nothing better is there, as in a bare
// {"error":"quota"}, or in an event named error whose data is plain text.
func byWords(r *report) verdict {
	if len(r.tokens) > 0 || r.status != 0 || len(r.message) > maxWords {
		return undecided
	}
	for _, w := range words {
		if holdsWord(r.message, w.text) {
			return w.then
		}
	}
	return undecided
}

func holdsWord(s, word string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isWord(s[i-1])) && (end == len(s) || !isWord(s[end])) {
			return true
		}
		from = i + 1
	}
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// maxMessage is how much of a message is looked at.
const maxMessage = 2048

// fold brings a message to the form in which it is searched.
func fold(s string) string {
	s = trim(s)
	return strings.ToLower(strings.ReplaceAll(s[:min(len(s), maxMessage)], "\u2019", "'"))
}

func trim(s string) string { return strings.Trim(s, " \t\r\n\"") }
