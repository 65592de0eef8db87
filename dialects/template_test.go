package dialects

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// requireNoDifference holds that a body says the same with templates and without,
// keep-alives of unfinished frames apart.
func requireNoDifference(t *testing.T, d *Dialect, body string, opt Options, rng *rand.Rand) {
	t.Helper()
	parsed := opt
	parsed.NoTemplates = true
	ways := map[string]func() io.Reader{
		"whole":    func() io.Reader { return bodyOf(body) },
		"with eof": func() io.Reader { return iotest.DataErrReader(bodyOf(body)) },
	}
	if len(body) < 8<<10 { // longer ones show no more, and take long
		ways["bytewise"] = func() io.Reader { return iotest.OneByteReader(bodyOf(body)) }
	}
	if n := len(body); n > 0 {
		at := rng.IntN(n)
		ways[fmt.Sprint("split at ", at)] = func() io.Reader { return inTwo(body, at) }
		ways["reset"] = func() io.Reader { return io.MultiReader(bodyOf(body[:at]), broken()) }
	}
	for way, r := range ways {
		want, got := hear(d.Stream(r(), parsed)), hear(d.Stream(r(), opt))
		require.Equal(t, want.chunks, got.chunks, "%s, %s: %q", d.Name(), way, body)
		require.Equal(t, want.raw, got.raw, "%s, %s", d.Name(), way)
		require.Equal(t, ending(want.end), ending(got.end), "%s, %s: %q", d.Name(), way, body)
		few := opt
		few.LastUsage = true
		last := hear(d.Stream(r(), few))
		require.Equal(t, uncounted(want.chunks), uncounted(last.chunks), "%s, %s: %q", d.Name(), way, body)
		require.Equal(t, want.raw, last.raw, "%s, %s", d.Name(), way)
		require.Equal(t, ending(want.end), ending(last.end), "%s, %s: %q", d.Name(), way, body)
		asked := hear(asking{d.Stream(r(), opt).(*reader)})
		require.Equal(t, want.content(), asked.content(), "%s, %s: %q", d.Name(), way, body)
		require.Equal(t, want.raw, asked.raw, "%s, %s", d.Name(), way)
		require.Equal(t, ending(want.end), ending(asked.end), "%s, %s: %q", d.Name(), way, body)
	}
}

// uncounted is what is said beside usage.
func uncounted(cs []endwell.Chunk) []endwell.Chunk {
	return slices.DeleteFunc(slices.Clone(cs), func(c endwell.Chunk) bool { return c.Kind == endwell.KindUsage })
}

// asking is a stream that is asked whether it is ready before each Recv.
type asking struct{ *reader }

func (a asking) Recv() (endwell.Chunk, error) {
	a.RecvReady()
	return a.reader.Recv()
}

// spoil changes what stands at some place of a frame: a byte, a piece of text, an
// escape that is one or is none.
func spoil(rng *rand.Rand, frame string) string {
	if len(frame) == 0 {
		return frame
	}
	at := rng.IntN(len(frame))
	pieces := [...]string{"", `"`, `\`, `\n`, `\u00e9`, `\x`, `\u12`, "\x01", "\n", "\r", "é", "\xff", "7", "a", `\\`, "-", ".", "e", "null", "error", "stop", " ", "  ", "\t"}
	piece := pieces[rng.IntN(len(pieces))]
	if rng.IntN(2) == 0 {
		return frame[:at] + piece + frame[at:]
	}
	return frame[:at] + piece + frame[at+1:]
}

func TestTemplatesChangeNothing(t *testing.T) {
	eachAnswer(t, func(t *testing.T, a answer, d *Dialect) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			var b strings.Builder
			for _, frame := range a.frames {
				b.WriteString(frame)
				for again := rng.IntN(6); again > 0; again-- {
					switch rng.IntN(3) {
					case 0:
						b.WriteString(frame)
					default:
						b.WriteString(spoil(rng, frame))
					}
				}
			}
			requireNoDifference(t, d, b.String(), Options{NoText: rng.IntN(2) == 0}, rng)
		}
	})
}

// Frames whose template a repetition meets, and those that only look like it.
func TestTemplate(t *testing.T) {
	chat := func(rest string) string {
		return `{"id":"c","created":17,"choices":[{"index":0,"delta":{"content":` + rest
	}
	const end = `}}],"pad":"x","obfuscation":"aa"}`
	for _, row := range []struct {
		name  string
		next  string
		meets bool
	}{
		{"other text", chat(`"two"` + end), true},
		{"text with escapes", chat(`"a\n\"\u00e9\ud83d\ude42"` + end), true},
		{"bytes that are not UTF-8", chat("\"\xff\xfe\"" + end), true},
		{"other padding", chat(`"two"}}],"pad":"","obfuscation":"\u0061\\"}`), true},
		{"another counter", strings.Replace(chat(`"two"`+end), "17", "-1.5e9", 1), true},
		{"empty text", chat(`""` + end), false},
		{"text that is none", chat(`null` + end), false},
		{"a finish word", chat(`"two"},"finish_reason":"stop"}]}`), false},
		{"another choice", strings.Replace(chat(`"two"`+end), `"index":0`, `"index":1`, 1), false},
		{"an error beside it", chat(`"two"}}],"pad":"x","error":{"message":"x"},"obfuscation":"aa"}`), false},
		{"an escape that is none", chat(`"\x"` + end), false},
		{"half an escape", chat(`"\u00"` + end), false},
		{"a control byte in the text", chat("\"a\tb\"" + end), false},
		{"a control byte in the padding", chat("\"two\"}}],\"pad\":\"\x01\",\"obfuscation\":\"aa\"}"), false},
		{"a number that is none", strings.Replace(chat(`"two"`+end), "17", "017", 1), false},
		{"a number where a string was", chat(`"two"}}],"pad":7,"obfuscation":"aa"}`), false},
		{"more behind the document", chat(`"two"` + end + `}`), false},
		{"a space that was not there", chat(`"two" ` + end), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := frames(chat(`"one"`+end), chat(`"one"`+end), chat(`"one"`+end))
			d := MustByName("openai")
			requireNoDifference(t, d, before+frames(row.next, chat(`"three"`+end)), Options{}, rand.New(rand.NewPCG(3, 4)))
			require.Equal(t, row.meets, len(meets(d, before+frames(row.next))) == 2)
		})
	}
}

// meets decodes a body and returns the chunks that a template was met by.
func meets(d *Dialect, body string) (met []string) {
	s := d.Stream(bodyOf(body), Options{}).(*reader)
	for {
		c, err := s.Recv()
		if err != nil {
			return met
		}
		if t := s.tmpl; t != nil && t.live && t.misses == 0 && c.Kind != endwell.KindKeepAlive && c.Kind != endwell.KindUsage {
			text := c.Text + c.Detail
			if c.ToolCall != nil {
				text = c.ToolCall.Arguments
			}
			met = append(met, text)
		}
	}
}

// Each family's frames of text meet their template, whatever the counters beside it.
func TestTemplatesAreMet(t *testing.T) {
	const chat = `{"id":"c","created":%[2]d,"choices":[{"index":0,"delta":{"content":"%[1]s"}}]}`
	const claude = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%[1]s"},"p":%[2]d}`
	claudeFrames := func(docs ...string) string {
		body := awsChunk(aStart)
		for _, doc := range docs {
			body += awsChunk(doc)
		}
		return body
	}
	for _, row := range []struct {
		name, dialect, doc string
		write              func(docs ...string) string
	}{
		{"chat", "openai", chat, frames},
		{"chat, CRLF", "openai", chat, func(docs ...string) string { return strings.ReplaceAll(frames(docs...), "\n", "\r\n") }},
		{"reasoning", "deepseek", `{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"%[1]s"}}],"n":%[2]d}`, frames},
		{"anthropic", "anthropic", claude, func(docs ...string) string { return named(aStart) + named(docs...) }},
		{"anthropic, padded", "anthropic", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%[1]s"}%[3]s}`, func(docs ...string) string { return named(aStart) + named(docs...) }},
		{"reasoning in details too", "openrouter", `{"choices":[{"index":0,"delta":{"content":"","reasoning":"%[1]s","reasoning_details":[{"type":"reasoning.text","text":"%[1]s","index":%[2]d}]}}]%[3]s}`, frames},
		{"reasoning behind details", "openrouter", `{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"%[1]s","n":%[2]d}],"reasoning_content":"%[1]s"}}]}`, frames},
		{"reasoning in details alone", "openrouter", `{"choices":[{"index":0,"delta":{"reasoning_details":[{"format":"f%[2]d","type":"reasoning.text","text":"%[1]s"}]}}]}`, frames},
		{"reasoning by two names", "openrouter", `{"choices":[{"index":0,"delta":{"reasoning":"%[1]s","reasoning_content":"%[1]s"}}],"n":%[2]d}`, frames},
		{"parts", "mistral", `{"id":"%[2]d","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"%[1]s"}]}}]}`, frames},
		{"parts of thinking", "mistral", `{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"%[1]s"}],"n":%[2]d}]}}]}`, frames},
		{"arguments, chat", "openai", `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"%[1]s"}}]}}],"n":%[2]d}`, frames},
		{"arguments, anthropic", "anthropic", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"%[1]s"}%[3]s}`, func(docs ...string) string {
			return named(aStart, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"i","name":"f","input":{}}}`) + named(docs...)
		}},
		{"arguments, responses", "responses", `{"type":"response.function_call_arguments.delta","item_id":"i","output_index":0,"delta":"%[1]s","sequence_number":%[2]d}`, func(docs ...string) string {
			return frames(`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":""}}`) + frames(docs...)
		}},
		{"arguments, a custom tool's", "responses", `{"type":"response.custom_tool_call_input.delta","item_id":"i","output_index":0,"delta":"%[1]s","sequence_number":%[2]d}`, func(docs ...string) string {
			return frames(`{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","id":"i","call_id":"c","name":"f","input":""}}`) + frames(docs...)
		}},
		{"arguments, cohere", "cohere", `{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"%[1]s"},"n":%[2]d}}}}`, frames},
		{"arguments, converse", "bedrock-converse", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"%[1]s"}},"p":"a%[2]d"}`, func(docs ...string) (body string) {
			for _, doc := range docs {
				body += awsSend("contentBlockDelta", doc)
			}
			return body
		}},
		{"responses", "responses", `{"type":"response.output_text.delta","item_id":"i","sequence_number":%[2]d,"delta":"%[1]s"}`, frames},
		{"cohere", "cohere", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"%[1]s"}}},"n":%[2]d}`, frames},
		{"ollama", "ollama", `{"model":"m","created_at":"t%[2]d","message":{"role":"assistant","content":"%[1]s"},"done":false}`, lines},
		{"cohere-v1", "cohere-v1", `{"is_finished":false,"event_type":"text-generation","text":"%[1]s","n":%[2]d}`, lines},
		{"converse", "bedrock-converse", `{"contentBlockIndex":0,"delta":{"text":"%[1]s"},"p":"a%[2]d"}`, func(docs ...string) (body string) {
			for _, doc := range docs {
				body += awsSend("contentBlockDelta", doc)
			}
			return body
		}},
		{"invoke", "bedrock-invoke", claude, claudeFrames},
		{"gemini", "gemini", geminiCounted, frames},
		{"gemini, CRLF", "gemini", geminiCounted, func(docs ...string) string { return strings.ReplaceAll(frames(docs...), "\n", "\r\n") }},
		{"gemini, wrapped", "gemini", `{"response":` + geminiCounted + `,"traceId":"t%[2]d"}`, frames},
		{"gemini, a list", "gemini", geminiCounted, func(docs ...string) string { return "[{},\n" + strings.Join(docs, ",\n") + "]" }},
		{"gemini, thoughts", "gemini", `{"candidates":[{"content":{"parts":[{"text":"%[1]s","thought":true}]}}],"usageMetadata":{"thoughtsTokenCount":%[2]d}}`, frames},
		{"interactions", "interactions", `{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"%[1]s"},"event_id":"%[2]d"}`, frames},
		{"counts in every frame", "vllm", `{"id":"c","choices":[{"index":0,"delta":{"content":"%[1]s"}}],` +
			`"usage":{"prompt_tokens":5,"total_tokens":%[2]d,"completion_tokens":%[2]d,"completion_tokens_details":{"reasoning_tokens":%[2]d}}}`, frames},
		{"counts in every choice", "moonshot", `{"id":"c","choices":[{"index":0,"usage":{"total_tokens":%[2]d},"delta":{"content":"%[1]s"}}]}`, frames},
		{"counts of two names", "deepseek", `{"usage":{"prompt_cache_hit_tokens":%[2]d,"prompt_tokens_details":{"cached_tokens":%[2]d}},` +
			`"choices":[{"index":0,"delta":{"reasoning_content":"%[1]s"}}]}`, frames},
	} {
		t.Run(row.name, func(t *testing.T) {
			var docs []string
			for i, text := range []string{"a", "bb", "c", "dd"} {
				docs = append(docs, fmt.Sprintf(row.doc, text, 8+i, strings.Repeat(" ", i*7%5)))
			}
			d, body := MustByName(row.dialect), row.write(docs...)
			require.Equal(t, []string{"c", "dd"}, meets(d, body))
			rng := rand.New(rand.NewPCG(5, 6))
			requireNoDifference(t, d, body, Options{}, rng)
			for range 40 {
				near := slices.Clone(docs)
				for i := range near {
					if rng.IntN(3) == 0 {
						near[i] = spoil(rng, near[i])
					}
				}
				requireNoDifference(t, d, row.write(near...), Options{}, rng)
			}
		})
	}
}

// Blanks before the last brace are let pass at once when they have varied; white space
// that ends a line or an element is none.
func TestTemplateOfPadding(t *testing.T) {
	doc := chatText("a")
	padded := func(by string) string { return doc[:len(doc)-1] + by + "}" }
	s := MustByName("openai").Stream(bodyOf(frames(doc, doc, doc, padded("  "), padded("   "))), Options{}).(*reader)
	for n := range 5 {
		_, err := s.Recv()
		require.NoError(t, err)
		require.Equal(t, n >= 3, s.tmpl != nil && s.tmpl.padded)
	}
	require.True(t, s.tmpl.walk([]byte(frames(padded(" "))), false, new(match)))
	require.False(t, s.tmpl.walk([]byte(frames(padded("\t"))), true, new(match)))

	rng := rand.New(rand.NewPCG(8, 8))
	for _, by := range []string{"\n", "\r", "\r\n", "\t", " \n", "\n ", "\v", "\u00a0", "\x00", ""} {
		for name, write := range map[string]func(...string) string{
			"openai": frames, "ollama": lines, "gemini": func(docs ...string) string { return "[" + strings.Join(docs, ",") + "]" },
		} {
			doc := map[string]string{"openai": doc, "ollama": ollamaChat(`"content":"a"`), "gemini": geminiText("a")}[name]
			pad := func(by string) string { return doc[:len(doc)-1] + by + "}" }
			requireNoDifference(t, MustByName(name), write(doc, doc, pad(" "), pad("  "), pad(by), pad(" "+by), pad(" ")), Options{}, rng)
		}
	}
}

// A part of a document that is read twice is no part of a template.
func TestTemplateOfPartsReadTwice(t *testing.T) {
	const doc = `{"parts":["a"]}`
	learn := func(parts ...string) bool {
		d := &reader{lesson: new(lesson)}
		f := &frame{data: []byte(doc)}
		var c jsonscan.Cursor
		d.lesson.read = f.data
		for _, part := range parts {
			at := strings.Index(doc, part)
			d.nested(&c, f.data[at:at+len(part):at+len(part)])
			c.Array()
			for c.Elem() {
				s, _ := c.Str()
				d.say(s)
			}
		}
		return d.lesson.study(f.data, f)
	}
	require.True(t, learn(`["a"]`))
	require.False(t, learn(`["a"]`, `["a"]`))
}

// The same frame again may begin another call, or repeat what only one frame may say.
func TestTemplatesOfCalls(t *testing.T) {
	call := func(members string) string { return delta(`"tool_calls":[{` + members + `}]`) }
	again := func(docs ...string) string {
		return frames(chatText("a"), chatText("b")) + strings.Repeat(frames(docs...), 5)
	}
	spoken := frames(strings.Repeat(`{"type":"response.output_text.delta","item_id":"m","delta":"a"}`+"\n\ndata: ", 2) + `{"type":"keepalive"}`)
	item := `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":""}}`
	done := `{"type":"response.function_call_arguments.done","item_id":"i","output_index":0,"arguments":"{}"}`
	for name, row := range map[string]struct{ dialect, body string }{
		"an id in every frame":          {"openai", again(call(`"index":0,"id":"A","function":{"arguments":"1"}`))},
		"a name and an id in every one": {"openai", again(call(`"index":0,"id":"A","function":{"name":"f","arguments":"1"}`))},
		"whole calls, without an id":    {"mistral", again(call(`"function":{"name":"f","arguments":"{}"}`))},
		"arguments that are no text":    {"openai", again(call(`"index":0,"function":{"arguments":{"a":1}}`))},
		"text and then no text":         {"openai", again(call(`"index":0,"function":{"arguments":"1","arguments":[1]}`))},
		"two calls by turns":            {"openai", again(call(`"index":0,"function":{"arguments":"1"}`), call(`"index":1,"function":{"arguments":"2"}`))},
		"parts of a whole message":      {"openai", again(`{"choices":[{"index":1,"message":{"content":[{"type":"text","text":"x"}]}}]}`)},
		"details of a whole message":    {"openai", again(`{"choices":[{"index":1,"message":{"reasoning_details":[{"type":"reasoning.text","text":"x"}]}}]}`)},
		"calls of a whole message":      {"openai", again(`{"choices":[{"index":1,"message":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]}}]}`)},
		"a whole answer in a wrapper":   {"openai", again(`{"response":"abc","result":{"message": "xxxxxxxxxxxx"}}`) + frames(`{"response":"Z":{"message": "xxxxxxxxxxxx"}}`)},
		"choices in a wrapper":          {"openai", again(`{"result":        {"choices":[{"index":0,"delta":{"content":"abc"}}],"object":"xxxxxxxx"}}`) + frames(`{"result":        {"choices":[{"index":0,"delta":{"content":"Z,"object":"xxxxxxxx"}}`)},
		"a finish word behind the text": {"cohere-v1", strings.Repeat(`{"text":"a","generations":[{"finish_reason":""}]}`+"\n", 3) + `{"text":"a","generations":[{"finish_reason":"ERROR"}]}` + "\n"},
		"free text":                     {"openai", again(call(`"index":0,"custom":{"input":"1"}`))},
		"an index beyond all":           {"openai", again(call(`"index":1048576,"function":{"arguments":"1"}`), call(`"index":4294967296,"function":{"arguments":"1"}`))},
		"a choice beyond all":           {"openai", again(`{"choices":[{"index":1048576,"delta":{"content":"a"}}]}`, `{"choices":[{"index":4294967296,"delta":{"content":"a"}}]}`)},
		"arguments that are done":       {"responses", spoken + frames(item) + strings.Repeat(frames(done), 5)},
		"whole calls of cohere":         {"cohere", again(`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":[{"function":{"arguments":"1"}}]}}}`)},
		"text and then no text, of converse": {"bedrock-converse", strings.Repeat(awsSend("contentBlockDelta", `{"delta":{"text":"a"}}`), 3) +
			strings.Repeat(awsSend("contentBlockDelta", `{"delta":{"toolUse":{"input":"1","input":[1]}}}`), 5)},
		"more parts than are noted": {"mistral", again(delta(`"content":[` +
			strings.Repeat(`{"type":"thinking","thinking":[{"type":"text","text":""}]},`, 4) + `{"type":"text","text":"a"}]`))},
	} {
		t.Run(name, func(t *testing.T) {
			requireNoDifference(t, MustByName(row.dialect), row.body, Options{}, rand.New(rand.NewPCG(7, 7)))
		})
	}
}

// A part that is done is said once, however often its event comes.
func TestTemplatesOfDoneEvents(t *testing.T) {
	done := func(kind string, n int, text string) string {
		return fmt.Sprintf(`{"type":"response.%s.done","item_id":"m1","output_index":1,"content_index":0,"text":"%s","sequence_number":%d}`, kind, text, n)
	}
	for _, kind := range []string{"output_text", "reasoning_text", "reasoning_summary_text"} {
		body := frames(`{"type":"response.output_text.delta","item_id":"m0","output_index":0,"content_index":0,"delta":"Hi."}`,
			done(kind, 9, "Hello"), done(kind, 10, "Hello"), done(kind, 11, "Other"), done(kind, 12, "Other"))
		requireNoDifference(t, MustByName("responses"), body, Options{}, rand.New(rand.NewPCG(9, 9)))
	}
}

func chatText(text string) string {
	return `{"id":"c","choices":[{"index":0,"delta":{"content":"` + text + `"}}]}`
}

// A frame that is cut is not held against the template over and over: one frame of
// any size is read in linear time, however it is split.
func TestTemplateTries(t *testing.T) {
	d := MustByName("openai")
	body := frames(chatText("a"), chatText("b"), chatText(strings.Repeat("c", 1<<20)))
	s := d.Stream(iotest.OneByteReader(bodyOf(body)), Options{NoText: true}).(*reader)
	for {
		if _, err := s.Recv(); err != nil {
			return
		}
		if s.tmpl != nil {
			require.LessOrEqual(t, int(s.tmpl.tries), maxTries)
		}
	}
}

// A stream whose frames are never alike stops looking for templates.
func TestTemplateGivesUp(t *testing.T) {
	d := MustByName("openai")
	var b strings.Builder
	for i := range 3 * maxMisses {
		b.WriteString(frames(strings.Replace(chatText("a"), `"index":0`, fmt.Sprintf(`"index":%d`, i%2), 1)))
	}
	s := d.Stream(bodyOf(b.String()), Options{}).(*reader)
	for range 3 * maxMisses {
		_, err := s.Recv()
		require.NoError(t, err)
	}
	require.EqualValues(t, maxMisses, s.tmpl.misses)
	require.False(t, s.tmpl.live)
}

// The corpora say the same with templates and without.
func TestCorpusTemplates(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	type rate struct{ met, chunks int }
	rates := map[string]*rate{}
	for _, s := range append(recordings(t), cases(t)...) {
		d, ok := ByName(s.dialect())
		if !ok || s.Status != 0 && s.Status/100 != 2 {
			continue
		}
		requireNoDifference(t, d, s.body, Options{}, rng)
		r := rates[string(d.Family())]
		if r == nil {
			r = new(rate)
			rates[string(d.Family())] = r
		}
		for _, c := range hear(d.Stream(bodyOf(s.body), Options{})).chunks {
			if goesOn(&c) {
				r.chunks++
			}
		}
		r.met += len(meets(d, s.body))
	}
	for family, r := range rates {
		t.Logf("%s: %d of %d chunks of text and arguments met a template", family, r.met, r.chunks)
	}
}

// What a template says is written over what it said last; nothing of what was there
// otherwise may show: frames of many chunks grow the queue, and are dropped again.
func TestTemplateSaysNothingElse(t *testing.T) {
	one := `{"id":"c","choices":[{"index":0,"delta":{"content":"one"}}],"obfuscation":"aa"}`
	call := `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"{"}}]},"finish_reason":"tool_calls"}]}`
	usage := `{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`
	many := func(n int, delta string) string {
		choices := make([]string, n)
		for i := range choices {
			choices[i] = fmt.Sprintf(`{"index":%d,"delta":%s}`, i, delta)
		}
		return `{"id":"c","choices":[` + strings.Join(choices, ",") + `]}`
	}
	between := []string{call, usage, many(2, `{"content":"x"}`), many(17, `{"reasoning_content":"y"}`), many(40, `{"tool_calls":[{"index":0,"function":{"arguments":"1"}}]}`)}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		var b strings.Builder
		for range 12 {
			b.WriteString(frames(between[rng.IntN(len(between))]))
			for range rng.IntN(4) {
				b.WriteString(frames(one))
			}
		}
		requireNoDifference(t, MustByName("openai"), b.String(), Options{NoText: rng.IntN(2) == 0}, rng)
	}
}
