package soak

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// voice speaks a wire, with its own frames, which are not those of the test kit.
type voice struct {
	wire  endwelltest.Wire
	typ   string
	alive string
	begin []frame
	end   []frame // after text
	ends  string  // what ends a frame

	say     func(text string) frame
	think   func(text string) frame     // reasoning; nil for none
	call    func(cut bool) []frame      // a tool call and the end of the answer; nil for none
	fault   func(token string) string   // an error frame
	faults  map[string]endwell.Category // its tokens
	torn    string                      // a frame that cannot be read
	refusal func(status int, token string) string
}

// The states of an answer after a frame.
const (
	open    = endwell.Open
	mayEnd  = endwell.MayEnd
	settled = endwell.Settled
	ended   = endwell.Ended
)

// event is a server-sent event whose frame ends with ends.
func event(name, data, ends string, after endwell.End) frame {
	raw := "data: " + data + ends
	if name != "" {
		raw = "event: " + name + "\n" + raw
	}
	return frame{
		raw: raw, begins: strings.Index(raw, "data: ") + len("data: "), content: len(raw) - len(ends),
		pays: true, after: after,
	}
}

// emits marks a frame with text of the answer.
func (f frame) saying(text string) frame {
	f.text, f.emits, f.usable = text, text != "", text != ""
	return f
}

// reasoning marks a frame with reasoning.
func (f frame) reasoning() frame {
	f.emits = true
	return f
}

// output marks a frame with other output.
func (f frame) output() frame {
	f.emits, f.usable = true, true
	return f
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always can
	return string(b)
}

var voices = [...]voice{chatVoice(), messagesVoice(), geminiVoice(), ollamaVoice()}

func chatVoice() voice {
	const ends = "\n\n"
	delta := func(delta, finish string, after endwell.End) frame {
		return event("", `{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{`+
			delta+`},"finish_reason":`+finish+`}]}`, ends, after)
	}
	call := func(members string) frame {
		return delta(`"tool_calls":[{"index":0,`+members+`}]`, "null", open).output()
	}
	done := event("", "[DONE]", ends, ended)
	return voice{
		wire: endwelltest.OpenAI, typ: "text/event-stream", alive: ": alive\n\n", ends: ends,
		begin: []frame{delta(`"role":"assistant","content":""`, "null", open)},
		say:   func(text string) frame { return delta(`"content":`+quoted(text), "null", open).saying(text) },
		think: func(text string) frame { return delta(`"reasoning_content":`+quoted(text), "null", open).reasoning() },
		end: []frame{
			delta("", `"stop"`, settled),
			event("", `{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5,"total_tokens":8}}`, ends, settled),
			done,
		},
		call: func(cut bool) []frame {
			args := `{\"at\":\"sea\"}`
			if cut {
				args = `{\"at\":\"se`
			}
			return []frame{
				call(`"id":"t-1","type":"function","function":{"name":"look","arguments":""}`),
				call(`"function":{"arguments":"` + args + `"}`),
				delta("", `"tool_calls"`, settled), done,
			}
		},
		fault: func(token string) string {
			return `data: {"error":{"message":"It failed.","type":"` + token + `","code":"` + token + `"}}` + ends
		},
		faults: map[string]endwell.Category{
			"server_error": endwell.ServerError, "rate_limit_exceeded": endwell.RateLimited,
			"server_is_overloaded": endwell.Overloaded, "invalid_api_key": endwell.AuthInvalid,
		},
		torn: `data: {"id":"c-1","choices":[{"ind` + ends,
		refusal: func(_ int, token string) string {
			return `{"error":{"message":"Refused.","type":"` + token + `","code":"` + token + `"}}`
		},
	}
}

func messagesVoice() voice {
	const ends = "\n\n"
	typed := func(name, rest string, after endwell.End) frame {
		return event(name, `{"type":"`+name+`"`+rest+`}`, ends, after)
	}
	delta := func(index, delta string) frame {
		return typed("content_block_delta", `,"index":`+index+`,"delta":{`+delta+`}`, open)
	}
	stop := func(word string) []frame {
		return []frame{
			typed("message_delta", `,"delta":{"stop_reason":"`+word+`","stop_sequence":null},"usage":{"output_tokens":5}`, settled),
			typed("message_stop", "", ended),
		}
	}
	closed := func(index string) frame { return typed("content_block_stop", `,"index":`+index, open) }
	return voice{
		wire: endwelltest.Anthropic, typ: "text/event-stream; charset=utf-8", ends: ends,
		alive: "event: ping\ndata: {\"type\":\"ping\"}\n\n",
		begin: []frame{
			typed("message_start", `,"message":{"id":"m-1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}`, open),
			typed("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`, open),
		},
		say: func(text string) frame { return delta("0", `"type":"text_delta","text":`+quoted(text)).saying(text) },
		end: append([]frame{closed("0")}, stop("end_turn")...),
		call: func(cut bool) []frame {
			args := `{\"at\":\"sea\"}`
			if cut {
				args = `{\"at\":\"se`
			}
			return append([]frame{
				closed("0"),
				typed("content_block_start", `,"index":1,"content_block":{"type":"tool_use","id":"t-1","name":"look","input":{}}`, open).output(),
				delta("1", `"type":"input_json_delta","partial_json":"`+args+`"`).output(),
				closed("1"),
			}, stop("tool_use")...)
		},
		fault: func(token string) string {
			return "event: error\ndata: " + `{"type":"error","error":{"type":"` + token + `","message":"It failed."}}` + ends
		},
		faults: map[string]endwell.Category{
			"api_error": endwell.ServerError, "rate_limit_error": endwell.RateLimited,
			"overloaded_error": endwell.Overloaded, "authentication_error": endwell.AuthInvalid,
		},
		torn: "event: content_block_delta\ndata: {\"type\":\"content_block_del" + ends,
		refusal: func(_ int, token string) string {
			return `{"type":"error","error":{"type":"` + token + `","message":"Refused."}}`
		},
	}
}

func geminiVoice() voice {
	const ends = "\r\n\r\n"
	part := func(text, finish string, after endwell.End) frame {
		return event("", `{"candidates":[{"content":{"parts":[{"text":`+quoted(text)+`}],"role":"model"}`+finish+`,"index":0}],`+
			`"usageMetadata":{"promptTokenCount":3,"totalTokenCount":8},"modelVersion":"m","responseId":"r-1"}`, ends, after)
	}
	return voice{
		wire: endwelltest.Gemini, typ: "text/event-stream", alive: ": alive" + ends, ends: ends,
		say: func(text string) frame { return part(text, "", open).saying(text) },
		end: []frame{part("", `,"finishReason":"STOP"`, mayEnd)},
		fault: func(token string) string {
			return `data: {"error":{"code":` + token + `,"message":"It failed.","status":"` + endwelltest.Gemini.Token(atoi(token)) + `"}}` + ends
		},
		faults:  map[string]endwell.Category{"500": endwell.ServerError, "503": endwell.Overloaded, "401": endwell.AuthInvalid},
		torn:    `data: {"candidates":[{"cont` + ends,
		refusal: func(status int, token string) string { return googleDocument(status, token) },
	}
}

func googleDocument(status int, token string) string {
	return `{"error":{"code":` + strconv.Itoa(status) + `,"message":"Refused.","status":"` + token + `"}}`
}

func ollamaVoice() voice {
	line := func(content, rest string, after endwell.End) frame {
		raw := `{"model":"m","created_at":"2030-01-01T00:00:00Z","message":{"role":"assistant","content":` + quoted(content) + `},` + rest + "}\n"
		return frame{raw: raw, content: len(raw) - 1, pays: true, after: after}
	}
	failed := func(string) string { return `{"error":"the runner is gone"}` + "\n" }
	return voice{
		wire: endwelltest.Ollama, typ: "application/x-ndjson", alive: line("", `"done":false`, open).raw, ends: "\n",
		say:   func(text string) frame { return line(text, `"done":false`, open).saying(text) },
		end:   []frame{line("", `"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":5`, ended)},
		fault: failed, faults: map[string]endwell.Category{"": endwell.ServerError},
		torn:    `{"model":"m","mess` + "\n",
		refusal: func(int, string) string { return `{"error":"refused"}` },
	}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// refusals are the statuses of refused calls, and what they mean on every wire here.
var refusals = map[int]endwell.Category{
	http.StatusBadRequest: endwell.RequestInvalid, http.StatusUnauthorized: endwell.AuthInvalid,
	http.StatusForbidden: endwell.PermissionDenied, http.StatusNotFound: endwell.ModelUnavailable,
	http.StatusTooManyRequests: endwell.RateLimited, http.StatusInternalServerError: endwell.ServerError,
	http.StatusServiceUnavailable: endwell.Overloaded,
}
