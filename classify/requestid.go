package classify

import (
	"net/textproto"
	"strings"

	"github.com/endwell-go/endwell"
)

// idHeaders are the headers in which providers name a request, the provider's own
// before those of whoever stands in front. Sources: wire/openai-family.md §0.3,
// wire/other-families.md §1, §6.
var idHeaders = [...]string{
	"Request-Id",          // Anthropic
	"X-Request-Id",        // OpenAI and most others
	"X-Github-Request-Id", // Copilot
	"X-Generation-Id",     // OpenRouter
	"Apim-Request-Id",     // Azure
	"X-Ms-Request-Id",     // Azure
	"X-Amzn-Requestid",    // Bedrock
	"X-Trace-Id",          // Moonshot
	"Trace_id",            // MiniMax
	"Trace-Id",
	"Nvcf-Reqid", // NVIDIA
	"Cf-Aig-Log-Id",
	"Cf-Aig-Run-Id",
	"X-Groq-Id",
	"Cf-Ray",
}

func requestID(ev *endwell.Evidence, req *endwell.Request) string {
	if id := safeID(ev.RequestID, req); id != "" {
		return id
	}
	for _, name := range idHeaders {
		if id := safeID(header(ev.Header, name), req); id != "" {
			return id
		}
	}
	return ""
}

// header returns the first value of a header, whatever the case of its name; ""
// when there is none. name must be in canonical form.
func header(h map[string][]string, name string) string {
	if v := h[name]; len(v) > 0 {
		return strings.TrimSpace(v[0])
	}
	for k, v := range h {
		if len(v) > 0 && textproto.CanonicalMIMEHeaderKey(k) == name {
			return strings.TrimSpace(v[0])
		}
	}
	return ""
}
