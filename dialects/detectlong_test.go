package dialects

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// Detection goes on while nothing tells, and no longer than it must.
func TestDetectGoesOn(t *testing.T) {
	unknown := frames(`{"kind":"progress","step":1}`)
	for _, row := range []struct{ name, host, first, want string }{
		{"Replicate's output that reads as JSON", "", "event: output\nid: 1:0\ndata: {\n\n", "replicate"},
		{"Replicate's output that is a whole document", "", "event: output\ndata: {\"choices\":[]}\n\n", "replicate"},
		{"Replicate's output that says nothing", "", "event: output\ndata: {}\n\n", "replicate"},
		{"Replicate's output that is blank", "", "event: output\ndata:  \n\n", "replicate"},
		{"another event of that payload", "", "event: outputs\n" + frames(chatFrame), "compatible"},

		{"an unknown frame", "", unknown, ""},
		{"an unknown frame of a known host", "api.groq.com", unknown, ""},
		{"an unknown frame, then chat", "", unknown + frames(chatFrame), "compatible"},
		{"an unknown frame, then Anthropic", "", unknown + named(aStart), "anthropic"},
		{"an unknown frame, then responses", "", unknown + named(rCreated), "responses"},
		{"an unknown frame, then Gemini", "", unknown + geminiEvents(geminiText("Hi")), "gemini"},
		{"an unknown line, then Ollama", "", `{"kind":"progress"}` + "\n" + lines(ollamaChat(`"content":"Hi"`)), "ollama"},
		{"a mark in an unknown frame, then chat", "", frames(`{"x_groq":{"id":"r"}}`) + frames(chatFrame), "groq"},
		{"a ping", "", named(aPing), ""},
		{"a ping, then Anthropic", "", named(aPing) + named(aStart), "anthropic"},
		{"a ping, then chat", "", frames(`{"type":"ping"}`) + frames(chatFrame), "compatible"},
		{"a ping, then responses", "", frames(`{"type": "ping"}`) + named(rCreated), "responses"},
		{"fifteen unknown frames", "", strings.Repeat(unknown, 15), ""},
		{"sixteen unknown frames", "", strings.Repeat(unknown, 16), "compatible"},
		{"sixteen unknown frames of a known host", "api.groq.com", strings.Repeat(unknown, 16), "groq"},
		{"sixteen unknown frames and a ping", "", named(aPing) + strings.Repeat(unknown, 16), "anthropic"},
		{"a long unknown frame", "", frames(`{"x":"` + strings.Repeat("x", untoldBytes) + `"}`), "compatible"},
		{"an unknown field", "", "foo: bar\n\n", ""},
		{"an unknown field, then Anthropic", "", "foo: bar\n\n" + named(aStart), "anthropic"},

		{"an error document", "", frames(`{"error":{"message":"m"}}`), "compatible"},
		{"an error document of another shape", "", frames(`{"status":"error","message":"m"}`), "compatible"},
		{"an error document as it stands", "", `{"error_code":18,"error_msg":"m"}` + "\n", "compatible"},
		{"an error event", "", "event: ERROR\ndata: {\"x\":1}\n\n", "compatible"},
		{"an error event without data", "", "event: error\ndata: {}\n\n", "compatible"},
		{"an error field", "", "error: {}\n\n", "compatible"},
		{"a page", "", "<html>\n<body>\n\n", "compatible"},
		{"an error line", "", "Error: m\n\n", "compatible"},
		{"text", "", frames("hello"), "compatible"},
		{"Workers AI", "", frames(`{"response":"Hi"}`), "compatible"},

		{"Cohere, not streamed", "", `{"id":"m","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"Hi"}]}}` + "\n", "cohere"},
		{"Cohere, not streamed, in another order", "", `{"message":{"role":"assistant","content":[]},"id":"m","finish_reason":"MAX_TOKENS"}` + "\n", "cohere"},
		{"a message without a finish word", "", `{"id":"m","message":{"role":"assistant","content":[]}}` + "\n", ""},
		{"a text beside a finish word", "", `{"finish_reason":"COMPLETE","message":"m"}` + "\n", ""},

		{"a mark without blanks", "", ":OPENROUTER PROCESSING\n\n" + frames(chatFrame), "openrouter"},
		{"a mark in a text", "", ": no OPENROUTER PROCESSING\n\n" + frames(chatFrame), "compatible"},
		{"a member with a blank", "", frames(`{"object": "text_completion", "choices": []}`), "completions"},
		{"a member with blanks on both sides", "", frames(`{"system_fingerprint" : "fp_ollama", "choices": []}`), "ollama-openai"},
		{"a member without blanks", "", frames(`{"object":"chat.completion.done","choices":[]}`), "perplexity"},
		{"a member of another value first", "", frames(`{"x":{"object": "list"},"object": "text_completion", "choices": []}`), "completions"},
		{"a value that is only a mark's key", "", frames(`{"choices":[],"x":"x_groq"}`), "compatible"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d, ok := Detect("", row.host, []byte(row.first))
			require.Equal(t, row.want != "", ok)
			if ok {
				require.Equal(t, row.want, d.Name())
			}
		})
	}
}

// A body that ends before it tells is read as what it may be.
func TestDetectingWhatNeverTells(t *testing.T) {
	for _, row := range []struct{ name, host, body, want string }{
		{"pings alone", "", strings.Repeat(named(aPing), 20), "anthropic"},
		{"pings of a known host", "api.groq.com", named(aPing), "groq"},
		{"an unknown frame", "", frames(`{"x":1}`), "compatible"},
		{"nothing of an event stream", "", "", "compatible"},
	} {
		t.Run(row.name, func(t *testing.T) {
			st := Detecting(bodyOf(row.body), "", row.host, Options{}).(*detecting)
			h := hear(st)
			require.Equal(t, io.EOF, h.end)
			require.Equal(t, row.body, h.raw)
			require.Equal(t, row.want, st.known.opt.dialect.name)
		})
	}
	st := Detecting(bodyOf(""), "application/vnd.amazon.eventstream", "", Options{}).(*detecting)
	hear(st)
	require.Equal(t, "bedrock-converse", st.known.opt.dialect.name)
}

// counted is a body that counts its reads.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	c.n++
	return c.Reader.Read(p)
}

// White space before the first frame is looked at once, however it is split: a body
// of twice as much of it, read a byte at a time, takes no more than twice the steps.
func TestBlankLinesAreLookedAtOnce(t *testing.T) {
	g := detector{}
	b := []byte("\xef\xbb\xbf" + strings.Repeat("\r\n", 1000))
	for i := range b {
		require.Empty(t, g.look(b[:i+1]))
		if i >= 2 {
			require.Equal(t, i+1, g.blank, "the next look begins here")
		}
	}
	require.Equal(t, "compatible", g.look(append(b, frames(chatFrame)...)))

	for _, name := range []string{"ollama", "gemini", "openai"} {
		d := MustByName(name).Stream(iotest.OneByteReader(bodyOf(string(b))), Options{}).(*reader)
		for range 1500 {
			_, err := d.Recv()
			require.NoError(t, err)
			require.LessOrEqual(t, d.w-d.r-d.blank, 3, name)
		}
	}
}

// Detecting delivers what came with the frame that told.
func TestDetectingKeepsWhatItHasRead(t *testing.T) {
	body := "foo: bar\n\n" + frames(`{"x":1}`) + named(aPing, aStart, aOpen, aHi)
	r := &counted{Reader: iotest.OneByteReader(bodyOf(body))}
	h := hear(Detecting(r, "", "", Options{}))
	require.Equal(t, body, h.raw)
	require.Equal(t, len(body)+1, r.n)
	require.Equal(t, "text(Hi)", words(only(h.content(), endwell.KindText)))
}

// only is the chunks of a kind.
func only(all []endwell.Chunk, kind endwell.Kind) (some []endwell.Chunk) {
	for _, c := range all {
		if c.Kind == kind {
			some = append(some, c)
		}
	}
	return some
}
