package dialects

import "testing"

func invokeChunks(docs ...string) string {
	s := ""
	for _, doc := range docs {
		s += awsChunk(doc)
	}
	return s
}

const invokeMetrics = `"amazon-bedrock-invocationMetrics":{"inputTokenCount":3,"outputTokenCount":4,"invocationLatency":5}`

func TestInvoke(t *testing.T) {
	for name, tt := range map[string]struct{ body, want, end string }{
		"Anthropic": {
			invokeChunks(`{"type":"message_start","message":{"id":"m1","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`,
				`{"type":"message_stop",`+invokeMetrics+`}`),
			"usage(3 1 0 r0 c0) meta text(hi) meta finish(stop end_turn)@settled usage(0 4 0 r0 c0) meta@ended", "eof",
		},
		"Anthropic, error": {
			invokeChunks(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`),
			"", "reported status=0 type=overloaded_error code= message=busy",
		},
		"Nova": {
			invokeChunks(`{"messageStart":{"role":"assistant"}}`,
				`{"contentBlockDelta":{"delta":{"text":"hi"},"contentBlockIndex":0},"amazon-bedrock-guardrailAction":"NONE"}`,
				`{"contentBlockStop":{"contentBlockIndex":0}}`,
				`{"contentBlockStart":{"start":{"toolUse":{"toolUseId":"t","name":"f"}},"contentBlockIndex":1}}`,
				`{"contentBlockDelta":{"delta":{"toolUse":{"input":"{}"}},"contentBlockIndex":1}}`,
				`{"messageStop":{"stopReason":"tool_use"}}`,
				`{"metadata":{"usage":{"inputTokens":3,"outputTokens":4}},`+invokeMetrics+`}`),
			"meta text(hi) meta tool_call(1 t f ) tool_call(1   {}) finish(tool_calls tool_use)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Nova, metrics without the stop": {
			invokeChunks(`{"contentBlockDelta":{"delta":{"text":"hi"},"contentBlockIndex":0}}`, `{"metadata":{},`+invokeMetrics+`}`),
			"text(hi) meta", "eof",
		},
		"Titan": {
			invokeChunks(`{"outputText":"one ","index":0,"completionReason":null,"inputTextTokenCount":3}`,
				`{"outputText":"two","index":0,"completionReason":"FINISH",`+invokeMetrics+`}`),
			"text(one ) text(two) finish(stop FINISH)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Titan, length":      {invokeChunks(`{"outputText":"a","completionReason":"LENGTH"}`), "text(a) finish(length LENGTH)@settled", "eof"},
		"Titan, filtered":    {invokeChunks(`{"outputText":"a","completionReason":"CONTENT_FILTERED"}`), "text(a) finish(filter CONTENT_FILTERED)@settled", "eof"},
		"Titan, other word":  {invokeChunks(`{"outputText":"a","completionReason":"WEATHER"}`), "text(a) finish(unknown WEATHER)@settled", "eof"},
		"Titan, unfinished":  {invokeChunks(`{"outputText":"a","completionReason":null}`), "text(a)", "eof"},
		"Titan, metrics end": {invokeChunks(`{"outputText":"a","completionReason":null,` + invokeMetrics + `}`), "text(a) usage(3 4 0 r0 c0)@settled", "eof"},
		"empty metrics":      {invokeChunks(`{"outputText":"a","amazon-bedrock-invocationMetrics":{}}`), "text(a) meta@settled", "eof"},
		"Titan, not streamed": {
			`{"inputTextTokenCount":3,"results":[{"tokenCount":4,"outputText":"a","completionReason":"FINISH"}]}`,
			"text(a) finish(stop FINISH)@settled", "eof",
		},
		"Llama": {
			invokeChunks(`{"generation":"","prompt_token_count":3,"generation_token_count":1,"stop_reason":null}`,
				`{"generation":"hi","prompt_token_count":null,"generation_token_count":2,"stop_reason":null}`,
				`{"generation":"","generation_token_count":2,"stop_reason":"stop",`+invokeMetrics+`}`),
			"meta text(hi) finish(stop stop)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Mistral, text": {
			invokeChunks(`{"outputs":[{"text":"hi","stop_reason":null}]}`, `{"outputs":[{"text":"","stop_reason":"length"}],`+invokeMetrics+`}`),
			"text(hi) finish(length length)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Mistral, messages": {
			invokeChunks(`{"choices":[{"index":0,"message":{"role":"assistant","content":"one "},"stop_reason":null}]}`,
				`{"choices":[{"index":0,"message":{"content":"two"},"stop_reason":null}]}`,
				`{"choices":[{"index":0,"message":{"content":"","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]},"stop_reason":"tool_calls"}],`+invokeMetrics+`}`),
			"text(one ) text(two) tool_call(0 t f {}) finish(tool_calls tool_calls)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"chat": {
			invokeChunks(`{"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null,"stop_reason":null}]}`,
				`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`,
				`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`,
				`[DONE]`),
			"meta text(hi) finish(stop stop)@settled usage(3 4 7 r0 c0) meta@ended", "eof",
		},
		"chat, counts of Bedrock": {
			invokeChunks(`{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}],` + invokeMetrics + `}`),
			"text(hi) finish(stop stop)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Cohere chat": {
			invokeChunks(`{"event_type":"stream-start","is_finished":false,"generation_id":"g"}`,
				`{"event_type":"text-generation","text":"hi","is_finished":false}`,
				`{"event_type":"stream-end","is_finished":true,"finish_reason":"COMPLETE","response":{"text":"hi"},`+invokeMetrics+`}`),
			"meta text(hi) finish(stop COMPLETE)@ended", "eof",
		},
		"Cohere Command": {
			invokeChunks(`{"text":"hi","is_finished":false}`, `{"is_finished":true,"finish_reason":"COMPLETE","text":""}`),
			"text(hi) finish(stop COMPLETE)@settled", "eof",
		},
		"Cohere Command, two generations": {
			invokeChunks(`{"generations":[{"index":0,"text":"a","finish_reason":"COMPLETE"},{"index":1,"text":"b"}]}`,
				`{"generations":[{"index":1,"text":"c","finish_reason":"MAX_TOKENS"}]}`),
			"text(a) finish(stop COMPLETE)@settled text#1(b)@open text#1(c) finish#1(length MAX_TOKENS)@settled", "eof",
		},
		"Cohere Command, fault word": {
			invokeChunks(`{"text":"hi","finish_reason":"ERROR","is_finished":true}`), "", "reported status=0 type= code=ERROR message=",
		},
		"Claude's completions": {
			invokeChunks(`{"type":"completion","completion":"hi","stop_reason":null,"stop":null}`,
				`{"type":"completion","completion":"","stop_reason":"stop_sequence","stop":"\n\nHuman:",`+invokeMetrics+`}`),
			"text(hi) finish(stop stop_sequence)@settled usage(3 4 0 r0 c0)", "eof",
		},
		"Nova, not streamed": {
			`{"output":{"message":{"role":"assistant","content":[{"text":"hi"}]}},"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7}}`,
			"text(hi) finish(stop end_turn)@settled usage(3 4 7 r0 c0)", "eof",
		},
		"Claude, not streamed": {
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}`,
			"text(hi) finish(stop end_turn)@settled usage(3 4 0 r0 c0)@ended", "eof",
		},
		"lists that hold no objects": {invokeChunks(`{"outputs":[null,1]}`, `{"outputs":{}}`), "output output", "eof"},
		"choices that are none":      {invokeChunks(`{"choices":null}`), "meta", "eof"},
		"output of another model":    {invokeChunks(`{"output":"x"}`), "output", "eof"},
		"metadata of another model":  {invokeChunks(`{"metadata":{"x":1}}`), "output", "eof"},
		"unknown model":              {invokeChunks(`{"verse":"roses"}`, `{"verse":"",`+invokeMetrics+`}`), "output output@settled usage(3 4 0 r0 c0)", "eof"},
		"unknown model, message":     {invokeChunks(`{"message":"a video of a cat"}`), "output", "eof"},
		"report in a payload":        {invokeChunks(`{"outputText":"a"}`, `{"error":{"message":"x"}}`), "text(a)", "reported status=0 type= code= message=x"},
		"error null":                 {invokeChunks(`{"outputText":"a","error":null}`), "text(a)", "eof"},
		"no bytes":                   {awsSend("chunk", `{"p":"abc"}`), "meta", "eof"},
		"empty bytes":                {awsSend("chunk", `{"bytes":"","p":"abc"}`), "meta", "eof"},
		"escaped slash":              {awsSend("chunk", `{"bytes":"eyJvdXRwdXRUZXh0IjoiPz8\/In0="}`), "text(???)", "eof"},
		"bytes are not base64":       {awsSend("chunk", `{"bytes":"!!!!"}`), "", "unparseable status=0 type= code= message="},
		"bytes are not JSON":         {invokeChunks(`{"outputText":`), "", "unparseable status=0 type= code= message="},
		"payload is not JSON":        {awsSend("chunk", `{"bytes":"`), "", "unparseable status=0 type= code= message="},
		"sentinel alone":             {invokeChunks(`[DONE]`), "meta", "eof"},
		"native wire as SSE": {
			frames(`{"outputText":"a"}`, `{"outputText":"b","completionReason":"FINISH"}`, `[DONE]`),
			"text(a) text(b) finish(stop FINISH)@settled meta", "eof",
		},
		"document after chat": {
			invokeChunks(`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`) + `{"message":"gone"}`,
			"text(hi)", "reported status=0 type= code= message=gone",
		},
		"document after Nova": {
			invokeChunks(`{"contentBlockDelta":{"delta":{"text":"hi"}}}`) + `{"message":"gone"}`,
			"text(hi)", "reported status=0 type= code= message=gone",
		},
		"native document after chat": {
			invokeChunks(`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`) + `{"choices":[{"index":0,"finish_reason":"stop"}]}`,
			"text(hi) finish(stop stop)@settled", "eof",
		},
		"exception after the text": {
			invokeChunks(`{"outputText":"a"}`) + awsThrow("modelTimeoutException", `{"message":"late"}`),
			"text(a)", "reported status=408 type=modelTimeoutException code= message=late",
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireSaid(t, MustByName("bedrock-invoke"), tt.body, tt.want, tt.end)
		})
	}
}
