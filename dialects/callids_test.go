package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// callDelta is a frame with a delta of one tool call.
func callDelta(members string) string { return frames(delta(`"tool_calls":[{` + members + `}]`)) }

// A call begins with its name: hosts change ids, and leave out what they said before.
func TestCallsAreToldApart(t *testing.T) {
	const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	first := callDelta(`"index":0,"id":"A","function":{"name":"f","arguments":"{\"a\":"}`)
	f := func(args string) endwell.ToolCall { return endwell.ToolCall{ID: "A", Name: "f", Arguments: args} }
	for _, row := range []struct {
		name, body string
		want       []endwell.ToolCall
	}{
		{"another id in each chunk", first + callDelta(`"index":0,"id":"B","function":{"arguments":"1"}`) +
			callDelta(`"index":0,"id":"C","function":{"arguments":"}"}`), []endwell.ToolCall{f(`{"a":1}`)}},
		{"another id and an empty name", first + callDelta(`"index":0,"id":"B","function":{"name":"","arguments":"1}"}`), []endwell.ToolCall{f(`{"a":1}`)}},
		{"another id and a null name", first + callDelta(`"index":0,"id":"B","function":{"name":null,"arguments":"1}"}`), []endwell.ToolCall{f(`{"a":1}`)}},
		{"another id and no index", callDelta(`"id":"A","function":{"name":"f","arguments":"{\"a\":"}`) +
			callDelta(`"id":"B","function":{"arguments":"1}"}`), []endwell.ToolCall{f(`{"a":1}`)}},
		{"the name after the id", callDelta(`"index":0,"id":"A"`) + callDelta(`"index":0,"function":{"name":"f","arguments":"{}"}`), []endwell.ToolCall{f(`{}`)}},
		{"the name in every chunk", first + callDelta(`"index":0,"id":"A","function":{"name":"f","arguments":"1}"}`), []endwell.ToolCall{f(`{"a":1}`)}},
		{
			"an index used again", first + callDelta(`"index":0,"function":{"arguments":"1}"}`) +
				callDelta(`"index":0,"id":"B","function":{"name":"g","arguments":"{}"}`),
			[]endwell.ToolCall{f(`{"a":1}`), {ID: "B", Name: "g", Arguments: "{}"}},
		},
		{
			"an index used again, and the first call goes on", first + callDelta(`"index":0,"id":"B","function":{"name":"g","arguments":"{}"}`) +
				callDelta(`"index":0,"id":"A","function":{"arguments":"1}"}`),
			[]endwell.ToolCall{f(`{"a":1}`), {ID: "B", Name: "g", Arguments: "{}"}},
		},
		{
			"the same function twice", first + callDelta(`"index":0,"function":{"arguments":"1}"}`) +
				callDelta(`"index":0,"id":"B","function":{"name":"f","arguments":"{}"}`),
			[]endwell.ToolCall{f(`{"a":1}`), {ID: "B", Name: "f", Arguments: "{}"}},
		},
		{
			"another index without a name", first + callDelta(`"index":1,"id":"B","function":{"arguments":"{}"}`) +
				callDelta(`"index":0,"id":"A","function":{"arguments":"1}"}`),
			[]endwell.ToolCall{f(`{"a":1}`), {ID: "B", Arguments: "{}"}},
		},
		{
			"two calls by turns", first + callDelta(`"index":1,"id":"B","function":{"name":"g","arguments":"{"}`) +
				callDelta(`"index":0,"id":"x","function":{"arguments":"1}"}`) + callDelta(`"index":1,"id":"y","function":{"arguments":"}"}`),
			[]endwell.ToolCall{f(`{"a":1}`), {ID: "B", Name: "g", Arguments: "{}"}},
		},
		{
			"whole calls without an index", callDelta(`"id":"A","function":{"name":"f","arguments":"{}"}`) +
				callDelta(`"id":"B","function":{"name":"f","arguments":"{}"}`),
			[]endwell.ToolCall{f(`{}`), {ID: "B", Name: "f", Arguments: "{}"}},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := judge(t, MustByName("openai"), bodyOf(row.body+frames(end, "[DONE]")))
			require.Equal(t, "whole", v.fault, "%v", v.err)
			require.Equal(t, row.want, v.calls())
		})
	}
}

// Arguments that can no longer become JSON are the model's affair, those that only end
// too early are not.
func TestArgumentsThatAreNoJSON(t *testing.T) {
	for _, row := range []struct{ name, args, fault string }{
		{"a quote in the middle of a string", `{\"size\":\"5\" screen\"}`, "whole"},
		{"Python's quotes", `{'a': 'x\" y'}`, "whole"},
		{"a path with backslashes", `{\"p\":\"C:\\dir\\\"}`, "whole"},
		{"valid", `{\"p\":\"C:\\\\dir\"}`, "whole"},
		{"cut in a string", `{\"p\":\"C:\\\\dir`, "truncated"},
		{"cut after a key", `{\"p\":`, "truncated"},
		{"cut in an escape", `{\"p\":\"\\u00`, "truncated"},
	} {
		t.Run(row.name, func(t *testing.T) {
			body := callDelta(`"index":0,"id":"A","function":{"name":"f","arguments":"`+row.args+`"}`) +
				frames(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]")
			require.Equal(t, row.fault, judge(t, MustByName("openai"), bodyOf(body)).fault)
		})
	}
}
