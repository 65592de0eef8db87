package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// Events of the Interactions API, as they come for one answer.
const (
	interactionsCreated = `{"interaction":{"id":"v1_a","status":"in_progress","object":"interaction","model":"m"},"event_type":"interaction.created"}`
	interactionsUpdate  = `{"interaction_id":"v1_a","status":"in_progress","event_type":"interaction.status_update"}`
	interactionsText    = `{"index":1,"delta":{"text":"a","type":"text"},"event_type":"step.delta"}`
	interactionsStop    = `{"index":1,"event_type":"step.stop"}`
	interactionsDone    = `{"interaction":{"id":"v1_a","status":"completed","usage":{"total_tokens":20,"total_input_tokens":9,"total_cached_tokens":1,"total_output_tokens":3,"total_thought_tokens":8},"object":"interaction"},"event_type":"interaction.completed"}`
)

// interactionsDelta is a delta of the step with index 1.
func interactionsDelta(delta string) string {
	return `{"index":1,"delta":` + delta + `,"event_type":"step.delta"}`
}

// interactionsStart is the beginning of the step with that index.
func interactionsStart(index, step string) string {
	return `{"index":` + index + `,"step":` + step + `,"event_type":"step.start"}`
}

// interactionsEnd is the terminal event with that status.
func interactionsEnd(status string) string {
	return `{"interaction":{"id":"v1_a","status":"` + status + `"},"event_type":"interaction.completed"}`
}

func TestInteractions(t *testing.T) {
	const done = "finish(stop completed)@settled usage(9 3 20 r8 c1)@ended"
	for _, tt := range []struct{ name, body, want, end string }{
		// The terminal.
		{
			"whole", frames(interactionsCreated, interactionsUpdate, interactionsStart("1", `{"type":"model_output"}`), interactionsText, interactionsStop, interactionsDone),
			"meta meta meta text(a) meta " + done, "eof",
		},
		{"a sentinel follows", frames(interactionsText, interactionsDone) + "event: done\ndata: [DONE]\n\n", "text(a) " + done + " meta", "eof"},
		{"no terminal", frames(interactionsCreated, interactionsText, interactionsStop), "meta text(a) meta", "eof"},
		{"a sentinel instead", frames(interactionsText, "[DONE]"), "text(a) meta", "eof"},
		{"a status that says it", frames(interactionsText, `{"status":"completed","event_type":"interaction.status_update"}`), "text(a) finish(stop completed)@may_end", "eof"},
		{
			"a status, then more", frames(`{"status":"requires_action","event_type":"interaction.status_update"}`, interactionsStart("2", `{"type":"model_output"}`)),
			"finish(tool_calls requires_action)@may_end meta@open", "eof",
		},
		{"a status, then a sentinel", frames(`{"event_type":"interaction.requires_action"}`, "[DONE]"), "finish(tool_calls requires_action)@may_end meta@ended", "eof"},
		{"the first version", frames(
			`{"event_type":"interaction.start","interaction":{"id":"v1_a","status":"in_progress"}}`,
			`{"event_type":"content.start","index":0,"content":{"type":"text"}}`,
			`{"event_type":"content.delta","index":0,"delta":{"type":"text","text":"a"}}`,
			`{"event_type":"content.stop","index":0}`,
			`{"event_type":"interaction.complete","interaction":{"id":"v1_a","status":"completed"}}`,
		), "meta meta text(a) meta finish(stop completed)@ended", "eof"},
		{"type in the place of event_type", frames(interactionsText, `{"type":"interaction.completed","interaction":{"status":"completed"}}`), "text(a) finish(stop completed)@ended", "eof"},
		{"the event's name alone", "event: interaction.completed\ndata: {\"interaction\":{}}\n\n", "finish(stop completed)@ended", "eof"},
		{"last event without its blank line", "data: " + interactionsDone, done, "eof"},
		{"half of the terminal", frames(interactionsText) + `data: {"interaction":{"id"`, "text(a)", "cut status=0 type= code= message="},

		// Statuses.
		{"limit", frames(interactionsText, interactionsEnd("incomplete")), "text(a) finish(length incomplete)@ended", "eof"},
		{"budget", frames(interactionsText, interactionsEnd("budget_exceeded")), "text(a) finish(length budget_exceeded)@ended", "eof"},
		{"a new status is no fault", frames(interactionsText, interactionsEnd("paused")), "text(a) finish(unknown paused)@ended", "eof"},
		{"failed", frames(interactionsText, interactionsEnd("failed")), "text(a)", "reported status=0 type= code=failed message="},
		{"failed, with an error", frames(`{"interaction":{"status":"failed","error":{"code":"api_error","message":"m"}},"event_type":"interaction.completed"}`), "", "reported status=0 type= code=api_error message=m"},
		{"cancelled", frames(`{"status":"cancelled","event_type":"interaction.status_update"}`), "", "reported status=0 type=cancelled code=cancelled message="},
		{"failed, by the event's type", frames(`{"event_type":"interaction.failed"}`), "", "reported status=0 type= code=failed message="},

		// Errors in the body.
		{"error event", "event: error\ndata: {\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"m\"},\"event_type\":\"error\"}\n\n", "", "reported status=0 type= code=rate_limit_exceeded message=m"},
		{"error without an event name", frames(interactionsText, `{"error":{"code":"rate_limit_exceeded","message":"m"},"event_type":"error"}`), "text(a)", "reported status=0 type= code=rate_limit_exceeded message=m"},
		{"error that says nothing", frames(`{"event_type":"error","error":null}`), "", "reported status=0 type= code= message="},
		{"a refusal as a bare line", frames(interactionsCreated, interactionsUpdate) + `{"error":{"code":"prohibited_content","message":"m"}}` + "\n", "meta meta", "reported status=0 type= code=prohibited_content message=m"},
		{"a refusal over several lines", frames(interactionsCreated) + "{\n\"error\":{\"code\":\"prohibited_content\",\n\"message\":\"m\"}\n}\n", "meta", "reported status=0 type= code=prohibited_content message=m"},
		{"Google's error, in a list", frames(interactionsCreated) + "[" + geminiBusy + "]\n", "meta", geminiBusySaid},
		{"a list as body", "[" + geminiBusy + "]", "", geminiBusySaid},
		{"an error of a gateway", frames(`{"message":"m","code":"overloaded","type":"server_error"}`), "", "reported status=0 type=server_error code=overloaded message=m"},
		{"null error", frames(`{"index":1,"delta":{"text":"a","type":"text"},"error":null,"event_type":"step.delta"}`), "text(a)", "eof"},
		{"not JSON", frames(interactionsText, "{what}"), "text(a)", "unparseable status=0 type= code= message="},
		{"no object", frames("7"), "", "unparseable status=0 type= code= message="},
		{"nothing as payload", frames("null", "[]", "{}"), "meta meta meta", "eof"},
		{"an unknown event", frames(`{"event_type":"interaction.dreaming"}`, `{"event_type":"checkpoint.saved","message":"m","code":"c"}`), "meta meta", "eof"},

		// Two answers.
		{"two answers in one", frames(interactionsCreated, `{"interaction":{"id":"v1_b"},"event_type":"interaction.created"}`), "meta", "spliced status=0 type= code= message="},
		{"a stream that was resumed", frames(interactionsCreated, interactionsCreated), "meta meta", "eof"},
		{"ids that are not kept", frames(interactionsCreated, `{"interaction":{"id":""},"event_type":"interaction.created"}`), "meta meta", "eof"},

		// Kinds.
		{"text at the start", frames(interactionsStart("1", `{"type":"model_output","content":[{"type":"text","text":"a"},{"type":"image","data":"AA=="}]}`)), "text(a) output", "eof"},
		{"what the user said", frames(interactionsStart("0", `{"type":"user_input","content":[{"type":"text","text":"q"}]}`)), "meta", "eof"},
		{"summary of a thought", frames(interactionsDelta(`{"type":"thought_summary","content":{"type":"text","text":"hm"}}`)), "reasoning(hm)", "eof"},
		{"summary at the start", frames(interactionsStart("0", `{"type":"thought","summary":[{"type":"text","text":"h"},{"type":"text","text":"m"}]}`)), "reasoning(h) reasoning(m)", "eof"},
		{"a thought as text", frames(interactionsDelta(`{"type":"thought","thought":"hm"}`)), "reasoning(hm)", "eof"},
		{"signature", frames(interactionsDelta(`{"type":"thought_signature","signature":"c2ln"}`)), "meta", "eof"},
		{"annotations", frames(interactionsDelta(`{"type":"text_annotation_delta","annotations":[{"type":"url_citation"}]}`)), "meta", "eof"},
		{"an image", frames(interactionsDelta(`{"type":"image","uri":"gs://b/o"}`), interactionsDelta(`{"type":"image"}`)), "output meta", "eof"},
		{"a hosted tool", frames(interactionsStart("1", `{"type":"google_search_call","id":"s","arguments":{}}`), interactionsDelta(`{"type":"google_search_result","call_id":"s","result":[]}`)), "output output", "eof"},
		{"a delta of an unknown type", frames(interactionsDelta(`{"type":"hologram","text":"x"}`)), "meta", "eof"},
		{"comments and blank lines", ": hi\n\n" + frames(interactionsText) + "\n", "keep_alive text(a) keep_alive", "eof"},

		// Answers that are not streamed.
		{
			"whole document", `{"id":"v1_a","object":"interaction","status":"completed","steps":[{"type":"user_input","content":[{"type":"text","text":"q"}]},` +
				`{"type":"thought","summary":[{"type":"text","text":"hm"}]},{"type":"model_output","content":[{"type":"text","text":"a"}]},` +
				`{"type":"function_call","id":"c1","name":"f","arguments":{"x":1}}],"usage":{"total_tokens":5}}`,
			`reasoning(hm) text(a) tool_call(3 c1 f ) tool_call(3   {"x":1}) finish(tool_calls completed)@settled usage(0 0 5 r0 c0)@ended`, "eof",
		},
		{
			"whole document of the first version", "{\n\"id\":\"v1_a\",\n\"object\":\"interaction\",\"status\":\"completed\",\"outputs\":[{\"type\":\"text\",\"text\":\"a\"}]\n}\n",
			"text(a) finish(stop completed)@ended", "eof",
		},
		{"still in the background", `{"id":"v1_a","object":"interaction","status":"in_progress"}`, "meta", "eof"},
		{
			"steps repeated at the end", frames(interactionsText, `{"interaction":{"status":"completed","steps":[{"type":"model_output","content":[{"type":"text","text":"a"}]}]},"event_type":"interaction.completed"}`),
			"text(a) finish(stop completed)@ended", "eof",
		},
		{
			"steps at the end only", frames(`{"interaction":{"status":"completed","steps":[{"type":"model_output","content":[{"type":"text","text":"a"}]}]},"event_type":"interaction.completed"}`),
			"text(a) finish(stop completed)@ended", "eof",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requireSaid(t, MustByName("interactions"), tt.body, tt.want, tt.end)
		})
	}
}

func TestInteractionsCalls(t *testing.T) {
	const begin = `{"id":"c1","type":"function_call","name":"f","arguments":{}}`
	for _, tt := range []struct {
		name, body string
		want       []endwell.ToolCall
	}{
		{
			"arguments in pieces", frames(interactionsStart("1", begin), interactionsDelta(`{"type":"arguments_delta","arguments":"{\"x\":"}`), interactionsDelta(`{"type":"arguments_delta","arguments":"1}"}`), interactionsStop, interactionsEnd("requires_action")),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}},
		},
		{
			"no arguments", frames(interactionsStart("1", begin), interactionsStop, interactionsEnd("completed")),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{}`}},
		},
		{
			"arguments at the start", frames(interactionsStart("1", `{"id":"c1","type":"function_call","name":"f","arguments":{"x":1}}`), interactionsEnd("requires_action")),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}},
		},
		{
			"the first version", frames(`{"event_type":"content.start","index":1,"content":{"type":"function_call","id":"c1","name":"f"}}`,
				`{"event_type":"content.delta","index":1,"delta":{"type":"function_call","id":"c1","name":"f","arguments":{"x":1}}}`,
				`{"event_type":"content.stop","index":1}`, `{"event_type":"interaction.complete","interaction":{"status":"requires_action"}}`),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}},
		},
		{
			"parallel", frames(interactionsStart("1", begin), interactionsStart("2", `{"id":"c2","type":"function_call","name":"g","arguments":{}}`),
				`{"index":2,"delta":{"type":"arguments_delta","arguments":"{\"y\":2}"},"event_type":"step.delta"}`,
				interactionsDelta(`{"type":"arguments_delta","arguments":"{\"x\":1}"}`), interactionsEnd("requires_action")),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}, {ID: "c2", Name: "g", Arguments: `{"y":2}`}},
		},
		{
			"the start was lost", frames(interactionsDelta(`{"type":"arguments_delta","arguments":"{}"}`), interactionsEnd("completed")),
			[]endwell.ToolCall{{Arguments: `{}`}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, open := range splits(tt.body) {
				v := judge(t, MustByName("interactions"), open())
				require.Equal(t, "whole", v.fault)
				require.Equal(t, tt.want, v.calls())
				require.Equal(t, endwell.FinishToolCalls, v.transcript.Finish)
			}
		})
	}
}

// TestInteractionsEnds holds how answers end above the standard stack.
func TestInteractionsEnds(t *testing.T) {
	for _, tt := range []struct{ name, body, fault string }{
		{"whole", frames(interactionsCreated, interactionsText, interactionsDone), "whole"},
		{"no terminal", frames(interactionsCreated, interactionsText, interactionsStop), "truncated"},
		{"a sentinel instead", frames(interactionsCreated, interactionsText, "[DONE]"), "truncated"},
		{"a refusal without a terminal", frames(interactionsCreated) + `{"error":{"code":"prohibited_content","message":"m"}}`, "faulted"},
		{"thoughts only", frames(interactionsDelta(`{"type":"thought","text":"hm"}`), interactionsDone), "empty"},
		{"nothing said", frames(interactionsCreated, interactionsDone), "empty"},
		{"arguments that are cut", frames(interactionsStart("1", `{"id":"c","type":"function_call","name":"f"}`), interactionsDelta(`{"type":"arguments_delta","arguments":"{\"x"}`), interactionsDone), "truncated"},
		{"nothing", "", "empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.fault, judge(t, MustByName("interactions"), bodyOf(tt.body)).fault)
		})
	}
}
