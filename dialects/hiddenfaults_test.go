package dialects

import (
	"testing"
)

// A finish word that was put in the place of another, and one that says what cannot be,
// are faults.
func TestHiddenFaults(t *testing.T) {
	chat := func(members string) string {
		return frames(delta(`"content":"Hi"`), `{"choices":[{"index":0,`+members+`}]}`, "[DONE]")
	}
	start := awsSend("messageStart", `{"role":"assistant"}`)
	toolUse := awsSend("messageStop", `{"stopReason":"tool_use"}`)
	call := func(members string) string {
		return awsSend("contentBlockStart", `{"contentBlockIndex":0,"start":`+members+`}`)
	}
	runVerdicts(t, []verdictRow{
		{"in the choice", "litellm", chat(`"delta":{},"finish_reason":"stop","native_finish_reason":"MALFORMED_FUNCTION_CALL"`), "faulted", "Hi"},
		{"in the choice, a fault of the network", "openrouter", chat(`"delta":{},"finish_reason":"stop","native_finish_reason":"network_error"`), "faulted", "Hi"},
		{"LiteLLM, in the choice", "litellm", chat(`"delta":{},"finish_reason":"stop","provider_specific_fields":{"native_finish_reason":"MALFORMED_FUNCTION_CALL"}`), "faulted", "Hi"},
		{"LiteLLM, in the delta", "litellm", chat(`"delta":{"provider_specific_fields":{"x":1,"native_finish_reason":"error"}},"finish_reason":"stop"`), "faulted", "Hi"},
		{"LiteLLM, before the word", "litellm", chat(`"provider_specific_fields":{"native_finish_reason":"ERROR"},"finish_reason":"stop","delta":{}`), "faulted", "Hi"},
		{"LiteLLM, not streamed", "litellm", `{"choices":[{"index":0,"message":{"content":"Hi","provider_specific_fields":{"native_finish_reason":"MALFORMED_RESPONSE"}},"finish_reason":"stop"}]}`, "faulted", ""},
		{"LiteLLM, a stop", "litellm", chat(`"delta":{},"finish_reason":"stop","provider_specific_fields":{"native_finish_reason":"STOP"}`), "whole", "Hi"},
		{"LiteLLM, an unknown word", "litellm", chat(`"delta":{},"finish_reason":"stop","provider_specific_fields":{"native_finish_reason":"eos_found"}`), "whole", "Hi"},
		{"LiteLLM, a filter", "litellm", chat(`"delta":{},"finish_reason":"stop","provider_specific_fields":{"native_finish_reason":"SAFETY"}`), "whole", "Hi"},
		{"LiteLLM, other fields", "litellm", chat(`"delta":{"provider_specific_fields":null},"finish_reason":"stop","provider_specific_fields":{"refusal":null,"error":"x"}`), "whole", "Hi"},
		{"LiteLLM, no word", "litellm", chat(`"delta":{},"finish_reason":"stop","provider_specific_fields":{"native_finish_reason":null}`), "whole", "Hi"},

		{"Bedrock, no call", "bedrock-converse", awsJoin(start, awsSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hi"}}`), toolUse), "faulted", "Hi"},
		{"Bedrock, no content at all", "bedrock-converse", awsJoin(start, toolUse), "faulted", ""},
		{"Bedrock, a call", "bedrock-converse", awsJoin(start, call(`{"toolUse":{"toolUseId":"t","name":"f"}}`), toolUse), "whole", ""},
		{"Bedrock, a call that lost its start", "bedrock-converse", awsJoin(start, awsSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}}`), toolUse), "whole", ""},
		{"Bedrock, a hosted tool", "bedrock-converse", awsJoin(start, call(`{"toolUse":{"toolUseId":"t","name":"f","type":"server_tool_use"}}`), toolUse), "whole", ""},
		{"Bedrock, a block that is not known", "bedrock-converse", awsJoin(start, call(`{"mcpToolUse":{}}`), awsSend("contentBlockDelta", `{"delta":{"text":"Hi"}}`), toolUse), "whole", "Hi"},
		{"Bedrock, not streamed, no call", "bedrock-converse", `{"output":{"message":{"content":[{"text":"Hi"}]}},"stopReason":"tool_use"}`, "faulted", ""},
		{"Bedrock, not streamed, a call", "bedrock-converse", `{"output":{"message":{"content":[{"text":"Hi"},{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}},"stopReason":"tool_use"}`, "whole", "Hi"},
		{"Bedrock, a stop without a call", "bedrock-converse", awsJoin(start, awsSend("contentBlockDelta", `{"delta":{"text":"Hi"}}`), awsSend("messageStop", `{"stopReason":"end_turn"}`)), "whole", "Hi"},

		{"Cohere, no call", "cohere", cohereFrames(cohereBegin, `{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"hm"}}}`, cohereEnd(`"finish_reason":"TOOL_CALL"`)), "faulted", ""},
		{"Cohere, a call", "cohere", cohereFrames(cohereBegin, `{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t","type":"function","function":{"name":"f","arguments":""}}}}}`, cohereEnd(`"finish_reason":"TOOL_CALL"`)), "whole", ""},
		{"Cohere, an event that is not known", "cohere", cohereFrames(cohereBegin, cohereDelta("0", `"text":"Hi"`), `{"type":"tool-use","index":0}`, cohereEnd(`"finish_reason":"TOOL_CALL"`)), "whole", "Hi"},
		{"Cohere, not streamed, no call", "cohere", `{"id":"m","finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_plan":"hm"}}`, "faulted", ""},
		{"Cohere, not streamed, a call", "cohere", `{"id":"m","finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]}}`, "whole", ""},
	})
}

// What Server-Sent Events do not know inside an event leaves the event its name: nothing
// else tells these errors.
func TestNamedErrorsBehindUnknownFields(t *testing.T) {
	hi := delta(`"content":"Hi"`)
	var rows []verdictRow
	for name, unknown := range map[string]string{"no field": "", "a field": "x: y\n", "a field without a value": "x\n", "text": "so many words\n", "several": "x: y\nz: 1\n", "comments, too": ": a\nx: y\n: b\n", "in CRLF": "x: y\r\n"} {
		for _, dialect := range []string{"openai", "compatible", "anthropic", "responses", "cohere", "gemini", "watsonx"} {
			rows = append(rows,
				verdictRow{name + " before the data, " + dialect, dialect, "event: error\n" + unknown + "data: {\"info\":\"busy\"}\n\n", "faulted", ""},
				verdictRow{name + " before text, " + dialect, dialect, "event: error\n" + unknown + "data: busy\n\n", "faulted", ""},
			)
		}
		rows = append(rows,
			verdictRow{name + ", behind an answer", "openai", frames(hi, hi) + "event: error\n" + unknown + frames(hi), "faulted", "HiHi"},
			verdictRow{name + ", in an event of another name", "openai", "event: chunk\n" + unknown + frames(hi, delta(`},"finish_reason":"stop","x":{`), "[DONE]"), "whole", "Hi"},
		)
	}
	for _, dialect := range []string{"openai", "anthropic", "cohere"} {
		rows = append(rows, verdictRow{"text in the place of the data, " + dialect, dialect, "event: error\nbusy\n\n", "faulted", ""})
	}
	runVerdicts(t, rows)
}

// The sentinel proves no end of a choice that was cut while another one finished.
func TestSentinelWithSomeFinishWords(t *testing.T) {
	of := func(index, delta, finish string) string {
		return `{"choices":[{"index":` + index + `,"delta":{` + delta + `},"finish_reason":` + finish + `}]}`
	}
	a, b := of("0", `"content":"a"`, "null"), of("1", `"content":"b"`, "null")
	runVerdicts(t, []verdictRow{
		{"one of two has finished", "openai", frames(a, b, of("1", "", `"stop"`), "[DONE]"), "truncated", "a"},
		{"the other one", "openai", frames(a, b, of("0", "", `"stop"`), "[DONE]"), "truncated", "a"},
		{"one of two has finished, and a call was cut", "openai", frames(a, of("1", `"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]`, "null"), of("0", "", `"stop"`), "[DONE]"), "truncated", "a"},
		{"both", "openai", frames(a, b, of("0", "", `"stop"`), of("1", "", `"stop"`), "[DONE]"), "whole", "a"},
		{"both, the last after a sentinel", "openai", frames(a, b, of("0", "", `"stop"`), "[DONE]", of("1", "", `"stop"`)), "whole", "a"},
		{"none", "openai", frames(a, b, "[DONE]"), "whole", "a"},
		{"one that never said anything", "openai", frames(a, of("1", `"role":"assistant"`, "null"), of("0", "", `"stop"`), "[DONE]"), "whole", "a"},
		{"one that said nothing but empty text", "openai", frames(a, of("1", `"content":""`, "null"), of("0", "", `"stop"`), "[DONE]"), "whole", "a"},
		{"a single one without a word", "openai", frames(a, "[DONE]"), "whole", "a"},
		{"a null word and the sentinel", "openai", frames(a, of("0", "", `"null"`), "[DONE]"), "whole", "a"},
	})
}

func TestWorkersAI(t *testing.T) {
	runVerdicts(t, []verdictRow{
		{"tokens that are no text", "workersai", frames(`{"response":"1 + "}`, `{"response":1,"p":"ab"}`, `{"response":" = "}`, `{"response":2.50}`, `{"response":true}`, `{"response":null}`, "[DONE]"), "whole", "1 + 1 = 2.50true"},
		{"a token that is no text alone", "workersai", frames(`{"response":2}`, "[DONE]"), "whole", "2"},
		{"nothing but nulls", "workersai", frames(`{"response":null}`, "[DONE]"), "empty", ""},
		{"cut", "workersai", frames(`{"response":2}`), "truncated", "2"},
		{"not streamed", "workersai", `{"result":{"response":"Hi"},"success":true,"errors":[],"messages":[]}`, "whole", "Hi"},
		{"not streamed, the result last", "workersai", `{"success":true,"errors":[],"messages":[],"result":{"response":"Hi","usage":{"prompt_tokens":1}}}`, "whole", "Hi"},
		{"not streamed, a number", "workersai", `{"result":{"response":2},"success":true}`, "whole", "2"},
		{"not streamed, a call", "workersai", `{"result":{"response":null,"tool_calls":[{"name":"f","arguments":{"a":1}}]},"success":true}`, "whole", ""},
		{"not streamed, as chat", "workersai", `{"result":{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]},"success":true}`, "whole", "Hi"},
		{"not streamed, as chat and cut", "workersai", `{"result":{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":null}]},"success":true}`, "truncated", "Hi"},
		{"not streamed, nothing", "workersai", `{"result":{"response":""},"success":true}`, "empty", ""},
		{"not streamed, an error", "workersai", `{"result":null,"success":false,"errors":[{"code":3040,"message":"m"}],"messages":[]}`, "faulted", ""},
		{"not streamed, an error beside a result", "workersai", `{"result":{"response":"Hi"},"success":false,"errors":[{"code":3040,"message":"m"}]}`, "faulted", ""},
		{"a result of something else", "workersai", frames(`{"result":{"x":1}}`, delta(`"content":"Hi"`), finishing("stop")), "whole", "Hi"},
	})
}
