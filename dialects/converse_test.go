package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConverse(t *testing.T) {
	block := func(start string) string {
		return awsSend("contentBlockStart", `{"contentBlockIndex":1,"start":`+start+`}`)
	}
	delta := func(delta string) string {
		return awsSend("contentBlockDelta", `{"contentBlockIndex":1,"delta":`+delta+`}`)
	}
	stop := func(reason string) string { return awsSend("messageStop", `{"stopReason":`+reason+`}`) }
	for name, tt := range map[string]struct{ body, want, end string }{
		"whole": {
			awsJoin(awsStart, awsHello, awsSend("contentBlockStop", `{"contentBlockIndex":0}`), awsStop, awsMeta),
			"meta text(hello) meta finish(stop end_turn)@settled usage(3 4 7 r0 c0)", "eof",
		},
		"metadata before the stop": {
			awsJoin(awsHello, awsMeta, awsStop),
			"text(hello) usage(3 4 7 r0 c0) finish(stop end_turn)@settled", "eof",
		},
		"metadata alone is no end":   {awsJoin(awsHello, awsMeta), "text(hello) usage(3 4 7 r0 c0)", "eof"},
		"metadata without usage":     {awsSend("metadata", `{"metrics":{}}`), "meta", "eof"},
		"cached tokens":              {awsSend("metadata", `{"usage":{"inputTokens":1,"cacheReadInputTokens":9}}`), "usage(1 0 0 r0 c9)", "eof"},
		"stop without a reason":      {awsJoin(awsHello, awsSend("messageStop", `{}`)), "text(hello) meta@settled", "eof"},
		"stop with null":             {awsJoin(awsHello, stop(`null`)), "text(hello) meta@settled", "eof"},
		"stop sequence":              {stop(`"stop_sequence"`), "finish(stop stop_sequence)@settled", "eof"},
		"tool use":                   {stop(`"tool_use"`), "finish(tool_calls tool_use)@settled", "eof"},
		"max tokens":                 {stop(`"max_tokens"`), "finish(length max_tokens)@settled", "eof"},
		"guardrail":                  {stop(`"guardrail_intervened"`), "finish(filter guardrail_intervened)@settled", "eof"},
		"filtered":                   {stop(`"content_filtered"`), "finish(filter content_filtered)@settled", "eof"},
		"context used up by answer":  {awsJoin(awsHello, stop(`"model_context_window_exceeded"`)), "text(hello) finish(length model_context_window_exceeded)@settled", "eof"},
		"context used up before one": {stop(`"model_context_window_exceeded"`), "", "reported status=0 type= code=model_context_window_exceeded message="},
		"unknown reason":             {stop(`"moon_phase"`), "finish(unknown moon_phase)@settled", "eof"},
		"malformed output":           {awsJoin(awsHello, stop(`"malformed_model_output"`)), "text(hello)", "bad_output status=0 type= code=malformed_model_output message="},
		"malformed tool use":         {stop(`"malformed_tool_use"`), "", "bad_output status=0 type= code=malformed_tool_use message="},
		"reasoning": {
			awsJoin(delta(`{"reasoningContent":{"text":"hm"}}`), delta(`{"reasoningContent":{"signature":"c2ln"}}`),
				delta(`{"reasoningContent":{"redactedContent":"AAEC"}}`), delta(`{"reasoningContent":{"text":""}}`)),
			"reasoning(hm) meta meta meta", "eof",
		},
		"empty text":         {delta(`{"text":""}`), "meta", "eof"},
		"unknown delta":      {delta(`{"hologram":{"text":"x"}}`), "meta", "eof"},
		"citation":           {delta(`{"citation":{"title":"t"}}`), "meta", "eof"},
		"image":              {delta(`{"image":{"source":{"bytes":""}}}`), "output", "eof"},
		"empty start":        {block(`{}`), "meta", "eof"},
		"start of image":     {block(`{"image":{"format":"png"}}`), "output", "eof"},
		"event is no object": {awsSend("contentBlockDelta", `[1]`), "meta", "eof"},
		"start of no object": {block(`null`), "meta", "eof"},
		"reasoning is text":  {delta(`{"reasoningContent":"x"}`), "meta", "eof"},
		"tool use is null":   {delta(`{"toolUse":null}`), "meta", "eof"},
		"null delta":         {delta(`null`), "meta", "eof"},
		"delta before its index": {
			awsSend("contentBlockDelta", `{"delta":{"toolUse":{"input":"{"}},"contentBlockIndex":4}`),
			"tool_call(4   {)", "eof",
		},
		"tool call": {
			awsJoin(block(`{"toolUse":{"toolUseId":"t1","name":"f"}}`), delta(`{"toolUse":{"input":""}}`),
				delta(`{"toolUse":{"input":"{\"a\":"}}`), delta(`{"toolUse":{"input":"1}"}}`)),
			`tool_call(1 t1 f ) tool_call(1   ) tool_call(1   {"a":) tool_call(1   1})`, "eof",
		},
		"input as JSON":          {delta(`{"toolUse":{"toolUseId":"t","name":"f","input":{"a":1}}}`), `tool_call(1 t f {"a":1})`, "eof"},
		"tool call, no start":    {delta(`{"toolUse":{"input":"{}"}}`), "tool_call(1   {})", "eof"},
		"tool call, no argument": {awsJoin(block(`{"toolUse":{"toolUseId":"t1","name":"f"}}`), stop(`"tool_use"`)), "tool_call(1 t1 f ) finish(tool_calls tool_use)@settled", "eof"},
		"calls without index": {
			awsJoin(awsSend("contentBlockStart", `{"start":{"toolUse":{"toolUseId":"a","name":"f"}}}`),
				awsSend("contentBlockDelta", `{"delta":{"toolUse":{"input":"1"}}}`),
				awsSend("contentBlockStart", `{"start":{"toolUse":{"toolUseId":"b","name":"g"}}}`),
				awsSend("contentBlockDelta", `{"delta":{"toolUse":{"input":"2"}}}`)),
			"tool_call(0 a f ) tool_call(0   1) tool_call(1 b g ) tool_call(1   2)", "eof",
		},
		"hosted tool": {
			awsJoin(block(`{"toolUse":{"toolUseId":"t1","name":"run","type":"server_tool_use"}}`),
				delta(`{"toolUse":{"input":"{}"}}`), block(`{"toolResult":{"toolUseId":"t1","status":"success"}}`),
				delta(`{"toolResult":[{"json":{"out":"7"}}]}`),
				block(`{"toolUse":{"toolUseId":"t2","name":"f","type":"tool_use"}}`)),
			"output output output output tool_call(1 t2 f )", "eof",
		},
		"start again before anything": {awsJoin(awsStart, awsStart, awsHello, awsStop), "meta meta text(hello) finish(stop end_turn)@settled", "eof"},
		"start again amid an answer":  {awsJoin(awsStart, awsHello, awsStart, awsHello, awsStop), "meta text(hello)", "spliced status=0 type= code= message="},
		"start again after the stop":  {awsJoin(awsStop, awsStart), "finish(stop end_turn)@settled", "spliced status=0 type= code= message="},
		"delta after the stop":        {awsJoin(awsHello, awsStop, awsHello), "text(hello) finish(stop end_turn)@settled text(hello)", "eof"},
		"not JSON":                    {awsSend("contentBlockDelta", `{"delta":`), "", "unparseable status=0 type= code= message="},
		"not UTF-8":                   {delta("{\"text\":\"\xff\"}"), "text(\xff)", "eof"},
		"prose about an error":        {delta(`{"text":"{\"error\":{\"message\":\"x\"}}"}`), `text({"error":{"message":"x"}})`, "eof"},
		"event as a member": {
			awsJoin(awsEncode(`{"contentBlockDelta":{"delta":{"text":"hi"},"contentBlockIndex":0}}`),
				awsEncode(`{"messageStop":{"stopReason":"end_turn"},"metadata":{"usage":{"inputTokens":1}}}`)),
			"text(hi) finish(stop end_turn)@settled usage(1 0 0 r0 c0)", "eof",
		},
		"as SSE": {
			"event: contentBlockDelta\ndata: {\"delta\":{\"text\":\"hi\"}}\n\n" + frames(`{"messageStop":{"stopReason":"end_turn"}}`) + "data: [DONE]\n\n",
			"text(hi) finish(stop end_turn)@settled meta@ended", "eof",
		},
		"sentinel without a stop": {frames(`{"contentBlockDelta":{"delta":{"text":"hi"}}}`, "[DONE]"), "text(hi) meta", "eof"},
		"not streamed": {
			`{"output":{"message":{"role":"assistant","content":[{"text":"hi"},{"toolUse":{"toolUseId":"t","name":"f","input":{}}},` +
				`{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"image":{}}]}},"stopReason":"tool_use",` +
				`"usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3},"metrics":{}}`,
			"reasoning(hm) text(hi) tool_call(1 t f {}) output finish(tool_calls tool_use)@settled usage(1 2 3 r0 c0)", "eof",
		},
		"not streamed, odd content": {`{"output":{"message":{"content":[1,{"toolUse":1}]}},"stopReason":"end_turn"}`, "finish(stop end_turn)@settled", "eof"},
		"not streamed, no reason":   {`{"output":{"message":{"content":[{"text":"hi"}]}},"message":"fine"}`, "text(hi)", "eof"},
		"empty answer":              {awsJoin(awsStart, awsStop, awsMeta), "meta finish(stop end_turn)@settled usage(3 4 7 r0 c0)", "eof"},
	} {
		t.Run(name, func(t *testing.T) {
			requireSaid(t, MustByName("bedrock-converse"), tt.body, tt.want, tt.end)
		})
	}
}

func TestSignBedrock(t *testing.T) {
	for name, tt := range map[string]struct{ body, want string }{
		"converse":          {awsStart, "bedrock-converse"},
		"invoke":            {awsChunk(`{}`), "bedrock-invoke"},
		"fault first":       {awsThrow("throttlingException", ""), "bedrock-converse"},
		"not streamed":      {`{"output":{"message":{}},"stopReason":"end_turn"}`, "bedrock-converse"},
		"as SSE":            {frames(`{"contentBlockDelta":{}}`), "bedrock-converse"},
		"SSE event":         {"event: contentBlockDelta\ndata: {}\n\n", "bedrock-converse"},
		"metrics":           {`{"generation":"x","amazon-bedrock-invocationMetrics":{}}`, "bedrock-invoke"},
		"other service":     {awsSend("Records", `{}`), ""},
		"bad message":       {awsStart[:20] + "x" + awsStart[21:], ""},
		"message cut":       {awsStart[:40], ""},
		"chat":              {frames(`{"choices":[]}`), ""},
		"responses":         {`{"output":[],"status":"completed"}`, ""},
		"error document":    {`{"message":"x"}`, ""},
		"metadata as event": {"event: metadata\ndata: {\"a\":1}\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, signed(tt.body, new(awsEvents), signBedrock)) })
	}
}
