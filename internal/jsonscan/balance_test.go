package jsonscan

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestBalance(t *testing.T) {
	rows := []struct {
		name, text                  string
		started, open, whole, extra bool
	}{
		{"nothing", "", false, false, false, false},
		{"blank", " \r\n\t", false, false, false, false},
		{"object", `{"city":"Paris"}`, true, false, true, false},
		{"array and white space", " [1, [2]] \n", true, false, true, false},
		{"object just begun", ` {`, true, true, false, false},
		{"cut in a string", `{"city":"Par`, true, true, false, false},
		{"cut after a backslash", `{"city":"\`, true, true, false, false},
		{"cut after an escaped quote", `{"city":"\"}`, true, true, false, false},
		{"escaped backslash before the quote", `{"city":"\\"}`, true, false, true, false},
		{"brackets in a string", `{"a":"}]}"`, true, true, false, false},
		{"brackets in a long string", `{"a":"0123456789}]}0123456789"}`, true, false, true, false},
		{"inner container closed", `{"a":[]`, true, true, false, false},
		{"kinds of brackets do not match", `{"a":[}]`, true, false, true, false},
		{"string", `"abc"`, true, false, false, false},
		{"string that is cut", `"abc`, true, true, false, false},
		{"string and more", `"abc" x`, true, false, false, true},
		{"number", `12`, true, false, false, false},
		{"number and more", `12 {`, true, false, false, false},
		{"literal that is cut", `tru`, true, false, false, false},
		{"sentinel", `[DONE]`, true, false, true, false},
		{"HTML", `<html>{"a":`, true, false, false, false},
		{"closing bracket first", `}{`, true, false, false, false},
		{"two documents", `{}{}`, true, false, true, true},
		{"second document is cut", `{"a":1} {"b":`, true, false, true, true},
		{"stray quote after the document", `{"a":1}"`, true, false, true, true},
		{"text and white space after the document", `{} x ` + "\n", true, false, true, true},
		{"bracket too many", `{"a":1}}`, true, false, true, true},
		{"byte order mark", "\ufeff{}", true, false, false, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for split := range len(row.text) + 1 {
				var b Balance
				b.Feed([]byte(row.text[:split]))
				b.FeedString(row.text[split:])
				require.Equal(t, row.started, b.Started(), "Started")
				require.Equal(t, row.open, b.Open(), "Open")
				require.Equal(t, row.whole, b.Whole(), "Whole")
				require.Equal(t, row.extra, b.Extra(), "Extra")
			}
			tolerant(t, []byte(row.text))
			broken(t, []byte(row.text))
		})
	}
}

// Rows are what models write in the place of arguments.
func TestBalanceBroken(t *testing.T) {
	for _, row := range []struct{ name, good, bad string }{
		{"text after a string", `{"size":"5" `, `s`},
		{"a string after a string", `{"size":"5"`, `"`},
		{"an unquoted key", `{`, `'`},
		{"a second key without quotes", `{"a":1,`, `b`},
		{"a backslash that is no escape", `{"p":"C:\`, `d`},
		{"a backslash in a key", `{"a\`, `x`},
		{"a digit that is none", `{"a":"\u00`, `g`},
		{"a quote in the place of a digit", `{"a":"\u12`, `"`},
		{"an unquoted value", `{"city":`, `P`},
		{"Python's literal", `{"a":`, `T`},
		{"a literal that goes on", `{"a":true`, `x`},
		{"a literal that is another word", `{"a":n`, `o`},
		{"a literal with a space in it", `{"a":fal`, ` `},
		{"no value", `{"a":`, `,`},
		{"no value at the end", `{"a":`, `}`},
		{"no colon", `{"a"`, `}`},
		{"two commas", `[1,`, `,`},
		{"a comma at the end of an object", `{"a":1,`, `}`},
		{"a comma at the end of an array", `[1,`, `]`},
		{"a comma first", `[`, `,`},
		{"the wrong bracket for an array", `{"a":[`, `}`},
		{"the wrong bracket for an object", `[{"a":1`, `]`},
		{"a colon in an array", `["a"`, `:`},
		{"a comment", `{"a":1`, `/`},
		{"a leading zero", `[0`, `1`},
		{"a sign twice", `[-`, `-`},
		{"a plus", `[`, `+`},
		{"a point without digits", `[1.`, `]`},
		{"two points", `[1.5`, `.`},
		{"an exponent without digits", `[1e+`, `,`},
		{"a point in an exponent", `[1e5`, `.`},
		{"hexadecimal", `[0`, `x`},
		{"a string that is none", `"a\`, `q`},
		{"behind 63 arrays", strings.Repeat("[", 63) + `{`, `'`},
	} {
		t.Run(row.name, func(t *testing.T) {
			good, bad := row.good, row.bad
			var b Balance
			b.FeedString(good)
			require.False(t, b.Broken())
			require.True(t, b.Open())
			broken(t, []byte(good))
			b.FeedString(bad)
			require.True(t, b.Broken())
			require.False(t, b.Open())
			broken(t, []byte(good+bad))
			for _, more := range []string{`"`, `"}`, `}`, `]}`, `{"a":"`} {
				b.FeedString(more)
				require.True(t, b.Broken(), "for good")
				require.False(t, b.Open())
			}
		})
	}
}

// What is not judged: what any reader may tolerate, what is nested too deep to be
// followed, and what is no container.
func TestBalanceLetsPass(t *testing.T) {
	for _, row := range []struct {
		name, text string
		open       bool
	}{
		{"a line end in a string", "{\"a\":\"b\nc", true},
		{"a byte that is not UTF-8", "{\"a\":\"\xff", true},
		{"an error 65 deep", strings.Repeat("[", 65) + `,`, true},
		{"free text", `Paris`, false},
		{"two numbers", `1 2`, false},
		{"errors after the first value", `{} {'`, false},
		{"errors after a string", `"a" \q`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b Balance
			b.FeedString(row.text)
			require.False(t, b.Broken())
			require.Equal(t, row.open, b.Open())
			tolerant(t, []byte(row.text))
			broken(t, []byte(row.text))
		})
	}
}

func TestBalanceOfValidDocuments(t *testing.T) {
	for _, row := range documents {
		if row.want == fine {
			t.Run(row.name, func(t *testing.T) { balanced(t, []byte(row.doc)) })
		}
	}
}

// Every byte after every beginning of a valid document is right or wrong, as
// encoding/json says.
func TestBalanceKnowsTheFirstFault(t *testing.T) {
	for _, row := range documents {
		if row.want != fine || len(row.doc) > 100 {
			continue
		}
		for i := range len(row.doc) + 1 {
			for _, c := range `"{}[]:,\0129-+.eEtfnulx ` + "\n" {
				broken(t, []byte(row.doc[:i]+string(c)))
			}
		}
	}
}

func TestBalanceIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Balance{}), uintptr(16))
}
