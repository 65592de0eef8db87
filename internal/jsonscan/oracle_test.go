package jsonscan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// check is the verdict of a cursor that skips everything.
func check(doc []byte) error {
	var c Cursor
	c.Reset(doc)
	c.Skip()
	return c.End()
}

// rebuild makes the value that json.Unmarshal makes with UseNumber, out of
// every method of the cursor.
func rebuild(doc []byte) (any, error) {
	var c Cursor
	c.Reset(doc)
	v := value(&c)
	return v, c.End()
}

func value(c *Cursor) any {
	switch c.Kind() {
	case '{':
		m := map[string]any{}
		c.Object()
		for key, ok := c.Key(); ok; key, ok = c.Key() {
			name := string(key)
			m[name] = value(c)
		}
		return m
	case '[':
		a := []any{}
		c.Array()
		for c.Elem() {
			a = append(a, value(c))
		}
		return a
	case '"':
		s, _ := c.Str()
		return s.String()
	case '0':
		raw, _ := c.Num()
		return json.Number(raw)
	case 't', 'f':
		v, _ := c.Bool()
		return v
	}
	c.Null()
	return nil
}

// unmarshal is what rebuild is held against.
func unmarshal(t testing.TB, doc []byte) any {
	d := json.NewDecoder(strings.NewReader(string(doc)))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

// completion returns a text that makes a valid document of doc, if there is
// one. It finds the open containers for itself, and tries every way in which
// the last token and the innermost container may be unfinished.
func completion(doc []byte) (string, bool) {
	closers := open(doc)
	for _, token := range tokenEnds {
		for _, member := range []string{"", "0", ":0", `"":0`} {
			if rest := token + member + closers; json.Valid(append(doc[:len(doc):len(doc)], rest...)) {
				return rest, true
			}
		}
	}
	return "", false
}

// tokenEnds complete a token that was cut: a string (also in an escape), a
// number or a literal.
var tokenEnds = []string{
	"", `"`, `""`, `\"`, `n"`, `0"`, `00"`, `000"`, `0000"`, "0",
	"rue", "ue", "e", "alse", "lse", "se", "ull", "ll", "l",
}

// open returns the brackets that close what doc leaves open.
func open(doc []byte) string {
	var stack []byte
	in, escaped := false, false
	for _, b := range doc {
		switch {
		case escaped:
			escaped = false
		case in && b == '\\':
			escaped = true
		case b == '"':
			in = !in
		case in:
		case b == '{':
			stack = append(stack, '}')
		case b == '[':
			stack = append(stack, ']')
		case (b == '}' || b == ']') && len(stack) > 0:
			stack = stack[:len(stack)-1]
		}
	}
	var s strings.Builder
	for i := len(stack) - 1; i >= 0; i-- {
		s.WriteByte(stack[i])
	}
	return s.String()
}

// judge holds the verdict on doc against encoding/json: valid exactly when it
// says so, cut exactly when something completes it, and broken exactly from the
// offset on that the error names.
func judge(t testing.TB, doc []byte) {
	err := check(doc)
	require.Equal(t, json.Valid(doc), err == nil, "verdict %v on %q", err, doc)
	if err == nil || errors.Is(err, ErrDepth) {
		return
	}
	rest, completable := completion(doc)
	require.Equal(t, completable, errors.Is(err, ErrUnexpectedEnd), "verdict %v on %q, completed by %q", err, doc, rest)
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		require.Equal(t, ErrUnexpectedEnd, err)
		return
	}
	require.ErrorIs(t, err, ErrSyntax)
	good, bad := doc[:syntax.Offset], doc[:syntax.Offset+1]
	require.NotErrorIs(t, check(good), ErrSyntax, "%q before the fault", good)
	require.Equal(t, err, check(bad), "%q up to the fault", bad)
	if _, ok := completion(good); !ok {
		require.Fail(t, "fault is named too late", "%v on %q", err, doc)
	}
	if rest, ok := completion(bad); ok {
		require.Fail(t, "fault is no fault", "%v on %q, completed by %q", err, doc, rest)
	}
}

// nested returns a document of n containers, arrays and objects by turns.
func nested(n int) string {
	var head, tail strings.Builder
	for i := range n {
		if i%3 == 0 {
			head.WriteString(`{"a":`)
		} else {
			head.WriteString(`[`)
		}
		if (n-1-i)%3 == 0 {
			tail.WriteString(`}`)
		} else {
			tail.WriteString(`]`)
		}
	}
	return head.String() + "null" + tail.String()
}
