package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// hostile is a peer whose answer has a good header and a body that means harm.
type hostile struct {
	name     string
	dialect  string
	encoding string
	parts    []part
	piece    int
	pace     time.Duration
	then     error
	verdict  string
	detected string // the verdict where the dialect is not named, if another
	memory   int    // MiB
}

// The bounds in MiB: what a stream holds at most that sends small frames, and one that
// sends a frame of more than dialects.Options.MaxFrame, which is 32 MiB: its buffer
// grows to that size by copying, and several lines of data are one payload.
const (
	small  = 8
	middle = 32
	large  = 160
)

// Endings by name.
const (
	malformed = "malformed malformed_response"
	stalled   = "stalled timeout"
	empty     = "empty malformed_response"
	truncated = "truncated malformed_response"
	broken    = "broken network"
	faulted   = "faulted server_error"
)

const (
	role  = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n"
	usage = `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}` + "\n\n"
)

var floods = []hostile{
	{name: "a gzip bomb of zeros", dialect: "openai", encoding: "gzip", parts: []part{forever(zeros())}, verdict: malformed, memory: large},
	{name: "a gzip bomb of one line", dialect: "openai", encoding: "gzip", parts: []part{just(zipped("data: ")), forever(zipped(strings.Repeat("a", 16<<20)))}, verdict: malformed, memory: large},
	{name: "a gzip bomb of comments", dialect: "openai", encoding: "gzip", parts: []part{forever(zipped(strings.Repeat(comment, 4<<10)))}, pace: 5 * time.Minute, verdict: stalled, memory: small},
	{name: "gzip within gzip", dialect: "openai", encoding: "gzip", parts: []part{forever(zipped(zeros()))}, verdict: malformed, memory: large},
	{name: "gzip that is not declared", dialect: "openai", parts: []part{forever(zeros())}, verdict: malformed, memory: large},
	{name: "gzip twice, declared", dialect: "openai", encoding: "gzip, gzip", parts: []part{forever(zeros())}, verdict: malformed, memory: small},
	{name: "gzip of nothing, for ever", dialect: "openai", encoding: "gzip", parts: []part{forever(zipped(""))}, pace: time.Second, verdict: stalled, memory: small},
	{name: "a deflate bomb", dialect: "openai", encoding: "deflate", parts: []part{just(deflated(strings.Repeat("a", 40<<20)))}, verdict: malformed, memory: large},
	{name: "a gzip header without an end", dialect: "openai", encoding: "gzip", parts: []part{just("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03"), gigabyte()}, verdict: malformed, memory: small},

	{name: "an endless preamble", dialect: "openai", parts: []part{forever(role)}, pace: 10 * time.Second, verdict: stalled, memory: small},
	{name: "endless comments", dialect: "openai", parts: []part{forever(": ping\n\n")}, pace: time.Minute, verdict: stalled, memory: small},
	{name: "endless long comments", dialect: "openai", parts: []part{forever(comment)}, pace: 10 * time.Second, verdict: stalled, memory: small},
	{name: "endless blank lines", dialect: "openai", parts: []part{forever("\n")}, pace: time.Minute, verdict: stalled, memory: small},
	{name: "endless ids", dialect: "openai", parts: []part{forever("id: 1\nretry: 9\n\n")}, pace: time.Minute, verdict: stalled, memory: small},
	{name: "endless usage", dialect: "openai", parts: []part{forever(usage)}, pace: time.Minute, verdict: stalled, memory: small},
	{name: "endless usage after the finish", dialect: "openai", parts: []part{just(hel + stop), forever(usage)}, pace: time.Second, verdict: "whole", memory: small},
	{name: "endless blank lines of NDJSON", dialect: "ollama", parts: []part{forever("\n")}, pace: 10 * time.Second, verdict: malformed, detected: stalled, memory: large},
	{name: "endless pings after the text", dialect: "anthropic", parts: []part{just(begun + block(0)), forever("event: ping\ndata: {\"type\":\"ping\"}\n\n")}, pace: time.Minute, verdict: stalled, memory: small},

	{name: "a byte at a time", dialect: "openai", parts: []part{just(answer)}, piece: 1, verdict: "whole", memory: small},
	{name: "a byte at a time, a minute each", dialect: "openai", parts: []part{forever(role)}, piece: 1, pace: time.Minute, verdict: stalled, memory: small},
	{name: "a byte at a time, in the text", dialect: "openai", parts: []part{just(hel), just("data: "), gigabyte()}, piece: 1, pace: time.Minute, verdict: stalled, memory: small},
	{name: "reads that return nothing", dialect: "openai", parts: []part{just("")}, then: errNothing, verdict: broken, memory: small},

	{name: "a gigabyte of data", dialect: "openai", parts: []part{just("data: "), gigabyte()}, verdict: malformed, memory: large},
	{name: "a gigabyte of JSON text", dialect: "openai", parts: []part{just(`data: {"choices":[{"index":0,"delta":{"content":"`), gigabyte()}, verdict: malformed, memory: large},
	{name: "a gigabyte of event name", dialect: "openai", parts: []part{just("event: "), gigabyte()}, verdict: malformed, memory: large},
	{name: "a gigabyte of comment", dialect: "openai", parts: []part{just(": "), gigabyte()}, verdict: malformed, memory: large},
	{name: "a gigabyte outside of fields", dialect: "openai", parts: []part{gigabyte()}, verdict: malformed, memory: large},
	{name: "endless data lines of one event", dialect: "openai", parts: []part{forever("data: [\n")}, verdict: malformed, memory: large},
	{name: "endless empty data lines", dialect: "openai", parts: []part{forever("data\n")}, verdict: malformed, memory: large},
	{name: "endless lines of junk", dialect: "openai", parts: []part{forever("hello\n")}, verdict: malformed, memory: large},
	{name: "a gigabyte of NDJSON line", dialect: "ollama", parts: []part{just(`{"message":{"content":"`), gigabyte()}, verdict: malformed, memory: large},
	{name: "endless spaces of NDJSON", dialect: "ollama", parts: []part{forever(" ")}, verdict: malformed, memory: large},
	{name: "a gigabyte of array element", dialect: "gemini", parts: []part{just(`[{"candidates":[{"content":{"parts":[{"text":"`), gigabyte()}, verdict: malformed, memory: large},
	{name: "endless commas of an array", dialect: "gemini", parts: []part{just("["), forever(",")}, verdict: malformed, memory: large},
	{name: "an AWS message of 2 GB", dialect: "bedrock-converse", parts: []part{just(prelude(2<<30, 0)), gigabyte()}, verdict: malformed, memory: large},
	{name: "an AWS message of 2 GB that is cut", dialect: "bedrock-converse", parts: []part{just(prelude(2<<30, 1<<30) + "\x05")}, verdict: truncated, detected: malformed, memory: small},
	{name: "a wrong AWS prelude", dialect: "bedrock-converse", parts: []part{forever("\x00")}, verdict: malformed, memory: large},

	{name: "deep arrays", dialect: "openai", parts: []part{just(`data: {"choices":`), times(1<<20, "["), just("\n\n")}, verdict: malformed, memory: large},
	{name: "deep objects", dialect: "openai", parts: []part{just("data: "), times(1<<20, `{"error":`), just("\n\n")}, verdict: malformed, memory: large},
	{name: "deep arrays of NDJSON", dialect: "ollama", parts: []part{just(`{"message":`), times(1<<20, "["), times(1<<20, "]"), just("}\n")}, verdict: malformed, memory: large},
	{name: "an index of a million digits", dialect: "openai", parts: []part{just(`data: {"choices":[{"index":`), times(1<<20, "1"), just(`,"delta":{"content":"hel"}}]}` + "\n\n" + stop + done)}, verdict: "whole", memory: small},
	{name: "a count of a million digits", dialect: "openai", parts: []part{just(hel + stop + `data: {"choices":[],"usage":{"prompt_tokens":`), times(1<<20, "9"), just("}}\n\n" + done)}, verdict: "whole", memory: small},
	{name: "an exponent of a million digits", dialect: "openai", parts: []part{just(`data: {"error":{"code":1e`), times(1<<20, "9"), just("}}\n\n")}, verdict: faulted, memory: middle},
	{name: "bytes that are not UTF-8", dialect: "openai", parts: []part{just(`data: {"choices":[{"index":0,"delta":{"content":"` + "\xff\xfe\x80\xc0" + `"}}]}` + "\n\n" + stop + done)}, verdict: "whole", memory: small},
	{name: "NULs", dialect: "openai", parts: []part{just("data: "), times(1<<20, "\x00"), just("\n\n")}, verdict: malformed, memory: small},

	{name: "endless calls", dialect: "openai", parts: []part{numbered(chatCall)}, verdict: malformed, memory: small},
	{name: "endless calls at high indices", dialect: "openai", parts: []part{numbered(func(i int) string { return chatCall(1_000_000_000 - i) })}, verdict: malformed, memory: small},
	{name: "a call at index 1e9", dialect: "openai", parts: []part{just(strings.Replace(chatCall(1_000_000_000), `"{"`, `"{}"`, 1) + stop + done)}, verdict: "whole", memory: small},
	{name: "endless calls with long ids", dialect: "openai", parts: []part{numbered(longCall)}, verdict: malformed, memory: large},
	{name: "millions of calls in one frame", dialect: "openai", parts: []part{just(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{}`), times(1<<20, ",{}"), just("]}}]}\n\n")}, verdict: malformed, memory: large},
	{name: "millions of choices in one frame", dialect: "openai", parts: []part{just(`data: {"choices":[{}`), some(256<<10, func(i int) string { return fmt.Sprintf(`,{"index":%d}`, i) }), just("]}\n\n")}, verdict: malformed, memory: large},
	{name: "endless choices", dialect: "openai", parts: []part{numbered(chatChoice)}, verdict: malformed, memory: small},
	{name: "endless calls of Ollama", dialect: "ollama", parts: []part{forever(`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}` + "\n")}, verdict: malformed, memory: small},
	{name: "endless calls of Gemini", dialect: "gemini", parts: []part{just("["), forever(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]},`)}, verdict: malformed, memory: small},
	{name: "millions of parts of Gemini", dialect: "gemini", parts: []part{just(`[{"candidates":[{"content":{"parts":[{"text":"a"}`), times(256<<10, `,{"text":"a"}`), just("]}}]}")}, verdict: malformed, memory: large},
	{name: "endless blocks of Anthropic, left open", dialect: "anthropic", parts: []part{just(begun), numbered(block)}, verdict: malformed, memory: small},
	{name: "endless calls of Anthropic", dialect: "anthropic", parts: []part{just(begun), numbered(toolBlock)}, verdict: malformed, memory: small},
	{name: "endless calls of responses", dialect: "responses", parts: []part{numbered(responsesCall)}, verdict: malformed, memory: small},
	{name: "endless calls of Cohere", dialect: "cohere", parts: []part{numbered(cohereCall)}, verdict: malformed, memory: small},
	{name: "endless calls of Converse", dialect: "bedrock-converse", parts: []part{numbered(converseCall)}, verdict: malformed, memory: small},
	{name: "endless hosted blocks of Converse", dialect: "bedrock-converse", parts: []part{some(5000, converseHosted)}, verdict: truncated, memory: small},
	{name: "endless calls of Interactions", dialect: "interactions", parts: []part{numbered(interactionsCall)}, verdict: malformed, memory: small},
	{name: "arguments of responses that are kept", dialect: "responses", parts: []part{just(`data: {"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}` + "\n\n"), numbered(responsesKept)}, verdict: malformed, memory: large},
	{name: "arguments of Interactions that are kept", dialect: "interactions", parts: []part{just(`data: {"event_type":"interaction.created","interaction":{"id":"i","object":"interaction","status":"in_progress"}}` + "\n\n"), numbered(interactionsKept)}, verdict: malformed, memory: large},
	{name: "arguments of Anthropic that are kept", dialect: "anthropic", parts: []part{just(begun), numbered(anthropicKept)}, verdict: malformed, memory: large},
	{name: "an error with millions of members", dialect: "openai", parts: []part{just(`data: {"error":{"message":"m"}`), some(1<<20, func(i int) string { return fmt.Sprintf(`,"%x":1`, i) }), just("}\n\n")}, verdict: faulted, memory: large},
	{name: "an error message of 30 MiB", dialect: "openai", parts: []part{just(`data: {"error":{"message":"`), times(30<<20/len(letters), letters), just(`"}}` + "\n\n")}, verdict: faulted, memory: large},
	{name: "an endless body after the sentinel", dialect: "openai", parts: []part{just(answer), gigabyte()}, verdict: "whole", memory: small},
	{name: "endless frames after the sentinel", dialect: "openai", parts: []part{just(answer), forever(hel)}, verdict: "whole", memory: small},
}

var comment = ": " + letters[:1<<10] + "\n\n"

// errNothing has a body's Read return nothing at all, for ever.
var errNothing = errors.New("nothing")

func zeros() string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = io.CopyN(w, zeroes{}, 16<<20)
	_ = w.Close()
	return b.String()
}

// zeroes reads zeros.
type zeroes struct{}

// Read implements io.Reader.
func (zeroes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func chatCall(i int) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"f","arguments":"{"}}]}}]}`+"\n\n", i, i)
}

func longCall(i int) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"%d%s","function":{"name":"f","arguments":"{}"}}]}}]}`+"\n\n", i, i, strings.Repeat(letters, 17))
}

func chatChoice(i int) string {
	return fmt.Sprintf(`data: {"choices":[{"index":%d,"delta":{"content":"a"}}]}`+"\n\n", i)
}

const begun = `event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1}}}

`

func block(i int) string {
	return fmt.Sprintf(`event: content_block_start
data: {"type":"content_block_start","index":%d,"content_block":{"type":"text","text":"a"}}

`, i)
}

func toolBlock(i int) string {
	return fmt.Sprintf(`event: content_block_start
data: {"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"t%d","name":"f","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":%d}

`, i, i, i)
}

func responsesCall(i int) string {
	return fmt.Sprintf(`data: {"type":"response.output_item.added","output_index":%d,"item":{"type":"function_call","id":"i%d","call_id":"c%d","name":"f","arguments":""}}`+"\n\n", i, i, i)
}

func cohereCall(i int) string {
	return fmt.Sprintf(`data: {"type":"tool-call-start","index":%d,"delta":{"message":{"tool_calls":{"id":"c%d","type":"function","function":{"name":"f","arguments":"{"}}}}}`+"\n\n", i, i)
}

func interactionsCall(i int) string {
	return fmt.Sprintf(`data: {"event_type":"step.start","index":%d,"step":{"type":"function_call","id":"c%d","name":"f","arguments":{}}}`+"\n\n", i, i)
}

var megabyte = `{"a":"` + strings.Repeat(letters, 256) + `"}`

func responsesKept(i int) string {
	return strings.Replace(responsesCall(i), `"arguments":""`, `"arguments":`+strconv.Quote(megabyte), 1)
}

func interactionsKept(i int) string {
	return strings.Replace(interactionsCall(i), `"arguments":{}`, `"arguments":`+megabyte, 1)
}

func anthropicKept(i int) string {
	start, _, _ := strings.Cut(toolBlock(i), "event: content_block_stop")
	return strings.Replace(start, `"input":{}`, `"input":`+megabyte, 1)
}

func converseCall(i int) string {
	return awsMessage("contentBlockStart", fmt.Sprintf(`{"contentBlockIndex":%d,"start":{"toolUse":{"toolUseId":"t%d","name":"f"}}}`, i, i))
}

func converseHosted(i int) string {
	return awsMessage("contentBlockStart", fmt.Sprintf(`{"contentBlockIndex":%d,"start":{"toolUse":{"toolUseId":"t%d","name":"f","type":"server_tool_use"}}}`, i, i))
}

// prelude begins a message of an AWS event stream.
func prelude(total, headers uint32) string {
	b := binary.BigEndian.AppendUint32(nil, total)
	b = binary.BigEndian.AppendUint32(b, headers)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// awsMessage is an event of an AWS event stream.
func awsMessage(event, payload string) string {
	const name = ":event-type"
	h := append([]byte{byte(len(name))}, name...)
	h = append(binary.BigEndian.AppendUint16(append(h, 7), uint16(len(event))), event...)
	b := []byte(prelude(uint32(16+len(h)+len(payload)), uint32(len(h))))
	b = append(append(b, h...), payload...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// response is what such a peer answers.
func (h *hostile) response(body io.ReadCloser) *http.Response {
	header := http.Header{"Content-Type": {dialectsMedia(h.dialect)}}
	if h.encoding != "" {
		header.Set("Content-Encoding", h.encoding)
	}
	return &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: header, Body: body, ContentLength: -1}
}

func dialectsMedia(dialect string) string {
	switch dialect {
	case "ollama":
		return "application/x-ndjson"
	case "gemini":
		return "application/json"
	case "bedrock-converse":
		return "application/vnd.amazon.eventstream"
	default:
		return "text/event-stream"
	}
}

// A body that means harm ends by name, and takes no more memory than its bound.
func TestHostileBodies(t *testing.T) {
	collectOften(t)
	all := newReport(t)
	for _, h := range floods {
		t.Run(h.name, func(t *testing.T) {
			if h.memory == large && (underRace || testing.Short()) {
				t.Skip("it scans 32 MiB, in one goroutine")
			}
			for i, c := range callers {
				if h.memory == large && i%3 != 0 {
					continue // two of the four are enough to copy so much
				}
				t.Run(c.name, func(t *testing.T) {
					f := h.meets(t, c)
					all.row(h.name, c.name, f, h.memory)
					verdict := h.verdict
					byPath := h.dialect == "bedrock-converse" && strings.HasPrefix(c.name, "Wrap")
					if !c.named && !byPath && h.detected != "" {
						verdict = h.detected
					}
					f.endsIn(t, verdict, h.memory)
				})
			}
		})
	}
}

// meets has a caller ask the peer.
func (h *hostile) meets(t *testing.T, c caller) (f figures) {
	t.Helper()
	q := question{clock: new(clock.Fake), payload: asking}
	body := &flood{parts: append([]part(nil), h.parts...), piece: h.piece, pace: h.pace, then: h.then, clock: q.clock}
	q.base = answering(func(*http.Request) *http.Response { return h.response(body) })
	if c.named {
		q.dialect = dialects.MustByName(h.dialect)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	f.peak, f.took = peakOf(func() { f.verdict = verdict(c.ask(ctx, q)) })
	f.sent = body.read
	require.NoError(t, ctx.Err(), "it hangs")
	return f
}

// A chain that has no sentinel check gets what comes behind the sentinel, and Wrap
// keeps none of it back.
func TestHostileBehindSentinel(t *testing.T) {
	collectOften(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := &flood{parts: []part{just(answer), times(48<<20/len(hel), hel), {each: func(int) string { cancel(); return hel }, times: -1}}, clock: new(clock.Fake)}
	base := answering(func(*http.Request) *http.Response { return (&hostile{}).response(body) })
	client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{Chain: middleware.Classifier(middleware.ClassifierConfig{})})}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, peerURL, strings.NewReader(asking))
	require.NoError(t, err)
	var f figures
	f.peak, f.took = peakOf(func() {
		resp, err := client.Do(req)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		f.verdict = verdict(err)
		_ = resp.Body.Close()
	})
	f.endsIn(t, context.Canceled.Error(), middle)
}

// An answer that never ends is the caller's to stop. It takes no memory.
func TestHostileEndlessAnswer(t *testing.T) {
	collectOften(t)
	all := newReport(t)
	for _, c := range callers {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			q := question{clock: new(clock.Fake), payload: asking}
			body := &flood{parts: []part{times(8<<20/len(hel), hel), {each: func(int) string { cancel(); return hel }, times: -1}}, clock: q.clock}
			q.base = answering(func(*http.Request) *http.Response { return (&hostile{}).response(body) })
			if c.named {
				q.dialect = openai
			}
			var f figures
			f.peak, f.took = peakOf(func() { f.verdict = verdict(c.ask(ctx, q)) })
			f.sent = body.read
			all.row("endless text, until the caller cancels", c.name, f, small)
			f.endsIn(t, context.Canceled.Error(), small)
		})
	}
}
