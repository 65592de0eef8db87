package dialects

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// geminiArgs writes streamed arguments as JSON text. The wire gives values, each
// with its path, in the order of the text: {"jsonPath":"$.a[0].b","stringValue":"x",
// "willContinue":true}. Values without a path of their own, empty objects and lists,
// are not on the wire at all.
//
// The text only grows, so a path that goes back to an object which is closed repeats
// its name, as the model has done.
type geminiArgs struct {
	open []geminiLevel // the root object, and what is open inside it
	str  []geminiStep  // the path of the string that is open; nil for none
}

// geminiLevel is an object or a list that is open.
type geminiLevel struct {
	step  geminiStep // its place in the level above
	list  bool
	count int // what it holds so far
}

// geminiStep is one step of a path: a name, or an index.
type geminiStep struct {
	name   string
	index  int
	listed bool // it is an index
}

// append appends the text of an array of partialArgs, which may be nil. The first
// text opens the root, so that a call which is cut at once is seen to be open.
func (a *geminiArgs) append(dst, partial []byte) []byte {
	if a.open == nil {
		a.open = []geminiLevel{{}}
		dst = append(dst, '{')
	}
	var c jsonscan.Cursor
	c.Reset(partial)
	c.Array()
	for c.Elem() {
		var v geminiValue
		if v.read(&c) {
			dst = a.appendValue(dst, &v)
		}
	}
	return dst
}

// appendEnd appends what closes everything that is open.
func (a *geminiArgs) appendEnd(dst []byte) []byte { return a.closeTo(a.closeString(dst), 0) }

// appendValue appends a value at its place.
func (a *geminiArgs) appendValue(dst []byte, v *geminiValue) []byte {
	path := geminiPath(v.path.String())
	if len(path) == 0 {
		return dst
	}
	if !v.quoted || !slices.Equal(a.str, path) {
		dst = a.appendTo(a.closeString(dst), path)
		if v.quoted {
			a.str = path
			dst = append(dst, '"')
		}
	}
	dst = append(dst, v.text...)
	if !v.more {
		dst = a.closeString(dst)
	}
	return dst
}

// appendTo appends what stands between the last value and that at path.
func (a *geminiArgs) appendTo(dst []byte, path []geminiStep) []byte {
	common := 1
	for common < min(len(a.open), len(path)) &&
		a.open[common].step == path[common-1] && a.open[common].list == path[common].listed {
		common++
	}
	dst = a.closeTo(dst, common)
	for i := common - 1; i < len(path)-1; i++ {
		dst = a.appendStep(dst, path[i])
		list := path[i+1].listed
		dst = append(dst, squareOr(list, '[', '{'))
		a.open = append(a.open, geminiLevel{step: path[i], list: list})
	}
	return a.appendStep(dst, path[len(path)-1])
}

// maxGap bounds how many elements are filled in where the wire skips some.
const maxGap = 64

// appendStep appends the comma and the name of the next value of the innermost
// level. Elements that the wire skips are null.
func (a *geminiArgs) appendStep(dst []byte, step geminiStep) []byte {
	level := &a.open[len(a.open)-1]
	if !level.list {
		name, _ := json.Marshal(step.name)
		return append(append(level.comma(dst), name...), ':')
	}
	for range min(max(step.index-level.count, 0), maxGap) {
		dst = append(level.comma(dst), "null"...)
	}
	return level.comma(dst)
}

// comma appends what separates the next value from the last, and counts it.
func (l *geminiLevel) comma(dst []byte) []byte {
	l.count++
	if l.count > 1 {
		dst = append(dst, ',')
	}
	return dst
}

func (a *geminiArgs) closeString(dst []byte) []byte {
	if a.str != nil {
		a.str = nil
		dst = append(dst, '"')
	}
	return dst
}

// closeTo closes the innermost levels until n are left.
func (a *geminiArgs) closeTo(dst []byte, n int) []byte {
	for len(a.open) > n {
		dst = append(dst, squareOr(a.open[len(a.open)-1].list, ']', '}'))
		a.open = a.open[:len(a.open)-1]
	}
	return dst
}

func squareOr(list bool, square, curly byte) byte {
	if list {
		return square
	}
	return curly
}

// geminiValue is one of the partialArgs.
type geminiValue struct {
	path   jsonscan.Str
	text   []byte // as it is written in JSON, without quotes
	quoted bool
	more   bool // willContinue
}

// read reads the object that is due and reports whether it has a value.
func (v *geminiValue) read(c *jsonscan.Cursor) bool {
	if !c.Object() {
		return false
	}
	given := false
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "jsonPath":
			v.path, _ = c.Str()
		case "stringValue":
			if s, ok := c.Str(); ok {
				v.text, v.quoted, given = s.Raw, true, true
			}
		case "numberValue", "boolValue":
			if k := c.Kind(); k == '0' || k == 't' || k == 'f' {
				v.text, given = c.Raw(), true
			}
		case "nullValue":
			v.text, given = []byte("null"), true
		case "willContinue":
			v.more, _ = c.Bool()
		}
	}
	return given
}

// geminiPath reads a path as RFC 9535 writes singular ones: $.a.b[0]['c d']. The
// first step is a name, since arguments are an object.
func geminiPath(s string) []geminiStep {
	var path []geminiStep
	s = strings.TrimPrefix(s, "$")
	for s != "" {
		var step geminiStep
		if s[0] == '[' {
			step, s = geminiBracket(s[1:])
		} else {
			s = strings.TrimPrefix(s, ".")
			end := strings.IndexAny(s, ".[")
			if end < 0 {
				end = len(s)
			}
			step.name, s = s[:end], s[end:]
		}
		if path == nil && step.listed {
			step = geminiStep{name: strconv.Itoa(step.index)}
		}
		path = append(path, step)
	}
	return path
}

// geminiBracket reads what follows an opening bracket: an index, or a quoted name.
func geminiBracket(s string) (step geminiStep, rest string) {
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		return geminiQuoted(s[1:], s[0])
	}
	word, rest, _ := strings.Cut(s, "]")
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && n <= maxIndex {
		return geminiStep{index: n, listed: true}, rest
	}
	return geminiStep{name: word}, rest
}

func geminiQuoted(s string, quote byte) (step geminiStep, rest string) {
	var name strings.Builder
	i := 0
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		name.WriteByte(s[i])
	}
	rest = strings.TrimPrefix(s[min(i+1, len(s)):], "]")
	return geminiStep{name: name.String()}, rest
}
