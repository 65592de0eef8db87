package jsonscan

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func str(t testing.TB, doc string) Str {
	var c Cursor
	c.Reset([]byte(doc))
	s, ok := c.Str()
	require.True(t, ok)
	require.NoError(t, c.End())
	return s
}

func TestStr(t *testing.T) {
	rows := []struct{ name, doc, want string }{
		{"empty", `""`, ""},
		{"plain", `"abc"`, "abc"},
		{"every short escape", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{"hex escape", `"\u0065rror"`, "error"},
		{"hex escape in both cases", `"\u00e9\u00E9"`, "éé"},
		{"NUL escape", `"\u0000"`, "\x00"},
		{"surrogate pair", `"a\ud83d\ude00b"`, "a😀b"},
		{"last rune", `"\udbff\udfff"`, "\U0010ffff"},
		{"high surrogate alone", `"\ud800"`, "\ufffd"},
		{"high surrogate before text", `"\ud800x"`, "\ufffdx"},
		{"high surrogate before another escape", `"\ud800\n"`, "\ufffd\n"},
		{"high surrogate before a letter's escape", `"\ud800\u0041"`, "\ufffdA"},
		{"high surrogate before a pair", `"\ud800\ud83d\ude00"`, "\ufffd😀"},
		{"low surrogate alone", `"\udc00"`, "\ufffd"},
		{"surrogates the wrong way round", `"\udc00\ud800"`, "\ufffd\ufffd"},
		{"escaped replacement character", `"\ufffd\ufffd"`, "\ufffd\ufffd"},
		{"escaped backslash before u", `"\\u0041"`, `\u0041`},
		{"escape at the end", `"abcdefghijklmnop\n"`, "abcdefghijklmnop\n"},
		{"line separators", "\"\u2028\u2029\"", "\u2028\u2029"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := str(t, row.doc)
			var std string
			require.NoError(t, json.Unmarshal([]byte(row.doc), &std))
			require.Equal(t, std, row.want)
			equalStr(t, s, row.want)
		})
	}
	t.Run("bytes that are not UTF-8 are kept", func(t *testing.T) {
		equalStr(t, str(t, "\"\xff\xc3(\""), "\xff\xc3(")
		equalStr(t, str(t, "\"\xff\\n\xc3\""), "\xff\n\xc3")
	})
}

func equalStr(t *testing.T, s Str, want string) {
	require.Equal(t, want, s.String())
	require.Equal(t, "> "+want, string(s.AppendTo([]byte("> "))))
	require.Equal(t, want == "", s.Empty())
	require.True(t, s.Equal(want))
	require.False(t, s.Equal(want+"x"))
	require.False(t, s.Equal("x"+want))
	if want != "" {
		require.False(t, s.Equal(""))
		require.False(t, s.Equal(want[:len(want)-1]))
		require.False(t, s.Equal(want[:len(want)-1]+"\x01"))
		require.False(t, s.Equal("\x01"+want[1:]))
	}
}

func TestZeroStr(t *testing.T) {
	require.True(t, Str{}.Empty())
	require.True(t, Str{}.Equal(""))
	require.Empty(t, Str{}.String())
	require.True(t, Str{Escaped: true}.Equal(""))
}

// Nobody checked the escapes of a Str that a caller made.
func TestStrOfUncheckedBytes(t *testing.T) {
	for raw, want := range map[string]string{
		`a\`:       "a\ufffd",
		`\x`:       "\ufffd",
		`\u`:       "\ufffd",
		`\u12`:     "\ufffd12",
		`\u12gh`:   "\ufffd12gh",
		`\ud800\u`: "\ufffd\ufffd",
	} {
		require.Equal(t, want, Str{Raw: []byte(raw), Escaped: true}.String(), raw)
	}
}
