package dialects

import "github.com/endwell-go/endwell/internal/jsonscan"

// signGemini names the dialect if a frame's payload is clearly Gemini's, "" if not.
// A payload that has not come to its end is enough when its first members tell.
func signGemini(f *frame) string {
	if f.kind == frameError || f.kind == frameJunk {
		return ""
	}
	var c jsonscan.Cursor
	c.Reset(f.data)
	if c.Array() && !c.Elem() {
		return ""
	}
	if geminiSigned(&c, 0) {
		return "gemini"
	}
	return ""
}

// geminiSigned looks for a member that only Gemini has.
func geminiSigned(c *jsonscan.Cursor, depth int) bool {
	if !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "candidates":
			if c.Kind() == '[' {
				return true
			}
		case "promptFeedback", "usageMetadata":
			if c.Kind() == '{' {
				return true
			}
		case "response":
			if depth == 0 && geminiSigned(c, depth+1) {
				return true
			}
		case "error":
			if depth == 0 && googleError(c) {
				return true
			}
		case "choices":
			return false
		}
	}
	return false
}

// googleError reports whether the value that is due is an error as Google writes it:
// a number for the code, and a status word of its RPC (wire/other-families.md §2.e).
func googleError(c *jsonscan.Cursor) bool {
	if !c.Object() {
		return false
	}
	var number, word bool
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "code":
			number = c.Kind() == '0'
		case "status":
			s, _ := c.Str()
			word = rpcWords[string(s.Raw)]
		}
	}
	return number && word
}

// rpcWords are the status words of Google's RPC.
var rpcWords = map[string]bool{
	"CANCELLED": true, "UNKNOWN": true, "INVALID_ARGUMENT": true, "DEADLINE_EXCEEDED": true,
	"NOT_FOUND": true, "ALREADY_EXISTS": true, "PERMISSION_DENIED": true, "UNAUTHENTICATED": true,
	"RESOURCE_EXHAUSTED": true, "FAILED_PRECONDITION": true, "ABORTED": true, "OUT_OF_RANGE": true,
	"UNIMPLEMENTED": true, "INTERNAL": true, "UNAVAILABLE": true, "DATA_LOSS": true,
}
