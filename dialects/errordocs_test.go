package dialects

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// Error documents in the place of a frame are faults in every family, and nothing that
// is part of an answer, or reports no failure, is one.
func TestErrorDocuments(t *testing.T) {
	families := []struct{ name, before, after string }{
		{"openai", frames(delta(`"content":"Hi"`)), frames(finishing("stop"), "[DONE]")},
		{"watsonx", frames(delta(`"content":"Hi"`)), frames(finishing("stop"))},
		{"anthropic", named(aStart, aOpen, aHi), named(aClose, aReason("end_turn"), aStop)},
		{"responses", named(rCreated, rDelta("output_text", "0", "Hi")), named(rFinal("completed", "", ""))},
		{"gemini", geminiEvents(geminiText("Hi")), geminiEvents(geminiStop("STOP"))},
		{"interactions", frames(interactionsDelta(`{"text":"Hi","type":"text"}`)), frames(interactionsEnd("completed"))},
		{"cohere", cohereFrames(cohereBegin, cohereDelta("0", `"text":"Hi"`)), cohereFrames(cohereEnd(`"finish_reason":"COMPLETE"`)) + frames("[DONE]")},
		{"cohere-v1", lines(`{"is_finished":false,"event_type":"text-generation","text":"Hi"}`), lines(`{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE"}`)},
		{"ollama", lines(ollamaChat(`"content":"Hi"`)), lines(ollamaDone(""))},
	}
	for _, doc := range []struct{ name, doc, code, message string }{
		{"Baidu", `{"error_code":18,"error_msg":"m"}`, "18", "m"},
		{"success is false", `{"success":false,"message":"m"}`, "", "m"},
		{"status is a word for failure", `{"status":"error","message":"m"}`, "", "m"},
		{"status is a word in capitals", `{"status":"FAILED","msg":"m"}`, "", "m"},
		{"status is text", `{"status":"503","message":"m"}`, "", "m"},
		{"iFlytek", `{"header":{"code":10013,"message":"m","sid":"s","status":2}}`, "10013", "m"},
		{"inside of response", `{"response":{"error":{"message":"m","code":"c"}}}`, "c", "m"},
		{"AWS", `{"__type":"ThrottlingException","message":"m"}`, "", "m"},
		{"AWS with a namespace", `{"__type":"com.amazon.coral.service#ThrottlingException","Message":"m"}`, "", "m"},
		{"a problem document", `{"type":"about:blank","title":"m","status":503}`, "", "m"},
		{"a problem document with an address", `{"type":"https://example.com/probs/busy","title":"t","status":503,"detail":"m"}`, "", "m"},
		{"a problem document without a type", `{"title":"t","status":500,"detail":"m"}`, "", "m"},
	} {
		for _, f := range families {
			t.Run(doc.name+"/"+f.name, func(t *testing.T) {
				write := frames
				if f.after[0] == '{' {
					write = lines
				}
				h := hear(MustByName(f.name).Stream(bodyOf(f.before+write(doc.doc)+f.after), Options{}))
				var ev *endwell.Evidence
				require.True(t, errors.As(h.end, &ev), "%v", h.end)
				require.Equal(t, endwell.Reported, ev.Kind)
				require.Equal(t, doc.code, ev.Code)
				require.Equal(t, doc.message, ev.Message)
			})
		}
	}
	for _, doc := range []struct{ name, doc string }{
		{"Baidu, no error", `{"error_code":0,"error_msg":""}`},
		{"success is true", `{"success":true,"message":"m"}`},
		{"success is false and no word", `{"success":false}`},
		{"status is a word", `{"status":"processing","message":"m"}`},
		{"status is fine", `{"status":200,"message":"ok"}`},
		{"status is fine, as text", `{"status":"200","message":"ok"}`},
		{"iFlytek, no error", `{"header":{"code":0,"message":"Success","sid":"s"}}`},
		{"header of something else", `{"header":"x"}`},
		{"response without an error", `{"response":{"error":null}}`},
		{"a name that is no exception", `{"__type":"Message","message":"m"}`},
		{"a header without a word", `{"header":{"code":7}}`},
	} {
		for _, f := range families {
			t.Run(doc.name+"/"+f.name, func(t *testing.T) {
				write := frames
				if f.after[0] == '{' {
					write = lines
				}
				if strings.HasPrefix(f.name, "cohere") && strings.Contains(doc.doc, `,"message"`) {
					t.Skip("a message is Cohere's own error document")
				}
				require.Equal(t, "whole", judge(t, MustByName(f.name), bodyOf(f.before+write(doc.doc)+f.after)).fault)
			})
		}
	}
}

// What looks like an error document inside of an answer is none.
func TestNoErrorDocuments(t *testing.T) {
	choice := `"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]`
	for _, members := range []string{
		`"error":{"message":"","type":"","code":null}`,
		`"error":{"code":0,"message":""}`,
		`"error":{"code":"0","message":"None","inner":{"details":[]}}`,
		`"error":[]`, `"error":0`, `"error":{}`, `"error":""`, `"error":null`, `"error":false`,
		`"status":"error","message":"m"`, `"success":false,"message":"m"`, `"error_code":18,"error_msg":"m"`,
		`"header":{"code":1,"message":"m"}`, `"__type":"ThrottlingException","message":"m"`,
		`"response":{"error":{"message":"m"}}`, `"type":"about:blank","title":"m","status":503`,
	} {
		for _, body := range []string{
			frames(`{`+members+`,`+choice+`}`, "[DONE]"), frames(`{`+choice+`,`+members+`}`, "[DONE]"),
			`{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}],` + members + `}`,
		} {
			v := judge(t, MustByName("openai"), bodyOf(body))
			require.Equal(t, "whole", v.fault, body)
			require.Equal(t, "Hi", v.text(), body)
		}
	}
	for _, members := range []string{
		`"error":{"message":"","code":1}`, `"error":{"message":"m"}`, `"error":{"code":0,"details":[1]}`, `"error":"x"`,
		`"error":true`, `"error":["x"]`, `"error":{},"error":{"message":"m"}`, `"error":{"message":""},"error":"x"`,
	} {
		require.Equal(t, "faulted", judge(t, MustByName("openai"), bodyOf(frames(`{`+members+`,`+choice+`}`))).fault, members)
	}
	runVerdicts(t, []verdictRow{
		{"responses, an empty error", "responses", named(rCreated, rDelta("output_text", "0", "Hi"), rFinal("completed", `"error":{"code":null,"message":""},`, "")), "whole", "Hi"},
		{"responses, not streamed", "responses", `{"object":"response","status":"completed","error":{"message":"","code":""},"output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}`, "whole", "Hi"},
		{"Anthropic, not streamed", "anthropic", `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","error":{"message":"","type":""}}`, "whole", "Hi"},
		{"Cohere, an empty error", "cohere", cohereFrames(cohereDelta("0", `"text":"Hi"`), cohereEnd(`"finish_reason":"COMPLETE","error":[]`)), "whole", "Hi"},
		{"Gemini, an empty error", "gemini", geminiEvents(geminiText("Hi"), `{"error":{"code":0,"message":""},"candidates":[{"index":0,"finishReason":"STOP"}]}`), "whole", "Hi"},
		{"Groq, an empty error", "groq", frames(`{"x_groq":{"error":{"message":""}},` + choice + `}`), "whole", "Hi"},
	})
}
