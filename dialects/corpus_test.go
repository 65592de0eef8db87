package dialects

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/tape"
)

// The corpora lie beside the project where there are any. The command's check plays
// all of them for outcome, text, finish, fault and family, however they are split;
// here is what it does not look at: single frames' signs, tool calls and usage.

// specimen is a row of a corpus with its body.
type specimen struct {
	ID, Path, Provider, Dialect, Outcome, Wire string
	Status                                     int
	Type                                       string `json:"content_type"`

	body string
}

func (s specimen) name() string { return s.ID + s.Path }

// dialect is what the row names, or the provider's.
func (s specimen) dialect() string {
	if s.Dialect == "" {
		return s.Provider
	}
	return s.Dialect
}

// specimens reads the rows of an index; it skips the test when there is none.
func specimens(t *testing.T, index string, body func(dir string, s *specimen) error) (all []specimen) {
	t.Helper()
	path := filepath.Join("..", "..", "shared", index)
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("no corpus: ", path, " is not there")
	}
	require.NoError(t, err)
	for dec := json.NewDecoder(bytes.NewReader(b)); ; {
		var s specimen
		err := dec.Decode(&s)
		if err == io.EOF {
			require.NotEmpty(t, all)
			return all
		}
		require.NoError(t, err)
		require.NoError(t, body(filepath.Dir(path), &s))
		all = append(all, s)
	}
}

func recordings(t *testing.T) []specimen {
	return specimens(t, "recordings/index.jsonl", func(dir string, s *specimen) error {
		b, err := os.ReadFile(filepath.Join(dir, s.Path))
		s.body = string(b)
		return err
	})
}

func cases(t *testing.T) []specimen {
	return specimens(t, "cases/want.jsonl", func(dir string, s *specimen) error {
		f, err := os.Open(filepath.Join(dir, s.ID+".tape"))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		tp, err := tape.Read(f)
		if err != nil {
			return err
		}
		s.Status = tp.Head.Status
		for _, a := range tp.Arrivals {
			s.body += string(a.Data)
		}
		return nil
	})
}

// signsOf is what the frames of a body are signed with, by any family but chat, and
// whether the first frame that says something is.
func signsOf(s specimen) (names map[string]bool, first bool) {
	g := detector{contentType: s.Type}
	names = map[string]bool{}
	if !g.choose([]byte(s.body)) {
		return names, false
	}
	begun := false
	for rest := []byte(s.body); g.framer.next(rest, true, &g.frame); rest = rest[len(g.frame.raw):] {
		for _, sign := range signs[:len(signs)-1] {
			if name := sign.of(&g.frame); name != "" {
				names[name] = true
				first = first || !begun
			}
		}
		begun = begun || !saysNothing(g.frame.data)
	}
	return names, first
}

// Every frame of every body is signed by its own family or by none, chat by none; and
// an answer by its first frame that says something, as Google's error documents are.
func TestCorpusSigns(t *testing.T) {
	for _, s := range append(recordings(t), cases(t)...) {
		names, first := signsOf(s)
		d := MustByName(s.dialect())
		family := d.Family()
		tells := family != FamilyChat || d.Name() == "writer" || d.Name() == "watsonx"
		switch {
		case !tells:
			require.Empty(t, names, s.name())
		case s.body != "" && (s.Status == 200 || family == FamilyGemini):
			require.Equal(t, map[string]bool{d.Name(): true}, names, s.name())
			require.True(t, first, s.name())
		default:
			delete(names, d.Name())
			require.Empty(t, names, s.name())
		}
	}
}

// A refusal says why, and Google's with its status word.
func TestCorpusRefusals(t *testing.T) {
	for _, s := range recordings(t) {
		if s.Status == 200 {
			continue
		}
		d := MustByName(s.dialect())
		ev := d.Refusal(s.Status, nil, []byte(s.body))
		require.NotEmpty(t, ev.Message, s.name())
		if d.Family() == FamilyGemini {
			require.NotEmpty(t, ev.Type, s.name())
		}
	}
}

// payloads are the JSON documents of the first answer of a body, taken apart without
// this package.
func payloads(t *testing.T, body string) (docs []map[string]any) {
	t.Helper()
	for _, text := range documents(t, body) {
		var doc map[string]any
		if json.Unmarshal([]byte(text), &doc) != nil {
			continue
		}
		docs = append(docs, doc)
		if typ := doc["type"]; typ == "message_stop" || typ == "response.completed" {
			break
		}
	}
	return docs
}

func documents(t *testing.T, body string) (docs []string) {
	t.Helper()
	switch text := strings.TrimSpace(body); {
	case strings.HasPrefix(body, "\x00"):
		return awsDocuments(t, body)
	case strings.HasPrefix(text, "["):
		var list []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(text), &list))
		for _, doc := range list {
			docs = append(docs, string(doc))
		}
		return docs
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		docs = append(docs, strings.TrimPrefix(line, "data:"))
	}
	return docs
}

// awsDocuments are the payloads of AWS's messages, each under the name of its event;
// those of invoked models are unpacked.
func awsDocuments(t *testing.T, body string) (docs []string) {
	t.Helper()
	for len(body) > 0 {
		total, headers := binary.BigEndian.Uint32([]byte(body)), binary.BigEndian.Uint32([]byte(body[4:]))
		_, event, _ := strings.Cut(body[12:12+headers], ":event-type\x07\x00")
		event = event[1 : 1+event[0]]
		payload := body[12+headers : total-4]
		body = body[total:]
		if event != "chunk" {
			docs = append(docs, `{"`+event+`":`+payload+`}`)
			continue
		}
		var chunk struct{ Bytes string }
		require.NoError(t, json.Unmarshal([]byte(payload), &chunk))
		doc, err := base64.StdEncoding.DecodeString(chunk.Bytes)
		require.NoError(t, err)
		docs = append(docs, string(doc))
	}
	return docs
}

// at walks down a document; nil where there is nothing.
func at(doc any, path ...string) any {
	for _, key := range path {
		m, _ := doc.(map[string]any)
		doc = m[key]
	}
	return doc
}

func str(doc any, path ...string) string { s, _ := at(doc, path...).(string); return s }

func list(doc any, path ...string) []any { l, _ := at(doc, path...).([]any); return l }

// reassembly puts the tool calls of choice 0 together, in the order in which they
// begin. Arguments that came as JSON are kept apart: their text is up to the dialect.
type reassembly struct {
	calls  []endwell.ToolCall
	open   map[any]int
	values map[int]any
}

func reassemble(docs []map[string]any) reassembly {
	r := reassembly{open: map[any]int{}, values: map[int]any{}}
	for _, doc := range docs {
		r.addChat(doc)
		r.addTyped(doc)
		r.addCohere(doc)
		r.addConverse(doc)
		r.addGemini(doc)
	}
	return r
}

// require checks that calls are those that were put together.
func (r reassembly) require(t *testing.T, calls []endwell.ToolCall) {
	t.Helper()
	require.Len(t, calls, len(r.calls))
	for i, want := range r.calls {
		if value, ok := r.values[i]; ok {
			b, err := json.Marshal(value)
			require.NoError(t, err)
			require.JSONEq(t, string(b), calls[i].Arguments)
			want.Arguments = calls[i].Arguments
		}
		require.Equal(t, want, calls[i])
	}
}

// begin begins the call of that key; one that is open already goes on.
func (r *reassembly) begin(key any, id, name string) {
	if _, ok := r.open[key]; ok {
		return
	}
	r.open[key] = len(r.calls)
	r.calls = append(r.calls, endwell.ToolCall{ID: id, Name: name})
}

func (r *reassembly) args(key any, piece string) {
	if i, ok := r.open[key]; ok {
		r.calls[i].Arguments += piece
	}
}

func (r *reassembly) addChat(doc map[string]any) {
	for _, choice := range list(doc, "choices") {
		if i, _ := at(choice, "index").(float64); i != 0 {
			continue
		}
		for _, call := range list(choice, "delta", "tool_calls") {
			key := at(call, "index")
			r.begin(key, str(call, "id"), str(call, "function", "name"))
			r.args(key, str(call, "function", "arguments"))
		}
	}
}

func (r *reassembly) addTyped(doc map[string]any) {
	switch doc["type"] {
	case "response.completed":
		for _, item := range list(doc, "response", "output") {
			switch at(item, "type") {
			case "function_call":
				r.calls = append(r.calls, endwell.ToolCall{ID: str(item, "call_id"), Name: str(item, "name"), Arguments: str(item, "arguments")})
			case "custom_tool_call":
				r.calls = append(r.calls, endwell.ToolCall{ID: str(item, "call_id"), Name: str(item, "name"), Arguments: str(item, "input"), FreeText: true})
			}
		}
	case "content_block_start":
		delete(r.open, doc["index"])
		if block := doc["content_block"]; at(block, "type") == "tool_use" {
			r.begin(doc["index"], str(block, "id"), str(block, "name"))
		}
	case "content_block_delta":
		r.args(doc["index"], str(doc, "delta", "partial_json"))
	}
}

func (r *reassembly) addCohere(doc map[string]any) {
	call := at(doc, "delta", "message", "tool_calls")
	switch doc["type"] {
	case "tool-call-start":
		r.begin(doc["index"], str(call, "id"), str(call, "function", "name"))
		fallthrough
	case "tool-call-delta":
		r.args(doc["index"], str(call, "function", "arguments"))
	}
}

func (r *reassembly) addConverse(doc map[string]any) {
	start := at(doc, "contentBlockStart", "start", "toolUse")
	if start != nil && at(start, "type") != "server_tool_use" {
		r.begin(at(doc, "contentBlockStart", "contentBlockIndex"), str(start, "toolUseId"), str(start, "name"))
	}
	r.args(at(doc, "contentBlockDelta", "contentBlockIndex"), str(doc, "contentBlockDelta", "delta", "toolUse", "input"))
}

// addGemini takes a call that comes at once, begins one that goes on, or sets more of
// its arguments.
func (r *reassembly) addGemini(doc map[string]any) {
	for _, candidate := range list(doc, "candidates") {
		for _, part := range list(candidate, "content", "parts") {
			call := at(part, "functionCall")
			if call == nil {
				continue
			}
			if name := str(call, "name"); name != "" {
				r.calls = append(r.calls, endwell.ToolCall{ID: str(call, "id"), Name: name})
			}
			last := len(r.calls) - 1
			if args := at(call, "args"); args != nil {
				r.values[last] = args
			}
			for _, arg := range list(call, "partialArgs") {
				r.values[last] = put(r.values[last], steps(str(arg, "jsonPath")), arg)
			}
		}
	}
}

// steps are the names and indices of a path such as $.a[0].b.
func steps(path string) []string {
	return strings.FieldsFunc(strings.TrimPrefix(path, "$"), func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// put sets the value of an argument in what is known so far; strings go on.
func put(into any, path []string, arg any) any {
	if len(path) == 0 {
		if s, ok := at(arg, "stringValue").(string); ok {
			had, _ := into.(string)
			return had + s
		}
		return cmp.Or(at(arg, "numberValue"), at(arg, "boolValue"))
	}
	if i, err := strconv.Atoi(path[0]); err == nil {
		l, _ := into.([]any)
		for len(l) <= i {
			l = append(l, nil)
		}
		l[i] = put(l[i], path[1:], arg)
		return l
	}
	m, _ := into.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	m[path[0]] = put(m[path[0]], path[1:], arg)
	return m
}

// counts are the tokens that the documents of a body report last. Bedrock's own
// metrics stand in for a model that reports none.
func counts(docs []map[string]any) (u endwell.Usage) {
	for _, doc := range docs {
		var reported endwell.Usage
		metrics, _ := doc["amazon-bedrock-invocationMetrics"].(map[string]any)
		delete(doc, "amazon-bedrock-invocationMetrics")
		count(doc, &reported)
		in, _ := metrics["inputTokenCount"].(float64)
		out, _ := metrics["outputTokenCount"].(float64)
		u.Input = cmp.Or(reported.Input, u.Input, int64(in))
		u.Output = cmp.Or(reported.Output, u.Output, int64(out))
	}
	return u
}

func count(doc any, u *endwell.Usage) {
	switch doc := doc.(type) {
	case []any:
		for _, d := range doc {
			count(d, u)
		}
	case map[string]any:
		for key, value := range doc {
			n, _ := value.(float64)
			switch key {
			case "prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "prompt_eval_count", "total_input_tokens":
				u.Input = max(u.Input, int64(n))
			case "completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "eval_count", "total_output_tokens":
				u.Output = max(u.Output, int64(n))
			case "iterations", "billed_units": // parts of the count beside it
			default:
				count(value, u)
			}
		}
	}
}

// The tool calls of every recording are those that an independent reassembly finds,
// whole and ready to run, and the tokens those that its documents report.
func TestCorpusCallsAndUsage(t *testing.T) {
	for _, s := range recordings(t) {
		if s.Outcome != "whole" {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			d, docs := MustByName(s.dialect()), payloads(t, s.body)
			c, calls := collected(t, d, s.body)
			reassemble(docs).require(t, calls)
			for _, call := range calls {
				require.NotEmpty(t, call.Name)
				require.False(t, call.Incomplete)
				require.True(t, call.FreeText || call.Arguments == "" || json.Valid([]byte(call.Arguments)), call.Arguments)
			}

			finish, _ := c.Finish()
			require.Equal(t, len(calls) > 0, finish == endwell.FinishToolCalls)
			require.NotEqual(t, endwell.FinishUnknown, finish)
			alone := d.Family() == FamilyChat || d.Family() == FamilyReplicate
			require.True(t, finish != endwell.FinishNone || alone, "no finish word, in a family that has no sentinel")

			got := c.Usage()
			require.Equal(t, counts(docs), endwell.Usage{Input: got.Input, Output: got.Output})
		})
	}
}

// collected is what a whole body says above the standard stack, and its calls.
func collected(t *testing.T, d *Dialect, body string) (*endwell.Collector, []endwell.ToolCall) {
	t.Helper()
	c := new(endwell.Collector)
	for chunk, err := range endwell.All(guarded(t, d, bodyOf(body), Options{})) {
		require.NoError(t, err)
		c.Add(chunk)
	}
	c.End(io.EOF)
	if tr := c.Transcript(); tr != nil {
		return c, tr.ToolCalls
	}
	return c, nil
}
