package dialects

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// geminiCalls is a frame with function calls of candidate 0.
func geminiCalls(calls ...string) string {
	return geminiParts(`{"functionCall":`+strings.Join(calls, `},{"functionCall":`)+`}`, "")
}

func TestGeminiCalls(t *testing.T) {
	stop := geminiStop("STOP")
	for _, tt := range []struct {
		name, body string
		want       []endwell.ToolCall
	}{
		{"whole", frames(geminiCalls(`{"name":"f","id":"c1","args":{"a":[1]}}`), stop), []endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"a":[1]}`}}},
		{"without arguments", frames(geminiCalls(`{"name":"f"}`), stop), []endwell.ToolCall{{Name: "f"}}},
		{"with empty arguments", frames(geminiCalls(`{"name":"f","args":{}}`), stop), []endwell.ToolCall{{Name: "f", Arguments: `{}`}}},
		{"null arguments", frames(geminiCalls(`{"name":"f","args":null}`), stop), []endwell.ToolCall{{Name: "f"}}},
		{
			"parallel, in one frame and two", frames(geminiCalls(`{"name":"f","args":{"a":1}}`, `{"name":"f","args":{"a":2}}`), geminiCalls(`{"name":"g"}`), stop),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":1}`}, {Name: "f", Arguments: `{"a":2}`}, {Name: "g"}},
		},
		{
			"streamed", frames(
				geminiCalls(`{"name":"f","id":"c1","willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.city","stringValue":"Bos","willContinue":true}],"willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.city","stringValue":"ton \"\u00e9\"","willContinue":true}],"willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.city","stringValue":""}],"willContinue":true}`),
				geminiCalls(`{}`), stop,
			),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"city":"Boston \"\u00e9\""}`}},
		},
		{
			"streamed, two in turn", frames(
				geminiCalls(`{"name":"f","willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.a","numberValue":1.50}],"willContinue":true}`), geminiCalls(`{}`),
				geminiCalls(`{"name":"f","willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.a","boolValue":true}],"willContinue":true}`), geminiCalls(`{}`), stop,
			),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":1.50}`}, {Name: "f", Arguments: `{"a":true}`}},
		},
		{
			"streamed, the last piece closes", frames(
				geminiCalls(`{"name":"f","willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.a[0].b","numberValue":1}],"willContinue":true}`),
				geminiCalls(`{"partialArgs":[{"jsonPath":"$.a[1].b","nullValue":"NULL_VALUE"}]}`), geminiCalls(`{}`), stop,
			),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":[{"b":1},{"b":null}]}`}},
		},
		{
			"streamed, nothing in between", frames(geminiCalls(`{"name":"f","willContinue":true}`), geminiCalls(`{"willContinue":true}`), geminiCalls(`{}`), stop),
			[]endwell.ToolCall{{Name: "f", Arguments: `{}`}},
		},
		{
			"streamed, after an empty object", frames(geminiCalls(`{"name":"f","args":{},"willContinue":true}`), geminiCalls(`{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}]}`), stop),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":"x"}`}},
		},
		{
			"streamed, in one piece", frames(geminiCalls(`{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x"}]}`), stop),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":"x"}`}},
		},
		{
			"streamed, the name in every piece", frames(
				geminiCalls(`{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}`),
				geminiCalls(`{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]}`), stop,
			),
			[]endwell.ToolCall{{Name: "f", Arguments: `{"a":"xy"}`}},
		},
		{
			"streamed, the id in every piece", frames(
				geminiCalls(`{"id":"c1","name":"f","willContinue":true}`),
				geminiCalls(`{"id":"c1","partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}`),
				geminiCalls(`{"id":"c2","name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]}`), stop,
			),
			[]endwell.ToolCall{{ID: "c1", Name: "f", Arguments: `{"a":"x"}`}, {ID: "c2", Name: "f", Arguments: `{"a":"y"}`}},
		},
		{
			"streamed, another call instead of the end", frames(
				geminiCalls(`{"name":"f","willContinue":true}`), geminiCalls(`{"name":"g","args":{"b":2}}`), stop,
			),
			[]endwell.ToolCall{{Name: "f", Arguments: `{}`}, {Name: "g", Arguments: `{"b":2}`}},
		},
		{"a call in Code Assist's wrapper", frames(`{"response":`+geminiCalls(`{"name":"f"}`)+`}`, stop), []endwell.ToolCall{{Name: "f"}}},
		{"a call of the second candidate", frames(`{"candidates":[{"index":1,"content":{"parts":[{"functionCall":{"name":"g"}}]},"finishReason":"STOP"}]}`), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, open := range splits(tt.body) {
				v := judge(t, MustByName("gemini"), open())
				require.Equal(t, "whole", v.fault)
				require.Equal(t, tt.want, v.calls())
				if tt.want != nil {
					require.Equal(t, endwell.FinishToolCalls, v.transcript.Finish)
					require.Equal(t, "STOP", v.transcript.Reason)
				}
			}
		})
	}
}

func TestGeminiCallsAreOutput(t *testing.T) {
	requireSaid(t, MustByName("gemini"), frames(
		geminiParts(`{"functionCall":{"name":"f","willContinue":true}},{"text":"so"},{"inlineData":{"data":"AA=="}},{"text":"hm","thought":true}`, ""),
		geminiCalls(`{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}`),
		geminiCalls(`{}`),
	), `reasoning(hm) text(so) tool_call(0  f {) output tool_call(0   "a":"x") tool_call(0   })`, "eof")
}

func TestGeminiArgs(t *testing.T) {
	value := func(path, rest string) string { return `{"jsonPath":"` + path + `",` + rest + `}` }
	str := func(path, s string) string { return value(path, `"stringValue":"`+s+`"`) }
	for _, tt := range []struct {
		name, want string
		partial    []string
	}{
		{"nothing", `{}`, nil},
		{"nested", `{"a":{"b":{"c":"x"},"d":"y"},"e":"z"}`, []string{str("$.a.b.c", "x"), str("$.a.d", "y"), str("$.e", "z")}},
		{"lists", `{"a":["x","y"],"b":[[1],[2,3]]}`, []string{
			str("$.a[0]", "x"), str("$.a[1]", "y"), value("$.b[0][0]", `"numberValue":1`), value("$.b[1][0]", `"numberValue":2`), value("$.b[1][1]", `"numberValue":3`),
		}},
		{"an empty object is skipped", `{"a":[null,{"b":"x"}]}`, []string{str("$.a[1].b", "x")}},
		{"an index far off", `{"a":[` + strings.Repeat("null,", maxGap) + `"x"]}`, []string{str("$.a[1000000]", "x")}},
		{"quoted names", `{"a.b":{"it's":"x"}}`, []string{str(`$['a.b']['it\\'s']`, "x")}},
		{"names in double quotes", `{"a\"":"x"}`, []string{str(`$[\"a\\\"\"]`, "x")}},
		{"no dollar", `{"a":"x"}`, []string{str("a", "x")}},
		{"an index at the root", `{"0":"x"}`, []string{str("$[0]", "x")}},
		{"a bracket that is not closed", `{"a":{"b":"x"}}`, []string{str("$.a[b", "x")}},
		{"no path", `{}`, []string{str("$", "x"), `{"stringValue":"x"}`}},
		{"no value", `{}`, []string{`{"jsonPath":"$.a"}`, `{"jsonPath":"$.a","stringValue":null}`, `7`}},
		{"a string that goes on, then another", `{"a":"xy","b":"z"}`, []string{value("$.a", `"stringValue":"x","willContinue":true`), value("$.a", `"stringValue":"y","willContinue":true`), str("$.b", "z")}},
		{"half a surrogate", `{"a":"\ud83d\ude42"}`, []string{value("$.a", `"stringValue":"\ud83d","willContinue":true`), str("$.a", `\ude42`)}},
		{"a name that comes back", `{"a":{"b":"x"},"c":"y","a":{"d":"z"}}`, []string{str("$.a.b", "x"), str("$.c", "y"), str("$.a.d", "z")}},
		{"a list and an object of the same name", `{"a":["x"],"a":{"b":"y"}}`, []string{str("$.a[0]", "x"), str("$.a.b", "y")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a geminiArgs
			got := a.append(nil, []byte("["+strings.Join(tt.partial, ",")+"]"))
			got = a.appendEnd(got)
			require.Equal(t, tt.want, string(got))
			require.True(t, json.Valid(got))

			var piecewise geminiArgs
			got = piecewise.append(nil, nil)
			for _, p := range tt.partial {
				got = piecewise.append(got, []byte("["+p+"]"))
			}
			require.Equal(t, tt.want, string(piecewise.appendEnd(got)))
		})
	}
}
