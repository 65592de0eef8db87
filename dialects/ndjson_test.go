package dialects

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// payloadWord renders a frame that has a payload.
func payloadWord(f *frame) string {
	if f.kind == frameEmpty {
		return ""
	}
	s := frameKinds[f.kind] + ":" + string(f.data)
	if f.tail {
		s += ":tail"
	}
	return s
}

func TestNDJSON(t *testing.T) {
	rows := []struct{ name, body, want string }{
		{"lines", "{\"a\":1}\n{\"b\":2}\n", `data:{"a":1}|data:{"b":2}`},
		{"CRLF", "{\"a\":1}\r\n{\"b\":2}\r\n", `data:{"a":1}|data:{"b":2}`},
		{"blank lines", "\n\r\n{\"a\":1}\n\n \n{\"b\":2}\n\n", `data:{"a":1}|data:{"b":2}`},
		{"glued", `{"a":1}{"b":"}{"}{"c":3}`, `data:{"a":1}|data:{"b":"}{"}|data:{"c":3}`},
		{"glued with blanks", "{\"a\":1} \t{\"b\":2}", `data:{"a":1}|data:{"b":2}`},
		{"last line without its end", "{\"a\":1}\n{\"b\":2}", `data:{"a":1}|data:{"b":2}`},
		{"pretty-printed", "{\n  \"a\": {\n    \"b\": [\n1,\n{\n}\n]\n  }\n}\n{\"c\":1}", "data:{\n  \"a\": {\n    \"b\": [\n1,\n{\n}\n]\n  }\n}|data:{\"c\":1}"},
		{"pretty-printed with CRLF", "{\r\n\"a\": [\r\n{\r\n},\r\n{\r\n}]\r\n}\r\n", "data:{\r\n\"a\": [\r\n{\r\n},\r\n{\r\n}]\r\n}"},
		{"escaped quotes", `{"a":"\"}\\"}{"b":1}`, `data:{"a":"\"}\\"}|data:{"b":1}`},
		{"list", "[{\"a\":1},{\"b\":2}]\n", `data:[{"a":1},{"b":2}]`},
		{"empty object", "{ }\n{}\n[]\n", `data:{ }|data:{}|data:[]`},
		{"byte order mark", "\ufeff{\"a\":1}\n", `data:{"a":1}`},
		{"junk line", "{\"a\":1}\nwarming up {\"x\":1}\n{\"b\":2}\n", `data:{"a":1}|junk:warming up {"x":1}|data:{"b":2}`},
		{"junk after a document", "{\"a\":1} // hm\n{\"b\":2}\n", `data:{"a":1}|junk:// hm|data:{"b":2}`},
		{"log line in brackets", "[INFO] loading\n[12:00] {\n{\"a\":1}\n", `junk:[INFO] loading|junk:[12:00] {|data:{"a":1}`},
		{"sentinel of another family", "{\"a\":1}\n[DONE]\n", `data:{"a":1}|junk:[DONE]`},
		{"error line", "error: out of memory\n[ERROR] gone\n", "error:error: out of memory|error:[ERROR] gone"},
		{"text in braces", "{level=info}\n{\"a\":1}\n", `data:{level=info}|data:{"a":1}`},
		{"line end in a string", "{\"a\":\"x\n{\"b\":2}\n", `data:{"a":"x|data:{"b":2}`},
		{"document after an open one", "{\"a\":{\"b\":1\n{\"c\":2}\n", "data:{\"a\":{\"b\":1\n|data:{\"c\":2}"},
		{"cut in a document", "{\"a\":1}\n{\"b\"", `data:{"a":1}|data:{"b":tail`},
		{"cut after the first bracket", "{", "data:{:tail"},
		{"cut in a string", `{"b":"x\`, `data:{"b":"x\:tail`},
		{"cut in a junk line", "junk", "junk:junk:tail"},
		{"cut in what could be a field", "da", "junk:da:tail"},
		{"SSE", "data: {\"a\":1}\n\nevent: x\ndata: {\"b\":2}\n\n", `data:{"a":1}|data:{"b":2}`},
		{"SSE after blank lines", "\n\ndata:{\"a\":1}\n\n", `data:{"a":1}`},
		{"SSE with a byte order mark", "\ufeffdata: {\"a\":1}\n\n", `data:{"a":1}`},
		{"SSE comment", ": hi\n\ndata: {\"a\":1}\n\n", `data:{"a":1}`},
		{"SSE that begins with a field of nothing", "id\ndata: {\"a\":1}\n\n", `data:{"a":1}`},
		{"SSE that begins with a field of nothing, in CRLF", "id\r\nevent: x\r\ndata: {\"a\":1}\r\n\r\n", `data:{"a":1}`},
		{"SSE behind a field that nobody knows", "x: y\ndata: {\"a\":1}\n\ndata: {\"b\":\ndata: 2}\n\n", "junk:x: y|data:{\"a\":1}|data:{\"b\":\n2}"},
		{"SSE behind text", "warming up\n\nand more\n: hi\n\ndata: {\"a\":1}\n\n", `junk:warming up|junk:and more|data:{"a":1}`},
		{"text that is no field", "dates\nids\n{\"a\":1}\n", `junk:dates|junk:ids|data:{"a":1}`},
		{"a field of nothing alone", "data", "data::tail"},
		{"text that begins like a field", "dated\n{\"a\":1}\n", `junk:dated|data:{"a":1}`},
		{"data after documents is no SSE", "{\"a\":1}\ndata: x\n", `data:{"a":1}|junk:data: x`},
		{"nothing", "", ""},
		{"blank", " \n\t", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 5, 1 << 20} {
				require.Equal(t, row.want, strings.Join(cutUp(t, new(ndjson), payloadWord, pieces(row.body, size)...), "|"), "pieces of %d", size)
			}
		})
	}
}

// Any mixture of what the framing knows gives the same frames however it is split.
func TestNDJSONNoise(t *testing.T) {
	words := []string{
		"{", "}", "[", "]", "\"", "\\", "\n", "\r\n", "\r", " ", ",", ":", "x", "1", `{"a":1}`, `{"a":"}\n"}`,
		"error: x", "data: ", "event:", "\ufeff", "[DONE]", "\x00", "é",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range noiseRounds {
		body := ""
		for range 1 + rng.IntN(16) {
			body += words[rng.IntN(len(words))]
		}
		whole := cutUp(t, new(ndjson), payloadWord, body)
		for _, size := range []int{1, 2, 3, 7} {
			require.Equal(t, whole, cutUp(t, new(ndjson), payloadWord, pieces(body, size)...), "%q in pieces of %d", body, size)
		}
	}
}

const noiseRounds = 3000

// The line end of a document comes along if it is there, and is not waited for.
func TestNDJSONLineEnd(t *testing.T) {
	rows := []struct{ body, raw string }{
		{"{}\n{}", "{}\n"}, {"{}\r\n{}", "{}\r\n"}, {"{}\r", "{}"}, {"{} \n", "{}"}, {"{}", "{}"}, {"{}\n\n", "{}\n"},
	}
	for _, row := range rows {
		var f frame
		require.True(t, new(ndjson).next([]byte(row.body), false, &f))
		require.Equal(t, row.raw, string(f.raw), "%q", row.body)
	}
}

func TestNDJSONFrameAboveTheCap(t *testing.T) {
	body := `{"response":"` + strings.Repeat("x", 100_000)
	st := MustByName("ollama").Stream(bodyOf(body), Options{MaxFrame: 64 << 10})
	err := hear(st).end
	require.Equal(t, "too_large status=0 type= code= message=", ending(err))
}

// A large document that trickles in costs one look at each byte.
func TestNDJSONLooksOnce(t *testing.T) {
	const size = 4 << 20
	body := []byte(`{"response":"` + strings.Repeat("x", size) + `","done":true}`)
	n, f := new(ndjson), new(frame)
	for w := 0; w < len(body); w += 16 {
		require.False(t, n.next(body[:w], false, f))
		require.LessOrEqual(t, w-n.pos, 0, "a byte is looked at again")
	}
	require.True(t, n.next(body, false, f))
}

// A stall can be told from life while a large document trickles in.
func TestNDJSONShowsLife(t *testing.T) {
	pr, pw := io.Pipe()
	go func() {
		_, _ = pw.Write([]byte(`{"response":`))
		_, _ = pw.Write([]byte(`"x"}`))
		_ = pw.Close()
	}()
	st := MustByName("ollama").Stream(pr, Options{})
	c, err := st.Recv()
	require.NoError(t, err)
	require.Equal(t, endwell.KindKeepAlive, c.Kind)
	c, err = st.Recv()
	require.NoError(t, err)
	require.Equal(t, "x", c.Text)
	_, err = st.Recv()
	require.Equal(t, io.EOF, err)
}
