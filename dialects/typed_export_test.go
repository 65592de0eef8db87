package dialects

// For the tests outside of the package.
var (
	Anthropic = anthropicDialects()[0]
	Responses = responsesDialects()[0]
)

// SignAnthropic and SignResponses sign the first payload of a body.
func SignAnthropic(body string) string { return signBody(body, signAnthropic) }
func SignResponses(body string) string { return signBody(body, signResponses) }

func signBody(body string, sign func(*frame) string) string {
	s, f := new(sse), new(frame)
	for rest := []byte(body); s.next(rest, true, f); rest = rest[len(f.raw):] {
		if len(f.data) > 0 {
			return sign(f)
		}
	}
	return ""
}
