package endwelltest

import "strconv"

// cohereV1Voice speaks Cohere v1.
type cohereV1Voice struct{}

// line is an event that is not the last one.
func (cohereV1Voice) line(typ, members string) string {
	return `{"is_finished":false,"event_type":"` + typ + `"` + members + "}\n"
}

// end is the last event, which repeats all of the text.
func (v cohereV1Voice) end(s *speech, word, more string) string {
	return `{"is_finished":true,"event_type":"stream-end","finish_reason":` + quoted(word) + more +
		`,"response":` + v.response(s.text, word) + "}\n"
}

func (cohereV1Voice) response(text, word string) string {
	return `{"response_id":"resp_test","text":` + quoted(text) + `,"generation_id":"gen_test","chat_history":[],` +
		`"finish_reason":` + quoted(word) + `,"meta":{"api_version":{"version":"1"},` + cohereUsage + `}}`
}

func (v cohereV1Voice) begin(*speech) string {
	return v.line("stream-start", `,"generation_id":"gen_test"`)
}

func (v cohereV1Voice) say(_ *speech, text string) string {
	return v.line("text-generation", `,"text":`+quoted(text))
}

// call ends with the whole call, unless its arguments are no JSON.
func (v cohereV1Voice) call(s *speech, _, name string, arguments []string) []string {
	at := `,"tool_call_delta":{"index":` + strconv.Itoa(s.calls)
	frames := []string{v.line("tool-calls-chunk", at+`,"name":`+quoted(name)+`}`)}
	for _, a := range arguments {
		frames = append(frames, v.line("tool-calls-chunk", at+`,"parameters":`+quoted(a)+`}`))
	}
	if args, ok := object(arguments); ok {
		frames = append(frames, v.line("tool-calls-generation", `,"tool_calls":[{"name":`+quoted(name)+`,"parameters":`+args+`}]`))
	}
	return frames
}

func (v cohereV1Voice) finish(s *speech, word string) string { return v.end(s, word, "") }

func (cohereV1Voice) done(*speech) string { return "" }

func (v cohereV1Voice) alive(*speech) string { return v.line("text-generation", `,"text":""`) }

func (v cohereV1Voice) fault(s *speech, token, message string) string {
	return v.end(s, cohereFault(token), `,"error":`+quoted(message))
}

func (cohereV1Voice) refusal(_ int, _, message string) string {
	return `{"message":` + quoted(message) + `}`
}

func (v cohereV1Voice) unary(text string) string { return v.response(text, "COMPLETE") }
