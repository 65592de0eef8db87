package classify

import "strings"

// maxReadings bounds how often a message is unwrapped.
const maxReadings = 8

// wrappers are patterns of what gateways and SDKs put before a provider's own
// words, apart from a status and the name of an exception's class. Only what is
// never followed by a piece of the request belongs here: "invalid value: " does not.
// Sources: wire/openai-family.md §7, §10.1, §16; wire/other-families.md §4c;
// litellm#6975, continue#6005, kimi-cli#2011.
var wrappers = []string{
	"the model returned the following errors: ", // Bedrock
	"an error occurred (@ when calling the @ operation: ",
	"an error occurred (@ when calling the @ operation (reached max retries: #): ",
	"an error was encountered while running the model: ", // Ollama
	"invalid request: ", // Moonshot
	"bad request: ",
	"bad request, ",
	"authentication error, ", // LiteLLM
	"authentication error: ",
	"api error: ",
	"provider error: ",
	"upstream error: ",
	"upstream error (#): ",
	"stream error: ",
	"request failed: ",
	"internal server error: ",
	"provider returned error: ",
	"error from provider: ",
	"error from provider (@): ",
	"access forbidden (#): ",
}

// readings returns a message, in lower case, and what it says behind each of its
// wrappers, the innermost first: a gateway's own words are about the provider's.
// Each reading begins where a wrapper ends, so an echo further on has none.
func readings(message string) []string {
	all := []string{message}
	for len(all) < maxReadings {
		inner, ok := unwrapped(all[0])
		if !ok || inner == "" {
			break
		}
		all = append([]string{inner}, all...)
	}
	return all
}

func unwrapped(s string) (string, bool) {
	for _, w := range wrappers {
		if rest, ok := after(s, w); ok {
			return trim(rest), true
		}
	}
	for _, head := range [...]func(string) (string, bool){afterStatus, afterClass} {
		if rest, ok := head(s); ok {
			if inner, ok := quoted(rest, false); ok {
				return inner, true
			}
			return trim(rest), true
		}
	}
	return quoted(s, true)
}

// afterStatus cuts a status with which a message begins, such as "error code: 400 - "
// or "<400> ".
func afterStatus(s string) (string, bool) {
	for _, lead := range [...]string{"error code: ", "status code: ", "http status ", "http error ", "http ", "status ", "<", "[", ""} {
		rest, ok := strings.CutPrefix(s, lead)
		if !ok || len(rest) < 4 || !isStatus(rest[:3]) {
			continue
		}
		if tail := strings.TrimLeft(rest[3:], " :->],"); len(tail) < len(rest)-3 {
			return tail, true
		}
	}
	return "", false
}

// maxClass is the longest name of a class.
const maxClass = 64

// afterClass cuts the name of an exception's class with which a message begins, such
// as "litellm.BadRequestError: " or "AnthropicException - ".
func afterClass(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "context window error - "); ok {
		return rest, true // LiteLLM's, of Bedrock
	}
	n := 0
	for n < len(s) && n < maxClass && (isWord(s[n]) || s[n] == '.') {
		n++
	}
	name := s[:n]
	if !strings.Contains(name, "error") && !strings.Contains(name, "exception") && !strings.HasPrefix(name, "litellm.") {
		return "", false
	}
	for _, sep := range [...]string{": ", " - "} {
		if rest, ok := strings.CutPrefix(s[n:], sep); ok {
			return rest, true
		}
	}
	return "", false
}

// quoted finds the message of an error document that stands in a text, as JSON,
// escaped or cut off, or as Python prints it. It is behind the first key named
// message. bare asks for an error's mark before it, for a text that nothing but the
// document's own look shows to be no request.
func quoted(s string, bare bool) (string, bool) {
	s = strings.TrimLeft(s, " \\\"'")
	for _, bytes := range [...]string{"b'", `b"`} {
		s = strings.TrimPrefix(s, bytes)
	}
	i := strings.Index(s, "message")
	if i < 0 || i > maxGap || s[0] != '{' || bare && !strings.Contains(s[:i], "error") {
		return "", false
	}
	key, value, ok := strings.Cut(s[i+len("message"):], ":")
	if !ok || strings.Trim(key, "\\ ") != `"` && strings.Trim(key, "\\ ") != "'" {
		return "", false
	}
	return strings.TrimLeft(value, " \\\"'"), true
}
