package dialects

import (
	"bytes"
	"strings"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// Detect names the dialect of a body: by its content type and its first bytes, and
// by the host that sent it, each of which may be empty. It reports false as long as
// the bytes do not tell; with the first payload they do. The wire family is found by
// the payload; a chat stream gets the name of the system that gives itself away, or
// whose host it is, and is "compatible" otherwise.
func Detect(contentType, host string, first []byte) (*Dialect, bool) {
	g := detectors.take()
	defer detectors.give(g)
	g.contentType, g.host = contentType, host
	name := g.look(first)
	if name == "" {
		return nil, false
	}
	return byName[name], true
}

var detectors scratch[detector]

// detector looks at the frames of a body as they come.
type detector struct {
	contentType, host string
	guess             *Dialect // of what does not tell; nil for the host's
	framer            framer
	events            sse // the framer, if it is one
	frame             frame
	blank             int    // bytes of white space at the front, until the framing is known
	used              int    // bytes of the frames that have been looked at
	payloads          int    // of them, those that say something and tell nothing
	hint              string // the system that gave itself away, if the stream is chat
	ping              bool   // it sends pings, as Anthropic does
	text              bool   // there has been text outside of events and documents
	ends              bool   // there is no more of it
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
	for g.next(b) {
		if name := g.told(); name != "" {
			return name
		}
	}
	return ""
}

// next goes on to the next frame, if it is complete.
func (g *detector) next(b []byte) bool {
	if !g.framed(b) || !g.framer.next(b[g.used:], g.ends, &g.frame) {
		return false
	}
	g.used += len(g.frame.raw)
	return true
}

// told returns the name that the current frame tells, or that it leaves.
func (g *detector) told() string {
	if name := g.sign(); name != "" {
		return name
	}
	if g.payloads >= untoldPayloads || g.payloads > 0 && g.used >= untoldBytes {
		return g.fallback()
	}
	return ""
}

// alive reports whether the current frame is a sign of life at the front of the body: a
// comment or a blank line, which means the same in any dialect.
func (g *detector) alive() bool {
	return g.used == len(g.frame.raw) && g.frame.kind == frameEmpty && len(g.frame.event) == 0
}

// framed reports whether the framing is known, or can be told by the first bytes.
func (g *detector) framed(b []byte) bool { return g.framer != nil || g.choose(b) }

// choose finds a framing that shows the first payloads, and reports whether there
// are enough bytes to know it.
func (g *detector) choose(b []byte) bool {
	if len(b) > 0 && b[0] == 0 {
		return g.chooseBinary(b)
	}
	var ok bool
	if g.blank, ok = skipBlank(b, g.blank); !ok {
		return false
	}
	switch rest := b[g.blank:]; rest[0] {
	case '[':
		if !g.ends && len(bytes.TrimLeft(rest, "[] \t\r\n")) == 0 {
			return false // a list, or a label in brackets
		}
		if looksJSON(rest) {
			g.framer = new(jsonArray)
			return true
		}
	case '{':
		g.framer = new(ndjson)
		return true
	}
	return g.asText()
}

// asText chooses the framing of events. What follows a line of text may be documents on lines.
func (g *detector) asText() bool {
	g.events.alone = true
	g.framer = &g.events
	return true
}

// chooseBinary is choose for what begins as no text does, but as a message of an AWS event
// stream may, which says so by its content type, its host or the CRC of its beginning.
func (g *detector) chooseBinary(b []byte) bool {
	switch {
	case strings.HasPrefix(g.contentType, awsMedia), g.expectsAWS():
		g.framer = new(awsEvents)
		return true
	case len(b) >= awsPreludeLen:
		if _, err := awsPrelude(b); err == nil {
			g.framer = new(awsEvents)
			return true
		}
	case !g.ends && awsMayBe(b):
		return false
	}
	return g.asText()
}

// expectsAWS reports whether the dialect that was expected is framed as an AWS event stream.
func (g *detector) expectsAWS() bool {
	d := g.expected()
	return d != nil && (d.family == FamilyConverse || d.family == FamilyInvoke)
}

const awsMedia = "application/vnd.amazon.eventstream"

// wireSign recognises a wire family by one frame. It needs no look at one whose members
// are none of those that it goes by.
type wireSign struct {
	of    func(*frame) string
	needs func(topMembers) bool
}

// signs are those of all families. The chat family comes last.
var signs = []wireSign{
	{signBedrock, topMembers.bedrock},
	{signAnthropic, topMembers.typed},
	{signResponses, topMembers.typed},
	{signInteractions, topMembers.interactions},
	{signGemini, topMembers.gemini},
	{signCohere, topMembers.cohere},
	{signOllama, topMembers.ollama},
	{signWatsonx, topMembers.watsonx},
	{signWriter, topMembers.writer},
	{signReplicate, topMembers.replicate},
	{signChat, nil},
}

// signedBy returns the name that a frame is signed with, "" for none.
func signedBy(f *frame) string {
	m := membersOf(f)
	for i := range signs[:len(signs)-1] {
		if s := &signs[i]; m.has(memberUnread) || s.needs(m) {
			if name := s.of(f); name != "" {
				return name
			}
		}
	}
	switch {
	case m.has(memberUnread):
		return signChat(f)
	case m.all(memberWhole | memberChoices):
		return "compatible"
	default:
		return ""
	}
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
		return g.unsigned() // a page or an error: nothing else will tell
	case f.kind == frameJunk, saysNothing(f.data):
		return ""
	case isPing(f.data):
		g.ping = true
		return ""
	}
	switch name := signedBy(f); {
	case name == "compatible":
		return g.chat()
	case name != "":
		return name
	case g.untold():
		g.payloads++
		return ""
	default:
		return g.unsigned()
	}
}

// untold reports whether the current frame, which no family claims, leaves open whose
// it is: an object that is no part of a chat answer, and reports no error.
func (g *detector) untold() bool {
	f := &g.frame
	if f.kind == frameError || string(f.event) == "error" {
		return false
	}
	return g.reads(func(fd *findings) bool { return !fd.known && fd.native.Empty() && !fd.fault() })
}

// reads asks about what the current frame says, if it is an object, in the chat family.
func (g *detector) reads(ask func(*findings) bool) bool {
	if firstObject(g.frame.data) == nil {
		return false
	}
	p := chat{words: finishWords}
	outer := chatWork.lend(&p.chatReading)
	defer chatWork.back(&p.chatReading, outer)
	p.cur.Reset(g.frame.data)
	p.document(new(reader))
	return ask(&p.found)
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
		return onlyDone(data)
	}
}

// onlyDone reports whether a payload is the sentinel, and says no more: what begins so may be
// text, where it is not known that it ends an answer.
func onlyDone(data []byte) bool { return bytes.EqualFold(bytes.Trim(data, " \t\r\n\""), doneWord) }

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

// chat names a stream that is chat: by what its system writes, by its host, or as the
// tolerant base. A host that speaks another family has an endpoint for chat besides.
func (g *detector) chat() string {
	if d := g.expected(); g.hint == "" && d != nil && d.family != FamilyChat {
		return "compatible"
	}
	return g.unsigned()
}

// unsigned names a stream that no family claims, in the same way.
func (g *detector) unsigned() string {
	d := g.expected()
	_, aws := g.framer.(*awsEvents)
	switch {
	case aws && !g.expectsAWS():
		return "bedrock-converse"
	case g.hint != "":
		return g.hint
	case d != nil:
		return d.name
	default:
		return "compatible"
	}
}

// expected is the dialect that was expected before the first byte; nil for none.
func (g *detector) expected() *Dialect {
	if g.guess != nil {
		return g.guess
	}
	return byName[nameOfHost(g.host)]
}

// marks are what only one system writes: a comment, or a member, with that value
// unless it is empty.
var marks = [...]struct{ comment, key, value, name string }{
	{comment: "OPENROUTER PROCESSING", name: "openrouter"},
	{key: `"native_finish_reason"`, name: "openrouter"},
	{key: `"object"`, value: `"text_completion"`, name: "completions"},
	{key: `"x_groq"`, name: "groq"},
	{key: `"prompt_filter_results"`, name: "azure"},
	{key: `"object"`, value: `"chat.completion.done"`, name: "perplexity"},
	{key: `"base_resp"`, name: "minimax"},
	{key: `"system_fingerprint"`, value: `"fp_ollama"`, name: "ollama-openai"},
}

// markStarts are the first letters of the keys among them.
var markStarts = func() (starts [256]bool) {
	for _, m := range marks {
		if m.key != "" {
			starts[m.key[1]] = true
		}
	}
	return starts
}()

// mark returns the system that gives itself away in a frame: the first of marks that is
// there.
func mark(raw []byte) string {
	found, seen := len(marks), [len(marks)]int{}
	for i := range marks {
		if m := &marks[i]; m.comment != "" && hasComment(raw, m.comment) {
			found = i
			break
		}
	}
	for at, c := range raw {
		if c != '"' || at+1 == len(raw) || !markStarts[raw[at+1]] {
			continue
		}
		for i := range marks[:found] {
			m := &marks[i]
			if m.key == "" || at < seen[i] || !bytes.HasPrefix(raw[at:], []byte(m.key)) {
				continue
			}
			seen[i] = at + len(m.key)
			if isMember(raw[seen[i]:], m.value) {
				found = i
				break
			}
		}
	}
	if found == len(marks) {
		return ""
	}
	return marks[found].name
}

// hasComment reports whether a comment begins so. A blank after the colon is usual.
func hasComment(raw []byte, text string) bool {
	at := bytes.Index(raw, []byte(text))
	return at >= 0 && bytes.HasSuffix(bytes.TrimRight(raw[:at], " "), []byte(":"))
}

// isMember reports whether rest, which follows a key, goes on as a member with that
// value, with and without blanks around the colon. The quotes of a key that is only
// quoted are escaped.
func isMember(rest []byte, value string) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t"), []byte(":"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(value))
}
