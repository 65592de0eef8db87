package dialects

import (
	"encoding/json"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// fuzzed is what a fuzz target begins with: the answers of dialects, whole and in
// parts, and more.
type fuzzed struct {
	dialects []string
	more     []seed
}

// seed is the arguments of one run.
type seed []any

// fuzzTargets has a row for each target. The bodies of dialects are split at an
// offset; a framing's too.
var fuzzTargets = map[string]fuzzed{
	"FuzzChat": {[]string{"openai"}, []seed{
		{"error: {\"code\":400}\n\ndata: [DONE]\n\n", 3},
		{"{\"error\":\"x\"}\r\ndata: {\"choices\":null}\r\r", 5},
		{"\xef\xbb\xbfdata:{\"choices\":[{\"index\":1,\"message\":{\"content\":[\"a\"]}}]}", 9},
		{"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"\\ud83d\",\"function\":{\"arguments\":{}}}]}}]}\n\n", 30},
		{"<html>", 1},
	}},
	"FuzzDetecting": {[]string{"openai", "anthropic", "responses", "gemini", "cohere", "ollama"}, []seed{
		{"data: {\"row\":1}\n\n: more\n\ndata: {\"row\":2}\n\ndata: [DONE]\n\n", 9},
		{"Hello\n\ndata: {\"row\":1}\n\n", 3},
		{": hi\n {\"a\"}\n", 7},
		{"Hello\n{", 6},
		{"Hello\nyou\n\n" + frames(chatText("a"), "[DONE]"), 8},
		{"data: one\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n", 5},
		{"data: one\n\n" + frames(chatText("a")), 12},
		{"data: {\"a\":1}\n\n" + frames(chatText("a"), "[DONE]"), 20},
		{"{\"row\":1}\n{\"row\":2}\n", 3},
		{"[1,{\"row\":1}]", 3},
		{"No error: all is well\n", 3},
		{"Error: the model is busy\n", 9},
		{"Hello\n\ufeffdata: {\"error\":{\"message\":\"x\"}}\n\n", 6},
	}},
	"FuzzTemplates": {nil, []seed{
		{0, chatText("a"), chatText(`\n\u00e9`)},
		{1, aHi, aDelta("0", `{"type":"thinking_delta","thinking":"x"}`)},
		{2, `{"type":"response.output_text.delta","sequence_number":7,"delta":"a"}`, `{"type":"response.output_text.delta","sequence_number":1e5,"delta":"a"}`},
		{3, cohereDelta("0", `"text":"a"`), cohereDelta("0", `"text":""`)},
		{4, `{"event_type":"text-generation","text":"a"}`, `{"event_type":"text-generation","text":"a","finish_reason":"x"}`},
		{5, ollamaChat(`"content":"a"`), ollamaChat(`"content":"\x"`)},
		{6, `{"delta":{"text":"a"},"p":"a"}`, `{"delta":{"text":"a"},"p":"abc"}`},
		{7, aHi, aHi + " "},
		{1, aHi[:len(aHi)-1] + "   }", aHi[:len(aHi)-1] + "\t }"},
		{0, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"a"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"i","function":{"arguments":"b"}}]}}]}`},
		{1, aDelta("0", `{"type":"input_json_delta","partial_json":"{"}`), aDelta("1", `{"type":"input_json_delta","partial_json":"}"}`)},
		{2, `{"type":"response.function_call_arguments.delta","item_id":"i","delta":"a"}`, `{"type":"response.function_call_arguments.done","item_id":"i","arguments":"b"}`},
		{3, `{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"a"}}}}}`, `{"message":{"tool_calls":[{"function":{"arguments":"a"}}]}}`},
		{6, `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"a"}}}`, `{"contentBlockIndex":0,"delta":{"toolUse":{"input":{"a":1}}}}`},
		{0, `{"choices":[{"delta":{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]}}]}`, `{"choices":[{"delta":{"reasoning":"","reasoning_details":[{"type":"reasoning.text","text":"b"}]}}]}`},
		{0, `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}}]}`, `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":""}]}]}}]}`},
	}},
	"FuzzAnthropic": {[]string{"anthropic"}, []seed{
		{"event: error\ndata: {\"type\":\"error\",\"error\":{}}\n\n", 3},
		{"data: {\"type\":\"message\",\"content\":[{\"type\":\"tool_use\",\"input\":{\"a\":[]}}],\"stop_reason\":\"tool_use\"}", 9},
		{"data: {\"type\":\"message_start\",\"message\":{}}\rdata: {\"type\":\"content_block_start\",\"index\":-1,\"content_block\":{\"type\":\"tool_use\",\"input\":\"{\"}}\r\r", 40},
	}},
	"FuzzResponses": {[]string{"responses"}, []seed{
		{"data: {\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":\"x\"},1,[{}]]}", 3},
		{"data: {\"type\":\"response.done\",\"response\":{\"output\":[{\"type\":\"function_call\",\"arguments\":{\"a\":1}}]}}\n\n", 30},
		{"data: {\"type\":\"response.function_call_arguments.done\",\"output_index\":1e9,\"arguments\":\"\\ud83d\"}\n\ndata: {\"type\":\"response.incomplete\"}", 40},
	}},
	"FuzzGemini": {[]string{"gemini"}, []seed{
		{frames(geminiText("a")) + strings.ReplaceAll(geminiBusy, ",", ",\n,") + "\n", 90},
		{"[" + geminiBusy + "]", 3},
		{frames(`{"promptFeedback":{"blockReason":"SAFETY"}}`, "[DONE]"), 7},
		{frames(geminiCalls(`{"name":"f","partialArgs":[{"jsonPath":"$.a[3]['b']","stringValue":"\ud83d"}]}`)), 30},
		{"\xef\xbb\xbf{\n\"candidates\":[{\"finishReason\":7}]}\n", 2},
	}},
	"FuzzInteractions": {[]string{"interactions"}, []seed{
		{"event: error\ndata: {\"error\":{}}\n\n", 9},
		{`{"object":"interaction","status":"completed","outputs":[{"type":"model_output","content":{"type":"text","text":"a"}}]}`, 20},
		{frames(`{"event_type":"step.start","step":{"type":"function_call","arguments":{"a":1}}}`, `{"event_type":"step.stop"}`), 5},
	}},
	"FuzzOllama": {[]string{"ollama"}, []seed{
		{`{"StatusCode":429,"Status":"429","error":"x"}`, 3},
		{`{"error":null,"done":true,"done_reason":"load"}`, 3},
		{`[{"error":{}}]`, 3},
		{"data: {\"done\":true}\n\n", 3},
	}},
	"FuzzCohere": {[]string{"cohere"}, []seed{
		{`{"message":"x"}`, 3},
		{`{"message":{"content":[{"type":"text","text":"x"}],"tool_calls":[{"function":{}}]},"finish_reason":"ERROR_LIMIT"}`, 3},
		{"data: [DONE]\n\n", 3},
		{"data: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"ERROR\",\"error\":\"x\"}}\n\n", 3},
	}},
	"FuzzCohereV1": {[]string{"cohere-v1"}, []seed{
		{`{"text":"x","finish_reason":"COMPLETE","meta":{"billed_units":{"input_tokens":1.0}}}`, 3},
		{`{"generations":[{"text":"x"}]}`, 3},
		{`{"event_type":"stream-error","err":"x"}`, 3},
		{`{"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{}}]}`, 3},
	}},
	"FuzzReplicate": {[]string{"replicate"}, []seed{
		{"event: done\ndata: {\"reason\":\"error\"}\n\n", 3},
		{`{"status":"succeeded","output":["x"]}`, 3},
		{"event: output\ndata: \n\n", 3},
	}},
	"FuzzWriterWatsonx": {[]string{"writer", "watsonx"}, []seed{
		{"data: {\"results\":[]}\n\n", 3},
		{"data: {\"errors\":[{\"code\":\"x\"}],\"status_code\":500}\n\n", 3},
	}},
	"FuzzConverse": {nil, []seed{
		{"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"x"}}`, "messageStop", `{"stopReason":"end_turn"}`, 5},
		{"contentBlockStart", `{"start":{"toolUse":{"toolUseId":"t","name":"f"}}}`, "metadata", `{"usage":{"inputTokens":1e3}}`, 90},
		{"", `{"contentBlockDelta":{"delta":{"reasoningContent":{"text":"x"}}}}`, "messageStart", `{}`, 200},
		{"", `{"output":{"message":{"content":[{"text":"x"},{"toolUse":{"input":{}}}]}},"stopReason":"x"}`, "", `{"xException":{}}`, 1},
	}},
	"FuzzInvoke": {nil, []seed{
		{`{"type":"message_start","message":{"id":"m"}}`, `{"type":"content_block_delta","delta":{"text":"x"}}`, `{"type":"message_stop"}`, 99},
		{`{"messageStart":{}}`, `{"contentBlockDelta":{"delta":{"text":"x"}}}`, `{"messageStop":{"stopReason":"x"}}`, 99},
		{`{"outputText":"x"}`, `{"outputText":"","completionReason":"FINISH"}`, `{"amazon-bedrock-invocationMetrics":{"inputTokenCount":1}}`, 99},
		{`{"choices":[{"message":{"content":"x"},"stop_reason":null}]}`, `{"choices":[{"stop_reason":"stop"}]}`, `[DONE]`, 99},
		{`{"choices":[{"delta":{"content":"x"}}]}`, `{"choices":[{"finish_reason":"stop"}]}`, `[DONE]`, 99},
		{`{"event_type":"text-generation","text":"x"}`, `{"generations":[{"text":"x"}]}`, `{"event_type":"stream-end","finish_reason":"COMPLETE"}`, 99},
		{`{"generation":"x"}`, `{"outputs":[{"text":"x","stop_reason":"stop"}]}`, `{"error":"x"}`, 99},
	}},
	"FuzzGeminiArgs": {nil, []seed{
		{`$.a[0].b`, `$.a[1]`, `$.c`, true},
		{`$['x']["y"]`, `$.`, `a..b`, false},
		{`$[3]`, `$[3][4]`, `[`, true},
	}},
	"FuzzSSE": {[]string{"openai", "replicate"}, []seed{
		{"\xef\xbb\xbfdata: a\r\n\r\ndata:b\r\rdata\n\n", 9},
		{": ping\n\nid: 1\nretry: 3\nevent: x\ndata: {\"a\":\ndata: 1}\n\n", 30},
		{"data: {}\ndata: {}\ndata: [DONE]\n", 11},
		{"{\n \"a\": {\n\n }\n}\noops\nerror: {}\n\nda", 5},
	}},
	"FuzzNDJSON": {[]string{"ollama"}, []seed{
		{"{\"a\":1}\n{\"b\":2}\n", 4},
		{"{\"a\":1}{\"b\":\"}{\"}", 4},
		{"{\r\n\"a\": [\r\n{\r\n},\r\n{\r\n}]\r\n}\r\n", 4},
		{"\ufeff\n[INFO] x\n{level=info}\nerror: y\n", 4},
		{"{\"a\":\"x\n{\"b\":{\"c\":1\n{\"d\"", 4},
		{"\n: hi\n\ndata: {\"a\":1}\n\n", 4},
		{"da", 1},
		{"[[\n1\n[2]", 4},
		{"{\"a\":1\r\r\n{", 4},
	}},
	"FuzzJSONArray": {[]string{"gemini"}, []seed{
		{"[" + geminiText("a") + "\n,\r\n" + geminiStop("STOP") + "]\n", 9},
		{"[,,: c\n{\"a\":\"\\\"]\"}]data: x\n\n", 5},
		{"\xef\xbb\xbf [1,\"x\",[[]],nul", 2},
		{"\r\n" + frames(geminiText("a")), 1},
		{"{\n\"error\":,,{}\n}\n", 4},
	}},
	"FuzzAWSEvents": {nil, []seed{
		{answerNamed("converse").body(), 7, false},
		{answerNamed("converse").body()[:200], 30, true},
		{answerNamed("invoke Claude").body(), 7, false},
		{answerNamed("invoke Nova").body()[:300], 30, true},
		{answerNamed("invoke Titan").body(), 99, false},
		{awsThrow("throttlingException", `{"message":"x"}`), 12, true},
		{"\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 4, true},
		{"\x00\x00\x00\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 4, true},
		{"{\"message\":\"x\"}", 4, false},
		{"\xef\xbb\xbfdata: {}\r\n\r\n", 2, false},
	}},
}

// seeds are all seeds of a target.
func (z fuzzed) seeds() (all []seed) {
	for _, a := range answers {
		for _, name := range z.dialects {
			if a.dialect != name {
				continue
			}
			body := a.body()
			all = append(all, seed{body, 7}, seed{strings.ReplaceAll(body, "\n", "\r\n"), 50})
			for i, frame := range a.frames {
				all = append(all, seed{a.frames[0] + frame + a.frames[a.last], i})
			}
		}
	}
	return append(all, z.more...)
}

func addSeeds(f *testing.F) {
	for _, s := range fuzzTargets[f.Name()].seeds() {
		f.Add(s...)
	}
}

// Every target has a row in the table, whose seeds it takes, and enough of them.
func TestFuzzSeeds(t *testing.T) {
	want := map[string]bool{}
	for name, z := range fuzzTargets {
		want[name] = true
		seeds := z.seeds()
		require.GreaterOrEqual(t, len(seeds), 3, name)
		for _, s := range seeds {
			require.Len(t, s, len(seeds[0]), name)
		}
	}
	require.Equal(t, want, fuzzFuncs(t))
}

// fuzzFuncs are the names of the package's targets.
func fuzzFuncs(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, path := range files {
		file, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				found[fn.Name.Name] = true
			}
		}
	}
	return found
}

// fuzzBodies fuzzes the bodies of dialects.
func fuzzBodies(f *testing.F, names ...string) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, body string, at int) { requireSame(t, body, at, names...) })
}

// requireSame holds that a body says the same however it is split, that its raw bytes
// are its own and none is lost, and that the standard stack takes it.
func requireSame(t *testing.T, body string, at int, names ...string) {
	t.Helper()
	if at < 0 || at > len(body) {
		at = len(body) / 2
	}
	opt := Options{MaxFrame: 1 << 20}
	for _, name := range names {
		d := MustByName(name)
		whole := hear(d.Stream(bodyOf(body), opt))
		whole.requireRaw(t, body, name)
		for _, r := range []io.Reader{inTwo(body, at), iotest.OneByteReader(bodyOf(body))} {
			split := hear(d.Stream(r, opt))
			split.requireRaw(t, body, name)
			if !reflect.DeepEqual(whole.content(), split.content()) || ending(whole.end) != ending(split.end) {
				t.Fatalf("%s, split at %d:\n%s %s\n%s %s", name, at, words(whole.content()), ending(whole.end), words(split.content()), ending(split.end))
			}
		}
		judge(t, d, bodyOf(body))
		parsed := opt
		parsed.NoTemplates = true
		if again := hear(d.Stream(bodyOf(body), parsed)); !reflect.DeepEqual(whole.chunks, again.chunks) || ending(whole.end) != ending(again.end) {
			t.Fatalf("%s, parsed:\n%s %s\n%s %s", name, words(whole.chunks), ending(whole.end), words(again.chunks), ending(again.end))
		}
	}
}

// FuzzDetecting holds that a body whose dialect is looked for says the same however it is
// split, and that none of its bytes is lost or comes twice, whoever may be lenient.
func FuzzDetecting(f *testing.F) {
	addSeeds(f)
	for _, list := range []string{
		`[{"row":1}, {"row":2}]`, `[{"row":1},{"error":{"message":"m"}}]`, `[{"row":1},{"candidates":[{"content":{}}]}]`,
		`[{"row":1},{"ro`, "[[1],\"a\"]\n[2]", `[{"choices":[{"delta":{"content":"a"}}]}]`,
	} {
		f.Add(list, 3)
	}
	f.Fuzz(func(t *testing.T, body string, at int) {
		if at < 0 || at > len(body) {
			at = len(body) / 2
		}
		for _, lenient := range []bool{false, true} {
			opt := Options{MaxFrame: 1 << 20, Lenient: lenient}
			whole := hear(Detecting(bodyOf(body), "", "", opt))
			whole.requireRaw(t, body, "whole")
			for _, r := range []io.Reader{inTwo(body, at), iotest.OneByteReader(bodyOf(body)), iotest.DataErrReader(bodyOf(body))} {
				split := hear(Detecting(r, "", "", opt))
				split.requireRaw(t, body, "split")
				if !reflect.DeepEqual(whole.said(), split.said()) || ending(whole.end) != ending(split.end) {
					t.Fatalf("%t, split at %d:\n%s %s\n%s %s", lenient, at, words(whole.said()), ending(whole.end), words(split.said()), ending(split.end))
				}
			}
		}
	})
}

// said is the content without what is surfaced while the dialect is looked for, of which
// text comes in as many pieces as it is read in.
func (h heard) said() (cs []endwell.Chunk) {
	for _, c := range h.content() {
		if c.Kind != endwell.KindMeta && c.Kind != endwell.KindOutput {
			cs = append(cs, c)
		}
	}
	return cs
}

// fuzzFraming holds that a framer gives the same frames however the body is split.
// Frames without a payload may differ: the line feed of a split CRLF is one.
func fuzzFraming(f *testing.F, newFramer func() framer) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, body string, at int) {
		if at < 0 || at > len(body) {
			at = len(body) / 2
		}
		whole := cutUp(t, newFramer(), payloadWord, body)
		for _, parts := range [][]string{{body[:at], body[at:]}, pieces(body, 1), pieces(body, max(at, 1))} {
			if split := cutUp(t, newFramer(), payloadWord, parts...); !reflect.DeepEqual(whole, split) {
				t.Fatalf("split at %d:\n%q\n%q", at, whole, split)
			}
		}
	})
}

func FuzzChat(f *testing.F)          { fuzzBodies(f, "openai") }
func FuzzAnthropic(f *testing.F)     { fuzzBodies(f, "anthropic") }
func FuzzResponses(f *testing.F)     { fuzzBodies(f, "responses") }
func FuzzGemini(f *testing.F)        { fuzzBodies(f, "gemini") }
func FuzzInteractions(f *testing.F)  { fuzzBodies(f, "interactions") }
func FuzzOllama(f *testing.F)        { fuzzBodies(f, "ollama") }
func FuzzCohere(f *testing.F)        { fuzzBodies(f, "cohere") }
func FuzzCohereV1(f *testing.F)      { fuzzBodies(f, "cohere-v1") }
func FuzzReplicate(f *testing.F)     { fuzzBodies(f, "replicate") }
func FuzzWriterWatsonx(f *testing.F) { fuzzBodies(f, "writer", "watsonx") }

// FuzzTemplates holds that a frame says the same after frames like it.
func FuzzTemplates(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, family int, first, second string) {
		all := []string{"openai", "anthropic", "responses", "cohere", "cohere-v1", "ollama", "bedrock-converse", "bedrock-invoke"}
		name := all[((family%len(all))+len(all))%len(all)]
		write := map[string]func(string) string{
			"anthropic": func(doc string) string { return named(doc) }, "ollama": func(doc string) string { return doc + "\n" },
			"cohere-v1": func(doc string) string { return doc + "\n" }, "bedrock-invoke": awsChunk,
			"bedrock-converse": func(doc string) string { return awsSend("contentBlockDelta", doc) },
		}[name]
		if write == nil {
			write = func(doc string) string { return frames(doc) }
		}
		body := write(aStart) + strings.Repeat(write(first), 3) + write(second) + write(first) + write(second) + write(second)
		if name != "anthropic" && name != "bedrock-invoke" {
			body = body[len(write(aStart)):]
		}
		requireNoDifference(t, MustByName(name), body, Options{}, rand.New(rand.NewPCG(1, uint64(len(second)))))
	})
}

func FuzzSSE(f *testing.F)       { fuzzFraming(f, func() framer { return new(sse) }) }
func FuzzNDJSON(f *testing.F)    { fuzzFraming(f, func() framer { return new(ndjson) }) }
func FuzzJSONArray(f *testing.F) { fuzzFraming(f, func() framer { return new(geminiFramer) }) }

// FuzzAWSEvents fuzzes the framing; with repair, the checksums are made right, so
// that the fuzzer gets past them.
func FuzzAWSEvents(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, body string, at int, repair bool) {
		if repair {
			body = awsRepair(body)
		}
		requireSame(t, body, at, "bedrock-converse", "bedrock-invoke")
	})
}

// FuzzConverse fuzzes the payloads of two events.
func FuzzConverse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, name1, payload1, name2, payload2 string, at int) {
		if len(name1) > 1000 || len(name2) > 1000 {
			return
		}
		requireSame(t, awsSend(name1, payload1)+awsSend(name2, payload2), at, "bedrock-converse")
		requireSame(t, payload1+"\n"+payload2, at, "bedrock-converse")
	})
}

// FuzzInvoke fuzzes the payloads of three events.
func FuzzInvoke(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, doc1, doc2, doc3 string, at int) {
		requireSame(t, invokeChunks(doc1, doc2, doc3), at, "bedrock-invoke")
		requireSame(t, doc1+"\n"+doc2, at, "bedrock-invoke")
	})
}

// FuzzGeminiArgs holds that what is written is JSON, whatever the paths are.
func FuzzGeminiArgs(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, p1, p2, p3 string, more bool) {
		var a geminiArgs
		out := a.append(nil, nil)
		for _, p := range []string{p1, p2, p1, p3, p3} {
			path, _ := json.Marshal(p)
			m, _ := json.Marshal(more)
			out = a.append(out, []byte(`[{"jsonPath":`+string(path)+`,"stringValue":"v","willContinue":`+string(m)+`},{"jsonPath":`+string(path)+`,"numberValue":1}]`))
		}
		if out = a.appendEnd(out); !json.Valid(out) {
			t.Fatalf("%q", out)
		}
	})
}
