package dialects_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
)

// bedrockSaid renders what a stream said, apart from what depends on how it is
// split, and the raw bytes of its chunks.
func bedrockSaid(st endwell.Stream) (said, raw string) {
	var b, r strings.Builder
	for {
		c, err := st.Recv()
		if err != nil {
			fmt.Fprintf(&b, "%v", err)
			return b.String(), r.String()
		}
		r.Write(c.Raw)
		if c.Kind == endwell.KindKeepAlive {
			continue
		}
		fmt.Fprintf(&b, "%s %d %s %q %q", c.Kind, c.Index, c.End, c.Text, c.Detail)
		if c.ToolCall != nil {
			fmt.Fprintf(&b, " %+v", *c.ToolCall)
		}
		if c.Usage != nil {
			fmt.Fprintf(&b, " %+v", *c.Usage)
		}
		b.WriteByte('\n')
	}
}

// fuzzBedrock checks that a body says the same however it is split, and that the
// raw bytes are the body's.
func fuzzBedrock(t *testing.T, name, body string, at int) {
	if at < 0 || at > len(body) {
		at = len(body) / 2
	}
	d := dialects.BedrockDialect(name)
	whole, raw := bedrockSaid(d.Stream(strings.NewReader(body), dialects.Options{MaxFrame: 1 << 20}))
	split, rawSplit := bedrockSaid(d.Stream(io.MultiReader(strings.NewReader(body[:at]), strings.NewReader(body[at:])),
		dialects.Options{MaxFrame: 1 << 20}))
	if whole != split {
		t.Fatalf("split at %d:\n%s\n\n%s", at, whole, split)
	}
	if !strings.HasPrefix(body, raw) || !strings.HasPrefix(body, rawSplit) {
		t.Fatal("raw bytes are not the body's")
	}
	if strings.HasSuffix(whole, "EOF") && raw != body && !strings.Contains(whole, "ended") {
		t.Fatal("bytes are lost")
	}
}

// FuzzAWSEvents fuzzes the framing; with repair, the CRCs are made right, so that
// the fuzzer gets past them.
func FuzzAWSEvents(f *testing.F) {
	for _, a := range bedrockAnswers {
		f.Add(a.body(), 7, false)
		f.Add(a.body()[:len(a.body())-9], 30, true)
	}
	f.Add(dialects.AWSException("throttlingException", `{"message":"x"}`), 12, true)
	f.Add("\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 4, true)
	f.Add("\x00\x00\x00\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 4, true)
	f.Add("{\"message\":\"x\"}", 4, false)
	f.Add("\xef\xbb\xbfdata: {}\r\n\r\n", 2, false)
	f.Fuzz(func(t *testing.T, body string, at int, repair bool) {
		if repair {
			body = dialects.AWSRepair(body)
		}
		fuzzBedrock(t, "bedrock-converse", body, at)
		fuzzBedrock(t, "bedrock-invoke", body, at)
	})
}

// FuzzConverse fuzzes the payloads of two events.
func FuzzConverse(f *testing.F) {
	f.Add("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"x"}}`, "messageStop", `{"stopReason":"end_turn"}`, 5)
	f.Add("contentBlockStart", `{"start":{"toolUse":{"toolUseId":"t","name":"f"}}}`, "metadata", `{"usage":{"inputTokens":1e3}}`, 90)
	f.Add("", `{"contentBlockDelta":{"delta":{"reasoningContent":{"text":"x"}}}}`, "messageStart", `{}`, 200)
	f.Add("", `{"output":{"message":{"content":[{"text":"x"},{"toolUse":{"input":{}}}]}},"stopReason":"x"}`, "", `{"xException":{}}`, 1)
	f.Fuzz(func(t *testing.T, name1, payload1, name2, payload2 string, at int) {
		if len(name1) > 1000 || len(name2) > 1000 {
			return
		}
		fuzzBedrock(t, "bedrock-converse", dialects.AWSEvent(name1, payload1)+dialects.AWSEvent(name2, payload2), at)
		fuzzBedrock(t, "bedrock-converse", payload1+"\n"+payload2, at)
	})
}

// FuzzInvoke fuzzes the payloads of three events.
func FuzzInvoke(f *testing.F) {
	for _, docs := range [][3]string{
		{`{"type":"message_start","message":{"id":"m"}}`, `{"type":"content_block_delta","delta":{"text":"x"}}`, `{"type":"message_stop"}`},
		{`{"messageStart":{}}`, `{"contentBlockDelta":{"delta":{"text":"x"}}}`, `{"messageStop":{"stopReason":"x"}}`},
		{`{"outputText":"x"}`, `{"outputText":"","completionReason":"FINISH"}`, `{"amazon-bedrock-invocationMetrics":{"inputTokenCount":1}}`},
		{`{"choices":[{"message":{"content":"x"},"stop_reason":null}]}`, `{"choices":[{"stop_reason":"stop"}]}`, `[DONE]`},
		{`{"choices":[{"delta":{"content":"x"}}]}`, `{"choices":[{"finish_reason":"stop"}]}`, `[DONE]`},
		{`{"event_type":"text-generation","text":"x"}`, `{"generations":[{"text":"x"}]}`, `{"event_type":"stream-end","finish_reason":"COMPLETE"}`},
		{`{"generation":"x"}`, `{"outputs":[{"text":"x","stop_reason":"stop"}]}`, `{"error":"x"}`},
	} {
		f.Add(docs[0], docs[1], docs[2], 99)
	}
	f.Fuzz(func(t *testing.T, doc1, doc2, doc3 string, at int) {
		fuzzBedrock(t, "bedrock-invoke", dialects.AWSChunk(doc1)+dialects.AWSChunk(doc2)+dialects.AWSChunk(doc3), at)
		fuzzBedrock(t, "bedrock-invoke", doc1+"\n"+doc2, at)
	})
}
