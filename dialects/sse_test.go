package dialects

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frameWord renders a frame with all that a framer says of it.
func frameWord(f *frame) string {
	s := frameKinds[f.kind]
	if len(f.event) > 0 {
		s += "/" + string(f.event)
	}
	if f.data != nil {
		s += fmt.Sprintf("<%s>", f.data)
	}
	if f.tail {
		s += " tail"
	}
	return s
}

func TestSSE(t *testing.T) {
	tests := []struct {
		name string
		body string
		want []string
	}{
		{"LF", "data: a\n\ndata: b\n\n", []string{"data<a>", "data<b>"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"data<a>", "data<b>"}},
		{"bare CR", "data: a\r\rdata: b\r\r", []string{"data<a>", "data<b>"}},
		{"mixed delimiters", "data: a\r\n\ndata: b\n\r\n", []string{"data<a>", "data<b>"}},
		{"no space after the colon", "data:a\n\n", []string{"data<a>"}},
		{"two spaces keep one", "data:  a\n\n", []string{"data< a>"}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"data<a>"}},
		{"several data lines", "data: a\ndata: b\n\n", []string{"data<a\nb>"}},
		{"document over two lines", "data: {\"a\":\ndata: 1}\n\n", []string{"data<{\"a\":\n1}>"}},
		{"no blank lines between documents", "data: {}\ndata: {}\ndata: [DONE]\n", []string{
			"data<{}>", "data<{}>", "data<[DONE]> tail",
		}},
		{"no blank lines, with event names", "event: x\ndata: {}\nevent: y\ndata: {}\n\n", []string{
			"data/x<{}>", "data/y<{}>",
		}},
		{"comment", ": ping\n\n", []string{"empty"}},
		{"comment inside an event", ": ping\ndata: a\n: pong\n\n", []string{"data<a>"}},
		{"blank lines", "\n\n", []string{"empty", "empty"}},
		{"id and retry only", "id: 1\n\nretry: 3000\n\n", []string{"empty", "empty"}},
		{"event without data", "event: x\n\ndata: a\n\n", []string{"empty/x", "data<a>"}},
		{"data without colon", "data\n\n", []string{"data<>"}},
		{"event and data", "event: error\ndata: a\n\n", []string{"data/error<a>"}},
		{"data before event", "data: a\nevent: error\n\n", []string{"data/error<a>"}},
		{"an unknown field inside an event", "event: error\nx: y\ndata: a\n\ndata: b\n\n", []string{"junk<x: y>", "data/error<a>", "data<b>"}},
		{"text inside an event", "event: error\nwords\nand more\nid: 1\ndata: a\n\n\n", []string{"junk<words\nand more>", "data/error<a>", "empty"}},
		{"an unknown field inside an event with a second name", "event: error\nx: y\nevent: z\ndata: a\n\n", []string{"junk<x: y>", "data/z<a>"}},
		{"an unknown field inside an event whose name is taken away", "event: error\nx: y\nevent:\ndata: a\n\ndata: b\n\n", []string{"junk<x: y>", "data<a>", "data<b>"}},
		{"text inside an event, in several parts", "event: error\nx\nid: 1\ny\nid: 2\ndata: a\n\ndata: b\n\n", []string{"junk<x>", "junk<y>", "data/error<a>", "data<b>"}},
		{"an unknown field before an event", "x: y\nevent: error\ndata: a\n\n", []string{"junk<x: y>", "data/error<a>"}},
		{"text in the place of an event's data", "event: error\nwords\n\ndata: a\n\n", []string{"junk/error<words>", "data<a>"}},
		{"error field", "error: {\"code\":400}\n\n", []string{"error<{\"code\":400}>"}},
		{"bare document on one line", "{\"error\":\"x\"}\ndata: {}\n\n", []string{"bare<{\"error\":\"x\"}>", "data<{}>"}},
		{"bare document over lines", "{\n  \"error\": {\n\n  }\n}\n", []string{"bare<{\n  \"error\": {\n  }\n}>"}},
		{"bare documents, a line each", "{\"a\":1}\n{\"b\":2}\n", []string{"bare<{\"a\":1}>", "bare<{\"b\":2}>"}},
		{"bare document after a whole one without blank line", "data: {}\n{\"error\":\"x\"}\n", []string{
			"data<{}>", "bare<{\"error\":\"x\"}>",
		}},
		{"bare document that breaks off", "{\"a\":\ndata: {}\n\n", []string{"bare<{\"a\":>", "data<{}>"}},
		{"junk", "upstream error: reset\n\ndata: a\n\n", []string{"junk<upstream error: reset>", "data<a>"}},
		{"junk ends at a field", "oops\ndata: a\n\n", []string{"junk<oops>", "data<a>"}},
		{"junk inside an event means nothing", "data: [1\nfoo: bar\ndata: ]\n\n", []string{"data<[1\n]>"}},
		{"tail without any newline", "data: a", []string{"data<a> tail"}},
		{"tail without the blank line", "data: a\n", []string{"data<a> tail"}},
		{"tail is half of a field name", "data: a\n\nda", []string{"data<a>", "empty tail"}},
		{"tail is a bare document", "{\"error\":\"x\"}", []string{"bare<{\"error\":\"x\"}> tail"}},
		{"tail is half a bare document", "{\"error\":", []string{"bare<{\"error\":> tail"}},
		{"tail of two documents", "data: {}\ndata: {\"a", []string{"data<{}>", "data<{\"a> tail"}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, cutUp(t, new(sse), frameWord, tt.body))
			for i := range len(tt.body) {
				got := cutUp(t, new(sse), frameWord, tt.body[:i], tt.body[i:])
				require.Equal(t, tt.want, withoutLF(got, tt.body), "split at %d", i)
			}
			got := cutUp(t, new(sse), frameWord, pieces(tt.body, 1)...)
			require.Equal(t, tt.want, withoutLF(got, tt.body))
		})
	}
}

// withoutLF drops the empty frame that the LF of a split CRLF makes at the very end
// of a body: the frame before it was complete with its CR.
func withoutLF(frames []string, body string) []string {
	if n := len(frames); strings.HasSuffix(body, "\r\n") && n > 0 && frames[n-1] == "empty tail" {
		return frames[:n-1]
	}
	return frames
}

func TestSSEDeliversAFrameBeforeTheNextRead(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		r, w := io.Pipe()
		st := MustByName("openai").Stream(r, Options{})
		go func() {
			_, _ = w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}` + end))
		}()
		c, err := st.Recv()
		require.NoError(t, err)
		require.Equal(t, "Hi", c.Text)
		require.NoError(t, st.Close())
	}
}

func TestSSELooksAtEachByteOnce(t *testing.T) {
	// A quadratic framer would need minutes for this.
	const lines = 200_000
	body := "data: [\n" + strings.Repeat("data: 1,\n", lines) + "data: 1]\n\n"
	s, f, b := new(sse), new(frame), []byte(body)
	for i := 9; !s.next(b[:min(i, len(b))], false, f); i += 9 {
		require.Less(t, i, len(b)+9)
	}
	require.Equal(t, b, f.raw)
}
