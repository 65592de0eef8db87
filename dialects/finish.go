package dialects

import "github.com/endwell-go/endwell"

// finishWords are the finish words of the OpenAI chat family and of the systems
// that speak it, with their classes (wire/openai-family.md §21). Absent words are
// FinishUnknown; see finishOf.
var finishWords = map[string]endwell.Finish{
	"stop": endwell.FinishStop, "eos": endwell.FinishStop, "eos_token": endwell.FinishStop,
	"stop_sequence": endwell.FinishStop, "end_turn": endwell.FinishStop, "COMPLETE": endwell.FinishStop,
	"STOP": endwell.FinishStop,

	"tool_calls": endwell.FinishToolCalls, "tool_use": endwell.FinishToolCalls,
	"function_call": endwell.FinishToolCalls, "TOOL_CALL": endwell.FinishToolCalls,

	"length": endwell.FinishLength, "max_tokens": endwell.FinishLength,
	"model_length": endwell.FinishLength, "MAX_TOKENS": endwell.FinishLength,
	contextWord: endwell.FinishLength,

	"content_filter": endwell.FinishFilter, "sensitive": endwell.FinishFilter,
	"refusal": endwell.FinishFilter, "SAFETY": endwell.FinishFilter, "RECITATION": endwell.FinishFilter,
	"guardrail_intervened": endwell.FinishFilter,

	"error": endwell.FinishFault, "ERROR": endwell.FinishFault, "network_error": endwell.FinishFault,
	"insufficient_system_resource": endwell.FinishFault, "abort": endwell.FinishFault,
	"aborted": endwell.FinishFault, "repetition": endwell.FinishFault,
}

// contextWord says that the context was used up: a cut answer if there is one, and
// a context that is too long if there is none (wire/openai-family.md §17, §21).
const contextWord = "model_context_window_exceeded"

// outputFaults are words with which a provider says that its model's output could
// not be used. Gateways hide them behind a plain stop and keep them in
// native_finish_reason (wire/openai-family.md §10.1, wire/other-families.md §2.b).
var outputFaults = map[string]bool{
	"MALFORMED_FUNCTION_CALL": true, "UNEXPECTED_TOOL_CALL": true, "TOO_MANY_TOOL_CALLS": true,
	"MISSING_THOUGHT_SIGNATURE": true, "MALFORMED_RESPONSE": true,
	"malformed_model_output": true, "malformed_tool_use": true,
}
