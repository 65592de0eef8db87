package dialects

import (
	"bytes"
	"strings"
)

// Detect names the dialect of a body: by its content type and its first bytes, and
// by the host that sent it, each of which may be empty. It reports false as long as
// the bytes do not tell; with the first payload they do. The wire family is found by
// the payload; a chat stream gets the name of the system that gives itself away, or
// whose host it is, and is "compatible" otherwise.
func Detect(contentType, host string, first []byte) (*Dialect, bool) {
	g := detector{contentType: contentType, host: host}
	name := g.look(first)
	if name == "" {
		return nil, false
	}
	return byName[name], true
}

// detector looks at the frames of a body as they come.
type detector struct {
	contentType, host string
	framer            framer
	frame             frame
	used              int    // bytes of the frames that have been looked at
	hint              string // the system that gave itself away, if the stream is chat
}

// look returns the name of the dialect, "" as long as it is not known. b is the body
// from its beginning.
func (g *detector) look(b []byte) string {
	if g.framer == nil && !g.choose(b) {
		return ""
	}
	for g.framer.next(b[g.used:], false, &g.frame) {
		g.used += len(g.frame.raw)
		if name := g.sign(); name != "" {
			return name
		}
	}
	return ""
}

// choose finds a framing that shows the first payloads, and reports whether there
// are enough bytes to know it.
func (g *detector) choose(b []byte) bool {
	if strings.HasPrefix(g.contentType, "application/vnd.amazon.eventstream") && len(b) > 0 && b[0] == 0 {
		g.framer = new(awsEvents)
		return true
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(text) == 0:
		return false
	case len(text) == len(b) && b[0] == 0:
		g.framer = new(awsEvents)
	case text[0] == '[':
		g.framer = new(jsonArray)
	case text[0] == '{':
		g.framer = new(ndjson)
	default:
		g.framer = new(sse)
	}
	return true
}

// signs recognise a wire family by one frame. The chat family comes last.
var signs = []func(*frame) string{
	signBedrock, signAnthropic, signResponses, signInteractions, signGemini, signCohere,
	signOllama, signWatsonx, signWriter, signReplicate, signChat,
}

// sign returns the name that the current frame tells.
func (g *detector) sign() string {
	f := &g.frame
	if g.hint == "" {
		g.hint = mark(f.raw)
	}
	if saysNothing(f.data) {
		return ""
	}
	for _, sign := range signs {
		name := sign(f)
		if name == "compatible" {
			break
		}
		if name != "" {
			return name
		}
	}
	return g.variant()
}

// saysNothing reports whether a payload is one that any system may send.
func saysNothing(data []byte) bool {
	switch string(bytes.TrimSpace(data)) {
	case "", "{}", "[]", "null", `""`:
		return true
	default:
		return isDone(data)
	}
}

// signChat recognises the chat family.
func signChat(f *frame) string {
	if memberOf(firstObject(f.data), "choices") != nil {
		return "compatible"
	}
	return ""
}

// firstObject returns data if it is a whole object; nil otherwise.
func firstObject(data []byte) []byte {
	if looksJSON(data) && whole(data) {
		return data
	}
	return nil
}

// variant names a stream that is chat, or that no family claims: by what its system
// writes, by its host, or as the tolerant base.
func (g *detector) variant() string {
	if g.hint != "" {
		return g.hint
	}
	if name := nameOfHost(g.host); name != "" {
		return name
	}
	return "compatible"
}

// marks are bytes that only one system writes.
var marks = []struct{ mark, name string }{
	{": OPENROUTER PROCESSING", "openrouter"},
	{`"native_finish_reason"`, "openrouter"},
	{`"object":"text_completion"`, "completions"},
	{`"x_groq"`, "groq"},
	{`"prompt_filter_results"`, "azure"},
	{`"object":"chat.completion.done"`, "perplexity"},
	{`"base_resp"`, "minimax"},
	{`"system_fingerprint":"fp_ollama"`, "ollama-openai"},
}

// mark returns the system that gives itself away in a frame.
func mark(raw []byte) string {
	for _, m := range marks {
		if bytes.Contains(raw, []byte(m.mark)) {
			return m.name
		}
	}
	return ""
}
