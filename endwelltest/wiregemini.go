package endwelltest

import (
	"net/http"
	"strconv"

	"github.com/endwell-go/endwell"
)

// geminiVoice speaks Google's streamGenerateContent, as events or as one array.
type geminiVoice struct{ array bool }

var geminiWords = map[endwell.Finish]string{
	endwell.FinishStop: "STOP", endwell.FinishToolCalls: "STOP", endwell.FinishLength: "MAX_TOKENS",
	endwell.FinishFilter: "SAFETY", endwell.FinishFault: "MALFORMED_FUNCTION_CALL",
}

// googleTokens are statuses of google.rpc.
var googleTokens = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
	429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

// googleCode is the HTTP status that goes with a token.
func googleCode(token string) int {
	for code, t := range googleTokens {
		if t == token {
			return code
		}
	}
	return http.StatusInternalServerError
}

// geminiTail is how a chunk ends.
const geminiTail = `"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":5,"totalTokenCount":8},` +
	`"modelVersion":"test-model","responseId":"resp_test"}`

// frame puts a chunk in its place.
func (v geminiVoice) frame(s *speech, chunk string) string {
	n := s.frames
	s.frames++
	switch {
	case !v.array:
		return geminiEvent(chunk)
	case n == 0:
		return "[" + chunk + "\n"
	default:
		return ",\r\n" + chunk + "\n"
	}
}

// geminiEvent is an event with Google's line ends, which its clients do not take mixed.
func geminiEvent(data string) string { return "data: " + data + "\r\n\r\n" }

// candidate is a chunk of one candidate.
func (geminiVoice) candidate(part, finish string) string {
	return `{"candidates":[{"content":{"parts":[` + part + `],"role":"model"}` + finish + `,"index":0}],` + geminiTail
}

func (geminiVoice) begin(*speech) string { return "" }

func (v geminiVoice) say(s *speech, text string) string {
	return v.frame(s, v.candidate(`{"text":`+quoted(text)+`}`, ""))
}

func (v geminiVoice) call(s *speech, id, name string, arguments []string) []string {
	called := func(members string) string { return v.frame(s, v.candidate(`{"functionCall":{`+members+`}}`, "")) }
	whose := `"id":` + quoted(id) + `,"name":` + quoted(name)
	args, ok := object(arguments)
	if ok {
		return []string{called(whose + `,"args":` + args)}
	}
	return []string{
		called(whose + `,"willContinue":true`),
		called(`"partialArgs":[{"jsonPath":"$.value","stringValue":` + quoted(args) + `,"willContinue":true}],"willContinue":true`),
	}
}

func (v geminiVoice) finish(s *speech, word string) string {
	return v.frame(s, v.candidate(`{"text":""}`, `,"finishReason":`+quoted(word)))
}

func (v geminiVoice) done(s *speech) string {
	switch {
	case !v.array:
		return ""
	case s.frames == 0:
		return "[]\n"
	default:
		return "]\n"
	}
}

func (v geminiVoice) alive(*speech) string {
	if v.array {
		return "\n"
	}
	return "\r\n\r\n"
}

// fault writes the document without framing, as Google does among events, or as the
// last element of the array.
func (v geminiVoice) fault(s *speech, token, message string) string {
	doc := v.refusal(googleCode(token), token, message)
	if !v.array {
		return doc + "\r\n\r\n"
	}
	return v.frame(s, doc) + v.done(s)
}

func (geminiVoice) refusal(status int, token, message string) string {
	return googleRefusal(status, token, message)
}

func googleRefusal(status int, token, message string) string {
	return `{"error":{"code":` + strconv.Itoa(status) + `,"message":` + quoted(message) + `,"status":` + quoted(token) + `}}`
}

func (v geminiVoice) unary(text string) string {
	return v.candidate(`{"text":`+quoted(text)+`}`, `,"finishReason":"STOP"`)
}
