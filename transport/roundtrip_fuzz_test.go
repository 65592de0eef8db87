package transport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/transport"
)

// FuzzRoundTripAsks holds the search for "stream" against encoding/json: for the
// documents that hold the name once, both say the same, however they are split.
func FuzzRoundTripAsks(f *testing.F) {
	for _, seed := range []string{
		asking, `{}`, `{"stream":true}`, `{"stream":false}`, `{"stream":null,"a":1}`, ` { "a" : { "b" : [ ] } , "stream" : true } `,
		`{"a":"\\","stream":true}`, `{"a":"\"","stream":true}`, `{"stream":[true]}`, `{"stream":{"a":true}}`, `{"stream":"true"}`,
		`[{"stream":true}]`, `true`, `"stream"`, `{"x":"stream","y":true}`, `{"streams":true}`, `{"a":[1,{"stream":true}],"b":true}`,
		`{"stream":truetrue}`, `{`, ``, `{"stream":true`,
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, doc []byte, at int) {
		got := transport.Asks(doc)
		at = min(max(at, 0), len(doc))
		require.Equal(t, got, transport.Asks(doc[:at], doc[at:]))
		require.Equal(t, got, transport.AsksText(string(doc)))

		var members map[string]json.RawMessage
		text := string(doc)
		if json.Unmarshal(doc, &members) != nil || strings.Count(text, "stream") != 1 || strings.Contains(text, `\u`) {
			return
		}
		require.Equal(t, string(members["stream"]) == "true", got)
	})
}

// FuzzRoundTripMissing asks for the only law of it: with what is missing, and not
// without, the body ends in a blank line; a reader of lines tells.
func FuzzRoundTripMissing(f *testing.F) {
	for _, seed := range []string{
		"data: x", "data: x\n", "data: x\n\n", "data: x\r", "data: x\r\r", "data: x\r\n", "data: x\r\n\r", "data: x\r\n\r\n",
		"data: x\n\r", "data: x\n\r\n", "data: x\r\n\n", "a\rb", "x", "\n", "\r\n", "\r",
	} {
		f.Add([]byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, at int) {
		at = min(max(at, 0), len(body))
		lacks := transport.Missing(false, body[:at], body[at:])
		require.Equal(t, transport.Missing(false, body), lacks)
		if len(body) == 0 {
			require.Empty(t, lacks)
			return
		}
		require.Equal(t, lacks == "", endsBlank(string(body)))
		require.True(t, endsBlank(string(body)+lacks))
	})
}

// endsBlank reports whether the last line of s is a blank one.
func endsBlank(s string) bool {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return s == "\n" || strings.HasSuffix(s, "\n\n")
}
