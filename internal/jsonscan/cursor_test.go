package jsonscan

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fine, cut = -1, -2

// documents are verdicts: fine, cut, or the offset of the fault.
var documents = []struct {
	name string
	doc  string
	want int
}{
	{"object", `{"a":1,"b":[true,false,null]}`, fine},
	{"white space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n", fine},
	{"empty object", `{}`, fine},
	{"empty array", `[ ]`, fine},
	{"top-level scalar", `-0.5e+10`, fine},
	{"top-level string", `"a"`, fine},
	{"all escapes", `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, fine},
	{"lone surrogates", `["\ud800","\udc00\ud800"]`, fine},
	{"bytes that are not UTF-8", "\"\xff\xfe\xc3\"", fine},
	{"DEL in a string", "\"\x7f\"", fine},
	{"duplicate names", `{"a":1,"a":2}`, fine},
	{"quote in the last byte of a word", `"0123456"`, fine},
	{"quote in the first byte of a word", `"01234567"`, fine},
	{"chunk", chunk, fine},
	{"deepest", nested(MaxDepth), fine},

	{"nothing", ``, cut},
	{"blank", " \n", cut},
	{"cut in a name", `{"a`, cut},
	{"cut after a name", `{"a"`, cut},
	{"cut after a colon", `{"a":`, cut},
	{"cut after a value", `{"a":1`, cut},
	{"cut after a member's comma", `{"a":1,`, cut},
	{"cut after a brace", `{`, cut},
	{"cut after a bracket", `[`, cut},
	{"cut after an element's comma", `[1,`, cut},
	{"cut in a string", `["abcdefghijkl`, cut},
	{"cut after a backslash", `"\`, cut},
	{"cut in a hex escape", `"\u12`, cut},
	{"cut after a minus", `-`, cut},
	{"cut after a point", `1.`, cut},
	{"cut after an exponent", `1e`, cut},
	{"cut after an exponent's sign", `1E-`, cut},
	{"cut in a literal", `[tru`, cut},
	{"cut before the outer bracket", `[[1]`, cut},

	{"trailing comma in an object", `{"a":1,}`, 7},
	{"trailing comma in an array", `[1,]`, 3},
	{"leading comma in an array", `[,1]`, 1},
	{"leading comma in an object", `{,"a":1}`, 1},
	{"missing comma in an array", `[1 2]`, 3},
	{"missing comma in an object", `{"a":1 "b":2}`, 7},
	{"missing colon", `{"a" 1}`, 5},
	{"missing value", `{"a":}`, 5},
	{"name without quotes", `{a:1}`, 1},
	{"number as a name", `{1:2}`, 1},
	{"array closed by a brace", `[1}`, 2},
	{"object closed by a bracket", `{"a":1]`, 6},
	{"colon in an array", `["a":1]`, 4},
	{"bracket too many", `[]]`, 2},
	{"two documents", `{} {}`, 3},
	{"text after the document", `1 x`, 2},
	{"single quotes", `{'a':1}`, 1},
	{"leading zero", `01`, 1},
	{"leading plus", `+1`, 0},
	{"minus without digits", `-a`, 1},
	{"point without digits", `1.e1`, 2},
	{"leading point", `.5`, 0},
	{"exponent without digits", `[1e]`, 3},
	{"exponent with two signs", `1e+-1`, 3},
	{"hexadecimal number", `0x1`, 1},
	{"not a number", `NaN`, 0},
	{"misspelt true", `trUe`, 2},
	{"misspelt false", `[falsy]`, 5},
	{"misspelt null", `nul1`, 3},
	{"literal that runs on", `truex`, 4},
	{"raw newline in a string", "\"a\nb\"", 2},
	{"raw control byte in a long string", "\"abcdefghij\x1f\"", 11},
	{"raw control byte in a name", "{\"a\x00\":1}", 3},
	{"NUL instead of a value", "[\x00]", 1},
	{"NUL at the end", "{}\x00", 2},
	{"no-break space", "\u00a0{}", 0},
	{"byte order mark", "\ufeff{}", 0},
	{"unknown escape", `"\x"`, 2},
	{"bad hex digit", `"\u12g4"`, 5},
	{"hex escape cut by the quote", `"\u12"`, 5},
	{"comment", `{/**/}`, 1},
	{"HTML", `<html>`, 0},
	{"SSE sentinel", `[DONE]`, 1},
	{"form feed as white space", "\f1", 0},
}

func TestVerdict(t *testing.T) {
	for _, row := range documents {
		t.Run(row.name, func(t *testing.T) {
			err := check([]byte(row.doc))
			switch row.want {
			case fine:
				require.NoError(t, err)
			case cut:
				require.Equal(t, ErrUnexpectedEnd, err)
			default:
				require.Equal(t, &SyntaxError{Offset: row.want}, err)
			}
			judge(t, []byte(row.doc))
		})
	}
}

func TestRebuild(t *testing.T) {
	for _, row := range documents {
		t.Run(row.name, func(t *testing.T) {
			doc := []byte(strings.ToValidUTF8(row.doc, "?"))
			got, err := rebuild(doc)
			require.Equal(t, check(doc), err)
			if err == nil {
				require.Equal(t, unmarshal(t, doc), got)
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	for _, row := range documents {
		if row.want != fine || len(row.doc) > 1000 {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			for n := range len(row.doc) {
				prefix := []byte(row.doc[:n])
				if json.Valid(prefix) {
					require.NoError(t, check(prefix))
				} else {
					require.Equal(t, ErrUnexpectedEnd, check(prefix), "%q", prefix)
				}
			}
		})
	}
}

// TestNeighbours tries faults that the tables do not think of: each byte of a
// good document replaced by each of those that matter.
func TestNeighbours(t *testing.T) {
	doc := []byte(` {"a\u0041\n":[-1.5e+3,{"b":true},[],null],"cdefghijklmn":"x"} `)
	for i, was := range doc {
		for _, b := range []byte("{}]:,\"\\ \n\x0009-.eutx\xff") {
			doc[i] = b
			judge(t, doc)
		}
		doc[i] = was
	}
}

// Every byte where its class decides, and at every place of a word.
func TestEveryByte(t *testing.T) {
	places := []string{"?", "? 1", "[1?1]", "[1?", "-?", "1?", "0?", "1.?", "1e?", `"\?"`, `{?}`, `{"a"?1}`, `{"a":?`, `[1]?`}
	for i := range 4 {
		places = append(places, `"\u`+"0000"[:i]+"?"+"0000"[i+1:]+`"`)
	}
	for i := range 18 {
		places = append(places, `"`+strings.Repeat("a", i)+"?"+strings.Repeat("b", 17-i)+`"`)
	}
	for _, place := range places {
		for b := range 256 {
			doc := []byte(strings.Replace(place, "?", string([]byte{byte(b)}), 1))
			if err := check(doc); (err == nil) != json.Valid(doc) {
				require.Fail(t, "wrong verdict", "%v on %q", err, doc)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	for _, doc := range []string{nested(MaxDepth + 1), strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, MaxDepth+1)} {
		require.Equal(t, ErrDepth, check([]byte(doc)))
		require.False(t, json.Valid([]byte(doc)))
		_, err := rebuild([]byte(doc))
		require.Equal(t, ErrDepth, err)
	}
	require.Equal(t, ErrUnexpectedEnd, check([]byte(strings.Repeat("[", MaxDepth))))
	doc := []byte(nested(MaxDepth))
	got, err := rebuild(doc)
	require.NoError(t, err)
	require.Equal(t, unmarshal(t, doc), got)
	for _, n := range []int{63, 64, 65, 66, 127, 128, 129, 130, 200} {
		judge(t, []byte(nested(n)))
		judge(t, []byte(strings.Replace(nested(n), "]", "}", 1)))
		judge(t, []byte(`{"a":`+nested(n)+`,"b":[`+nested(n)+`]}`))
	}
}

// Ways to get an error in the middle of a walk.
func TestErrorIsSticky(t *testing.T) {
	for _, doc := range []string{`{"a":[1,tru`, `{"a":[1,trxe]}`, `{"a":[1,` + strings.Repeat("[", MaxDepth)} {
		var c Cursor
		c.Reset([]byte(doc))
		require.True(t, c.Object())
		c.Key()
		require.True(t, c.Array())
		require.True(t, c.Elem())
		require.True(t, c.Elem())
		require.NoError(t, c.Err())
		c.Skip()
		err := c.Err()
		require.Error(t, err)
		quiet(t, &c)
		require.Equal(t, err, c.Err())
		require.Equal(t, err, c.End())
		c.Reset([]byte(`1`))
		require.NoError(t, c.End())
	}
}

// quiet requires that no method finds anything.
func quiet(t *testing.T, c *Cursor) {
	require.Zero(t, c.Kind())
	require.False(t, c.Object())
	require.False(t, c.Array())
	require.False(t, c.Elem())
	require.False(t, c.Null())
	key, ok := c.Key()
	require.Nil(t, key)
	require.False(t, ok)
	s, ok := c.Str()
	require.Zero(t, s)
	require.False(t, ok)
	num, ok := c.Num()
	require.Nil(t, num)
	require.False(t, ok)
	v, ok := c.Bool()
	require.False(t, v)
	require.False(t, ok)
	require.Nil(t, c.Raw())
	c.Skip()
}

func TestNothingIsDue(t *testing.T) {
	for name, doc := range map[string]string{"at the end": `1`, "after the top value": `[] `} {
		t.Run(name, func(t *testing.T) {
			var c Cursor
			c.Reset([]byte(doc))
			c.Skip()
			quiet(t, &c)
			require.NoError(t, c.End())
			require.NoError(t, c.End())
			quiet(t, &c)
		})
	}
	t.Run("never reset", func(t *testing.T) {
		var c Cursor
		quiet(t, &c)
		require.NoError(t, c.Err())
		require.Equal(t, ErrUnexpectedEnd, c.End())
	})
	t.Run("after Reset(nil)", func(t *testing.T) {
		var c Cursor
		c.Reset([]byte(`[1]`))
		c.Reset(nil)
		quiet(t, &c)
		require.Equal(t, ErrUnexpectedEnd, c.End())
	})
}

// Each method leaves a value of another kind where it is.
func TestOtherKind(t *testing.T) {
	for kind, doc := range map[byte]string{'{': `{}`, '[': `[]`, '"': `"s"`, '0': `-1`, 't': `true`, 'f': `false`, 'n': `null`} {
		var c Cursor
		c.Reset([]byte(doc))
		require.Equal(t, kind, c.Kind())
		require.Equal(t, kind == '{', c.Object())
		require.Equal(t, kind == '[', c.Array())
		_, ok := c.Str()
		require.Equal(t, kind == '"', ok)
		raw, ok := c.Num()
		require.Equal(t, kind == '0', ok)
		require.Equal(t, kind == '0', string(raw) == doc)
		v, ok := c.Bool()
		require.Equal(t, kind == 't', v)
		require.Equal(t, kind == 't' || kind == 'f', ok)
		require.Equal(t, kind == 'n', c.Null())
		require.NoError(t, c.Err())
		require.NoError(t, c.End())
	}
}

// A value of the right kind that is broken is an error and is not returned.
func TestBrokenValue(t *testing.T) {
	for _, doc := range []string{`"a`, "\"\n\"", `-`, `-x`, `tru`, `trap`, `fals`, `fall`, `nul`, `nil`} {
		var c Cursor
		c.Reset([]byte(doc))
		require.NotZero(t, c.Kind())
		_, str := c.Str()
		_, num := c.Num()
		v, boolean := c.Bool()
		require.False(t, str || num || v || boolean || c.Null())
		require.Error(t, c.Err())
		require.Equal(t, check([]byte(doc)), c.End())
	}
}

// A name without a value is not returned.
func TestNameWithoutValue(t *testing.T) {
	for _, doc := range []string{`{"a":`, `{"a":}`, `{"a"`, `{"a" 1`} {
		var c Cursor
		c.Reset([]byte(doc))
		require.True(t, c.Object())
		key, ok := c.Key()
		require.False(t, ok)
		require.Nil(t, key)
		require.Equal(t, check([]byte(doc)), c.Err())
	}
}

func TestUnconsumedValuesAreChecked(t *testing.T) {
	var c Cursor
	c.Reset([]byte(`{"a":{"x":[1,2]},"b":[{},"y"],"c":0}`))
	var keys []string
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		keys = append(keys, string(key))
	}
	require.Equal(t, []string{"a", "b", "c"}, keys)
	require.NoError(t, c.End())

	c.Reset([]byte(`[1,[2,3,],4]`))
	c.Array()
	require.True(t, c.Elem())
	require.True(t, c.Elem())
	require.False(t, c.Elem())
	require.Equal(t, &SyntaxError{Offset: 8}, c.End())
}

// End does the rest for a caller that stopped anywhere.
func TestEndFromAnywhere(t *testing.T) {
	for _, tail := range []string{`]},{"b":1}]`, `]},{"b":1]`, `]},{"b":1}`, `]},{"b":1}] x`} {
		doc := []byte(`[{"a":[1,"x"` + tail)
		for stop := range 6 {
			var c Cursor
			c.Reset(doc)
			steps := []func(){
				func() { c.Array() },
				func() { c.Elem() },
				func() { c.Object() },
				func() { c.Key() },
				func() { c.Array(); c.Elem() },
			}
			for _, step := range steps[:stop] {
				step()
			}
			require.Equal(t, check(doc), c.End(), "%s after %d steps", doc, stop)
		}
	}
}

func TestKeyAndElemKnowTheirContainer(t *testing.T) {
	var c Cursor
	c.Reset([]byte(`["a",1]`))
	c.Array()
	_, ok := c.Key()
	require.False(t, ok)
	require.NoError(t, c.End())

	c.Reset([]byte(`{"a":1}`))
	c.Object()
	require.False(t, c.Elem())
	_, ok = c.Key()
	require.True(t, ok)
	require.NoError(t, c.End())
}

func TestEscapedKey(t *testing.T) {
	var c Cursor
	c.Reset([]byte(`{"\u0065rror":1,"plain":2,"\ud83d\ude00":3,"":4}`))
	c.Object()
	for _, want := range []string{"error", "plain", "😀", ""} {
		key, ok := c.Key()
		require.True(t, ok)
		require.Equal(t, want, string(key))
	}
	_, ok := c.Key()
	require.False(t, ok)
	require.NoError(t, c.End())
}

func TestRaw(t *testing.T) {
	var c Cursor
	c.Reset([]byte(` [ {"a" : [ ]} , "s" , -1.0 , null ] `))
	c.Array()
	for _, want := range []string{`{"a" : [ ]}`, `"s"`, `-1.0`, `null`} {
		require.True(t, c.Elem())
		require.Equal(t, want, string(c.Raw()))
		require.Nil(t, c.Raw())
	}
	require.NoError(t, c.End())

	c.Reset([]byte(`[1,`))
	require.Nil(t, c.Raw())
	require.Equal(t, ErrUnexpectedEnd, c.End())
}

// What a caller appends to a span must not reach the document.
func TestSpansAreCapped(t *testing.T) {
	doc := []byte(`{"k":["s",1,[2],3]}`)
	var c Cursor
	c.Reset(doc)
	c.Object()
	key, _ := c.Key()
	c.Array()
	c.Elem()
	s, _ := c.Str()
	c.Elem()
	num, _ := c.Num()
	c.Elem()
	for _, span := range [][]byte{key, s.Raw, num, c.Raw()} {
		require.NotEmpty(t, span)
		require.Len(t, span, cap(span))
	}
}

func TestErrorsTellNothingOfTheDocument(t *testing.T) {
	err := check([]byte(`{"secret" "sk-test-not-a-real-key"}`))
	require.EqualError(t, err, "jsonscan: invalid JSON at byte 10")
	require.ErrorIs(t, err, ErrSyntax)
	require.NotErrorIs(t, err, ErrUnexpectedEnd)
	require.NotErrorIs(t, ErrUnexpectedEnd, ErrSyntax)
	require.NotErrorIs(t, ErrDepth, ErrSyntax)
	require.False(t, errors.Is(ErrUnexpectedEnd, io.ErrUnexpectedEOF), "a cut document is not a broken transport")
}
