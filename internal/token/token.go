// Package token holds the rule that decides which of a provider's words may be
// rendered. It is an allow-list: what is not clearly a protocol token is not
// shown.
package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLen is the length, in bytes, above which a word is no token.
const MaxLen = 64

// keyPrefixes begin the API keys of known providers, in lower case. A token that
// begins with one, or has one after a separator, is taken for a key. Sources:
// wire/envelopes-and-policy.md §2.5.
var keyPrefixes = []string{
	"sk-", "sk_", "gsk_", "aiza", "aq.", "hf_", "xai-", "csk-", "r8_", "pplx-", "fw_", "nvapi-",
	"ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "akia", "asia", "ya29.", "eyj", "tgp_", "bearer",
}

// minFragment is the shortest part of a secret or of a prompt that counts.
const minFragment = 4

// run is how many characters in a row, from anywhere, give a text away.
const run = 8

// Shape reports whether s looks like a protocol token: a letter, then letters,
// digits, '.', '_' or '-', at most MaxLen bytes, and no known key prefix.
func Shape(s string) bool {
	if s == "" || len(s) > MaxLen || !letter(s[0]) {
		return false
	}
	return plain(s, "._-") && !keyLike(s)
}

// IDShape is Shape for request ids, which may begin with a digit, hold ':' and be
// twice as long.
func IDShape(s string) bool {
	if s == "" || len(s) > 2*MaxLen || !letter(s[0]) && !digit(s[0]) {
		return false
	}
	return plain(s, "._-:") && !keyLike(s)
}

// Leaks reports whether s holds a fragment of a secret, of these or of the
// registered ones: the whole, its first 4, its first 8 or its last 4 characters,
// which is what providers echo, or any 8 in a row; or whether one of the private
// texts holds it or is held by it. Case is ignored. Secrets and texts below 4 characters are too short to tell and do
// not count.
func Leaks(s string, secret, private []string) bool {
	if s == "" {
		return false
	}
	s = strings.ToLower(s)
	if registered(s) {
		return true
	}
	for _, k := range secret {
		if holdsSecret(s, strings.ToLower(k)) {
			return true
		}
	}
	for _, p := range private {
		if contained(s, strings.ToLower(p)) {
			return true
		}
	}
	return false
}

func holdsSecret(s, k string) bool {
	if len(k) < minFragment {
		return false
	}
	return strings.Contains(s, k[:minFragment]) || strings.Contains(s, k[len(k)-minFragment:]) || shareRun(s, k)
}

func contained(s, p string) bool {
	if len(p) < minFragment || len(s) < minFragment {
		return false
	}
	return strings.Contains(s, p) || strings.Contains(p, s)
}

// Overlaps reports whether s shares 8 characters in a row with one of the private
// texts. It is stricter than Leaks, and meant for words that are not known to be a
// protocol's: many of those have a part that any prompt may hold.
func Overlaps(s string, private []string) bool {
	s = strings.ToLower(s)
	for _, p := range private {
		if shareRun(s, strings.ToLower(p)) {
			return true
		}
	}
	return false
}

// shareRun reports whether the two have run characters in a row in common.
func shareRun(s, other string) bool {
	for i := 0; i+run <= len(s); i++ {
		if strings.Contains(other, s[i:i+run]) {
			return true
		}
	}
	return false
}

func keyLike(s string) bool {
	s = strings.ToLower(s)
	for _, p := range keyPrefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
		// Only a prefix that ends in punctuation is safe to look for inside.
		if !letter(p[len(p)-1]) && len(p) > 2 {
			for _, sep := range [...]string{"-", "_", "."} {
				if strings.Contains(s, sep+p) {
					return true
				}
			}
		}
	}
	return false
}

func plain(s, punct string) bool {
	for i := range len(s) {
		if !letter(s[i]) && !digit(s[i]) && strings.IndexByte(punct, s[i]) < 0 {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// Name cleans a name that the caller chose, such as a model's, for rendering:
// printable text, at most 128 bytes. What is not printable becomes '?'. A name that
// is a URL is none, since URLs hold keys: "" is returned.
func Name(s string) string {
	if strings.Contains(s, "://") {
		return ""
	}
	if n := 2 * MaxLen; len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// Visible is Name for a name that may not hold a secret of its request: one that does
// is "".
func Visible(s string, secret []string) string {
	if Leaks(s, secret, nil) {
		return ""
	}
	return Name(s)
}
