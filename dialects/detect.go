package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell/internal/jsonscan"
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
	blank             int    // bytes of white space at the front, until the framing is known
	used              int    // bytes of the frames that have been looked at
	alive             int    // of them, those at the front that are signs of life and no more
	payloads          int    // of them, those that say something and tell nothing
	hint              string // the system that gave itself away, if the stream is chat
	ping              bool   // it sends pings, as Anthropic does
}

// A body that has sent so much, and of which no family claims anything, is taken for
// chat.
const (
	untoldPayloads = 16
	untoldBytes    = 64 << 10
)

// look returns the name of the dialect, "" as long as it is not known. b is the body
// from its beginning.
func (g *detector) look(b []byte) string {
	if g.framer == nil && !g.choose(b) {
		return ""
	}
	for g.framer.next(b[g.used:], false, &g.frame) {
		if g.used == g.alive && g.frame.kind == frameEmpty && len(g.frame.event) == 0 {
			g.alive += len(g.frame.raw)
		}
		g.used += len(g.frame.raw)
		if name := g.sign(); name != "" {
			return name
		}
		if g.payloads >= untoldPayloads || g.payloads > 0 && g.used >= untoldBytes {
			return g.fallback()
		}
	}
	return ""
}

// choose finds a framing that shows the first payloads, and reports whether there
// are enough bytes to know it.
func (g *detector) choose(b []byte) bool {
	if len(b) > 0 && b[0] == 0 {
		g.framer = new(awsEvents)
		return true
	}
	var ok bool
	if g.blank, ok = skipBlank(b, g.blank); !ok {
		return false
	}
	switch b[g.blank] {
	case '[':
		g.framer = new(jsonArray)
	case '{':
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
	switch {
	case replicateOutput(f):
		return "replicate"
	case f.kind == frameError, string(f.event) == "error":
	case f.kind == frameJunk && (f.data[0] == '<' || saysError(bytes.TrimSpace(f.data))):
		return g.variant() // a page or an error: nothing else will tell
	case f.kind == frameJunk, saysNothing(f.data):
		return ""
	case isPing(f.data):
		g.ping = true
		return ""
	}
	for _, sign := range signs {
		name := sign(f)
		switch name {
		case "":
		case "compatible":
			return g.variant()
		default:
			return name
		}
	}
	if g.untold() {
		g.payloads++
		return ""
	}
	return g.variant()
}

// untold reports whether the current frame, which no family claims, leaves open whose
// it is: an object that is no part of a chat answer, and reports no error.
func (g *detector) untold() bool {
	f := &g.frame
	if f.kind == frameError || string(f.event) == "error" || firstObject(f.data) == nil {
		return false
	}
	p := chat{chatReading: new(chatReading), words: finishWords}
	p.cur.Reset(f.data)
	p.document(new(reader))
	fd := &p.found
	return !fd.known && fd.native.Empty() && !fd.fault()
}

// isPing reports whether a payload is a ping, which several families send.
func isPing(data []byte) bool {
	var c jsonscan.Cursor
	c.Reset(data)
	c.Object()
	key, _ := c.Key()
	if string(key) != "type" {
		return false
	}
	s, _ := c.Str()
	_, more := c.Key()
	return s.Equal("ping") && !more && c.End() == nil
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

// marks are what only one system writes: a comment, or a member, with that value
// unless it is empty.
var marks = []struct{ comment, key, value, name string }{
	{comment: "OPENROUTER PROCESSING", name: "openrouter"},
	{key: `"native_finish_reason"`, name: "openrouter"},
	{key: `"object"`, value: `"text_completion"`, name: "completions"},
	{key: `"x_groq"`, name: "groq"},
	{key: `"prompt_filter_results"`, name: "azure"},
	{key: `"object"`, value: `"chat.completion.done"`, name: "perplexity"},
	{key: `"base_resp"`, name: "minimax"},
	{key: `"system_fingerprint"`, value: `"fp_ollama"`, name: "ollama-openai"},
}

// mark returns the system that gives itself away in a frame.
func mark(raw []byte) string {
	for i := range marks {
		m := &marks[i]
		if m.comment != "" && hasComment(raw, m.comment) || m.key != "" && hasMember(raw, m.key, m.value) {
			return m.name
		}
	}
	return ""
}

// hasComment reports whether a comment begins so. A blank after the colon is usual.
func hasComment(raw []byte, text string) bool {
	at := bytes.Index(raw, []byte(text))
	return at >= 0 && bytes.HasSuffix(bytes.TrimRight(raw[:at], " "), []byte(":"))
}

// hasMember reports whether a key with that value stands anywhere, with and without
// blanks around the colon. The quotes of a key that is only quoted are escaped.
func hasMember(raw []byte, key, value string) bool {
	for {
		at := bytes.Index(raw, []byte(key))
		if at < 0 {
			return false
		}
		raw = raw[at+len(key):]
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(raw, " \t"), []byte(":"))
		if ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(value)) {
			return true
		}
	}
}
