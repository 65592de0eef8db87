package dialects

import (
	"errors"
	"testing"

	"github.com/endwell-go/endwell"
)

// errorShapes are documents that report an error whatever the wire is. Sources:
// wire/openai-family.md §22.2.
var errorShapes = []string{
	`{"error":{"message":"x"}}`,
	`{"error":{"type":"a","message":"x","code":null}}`,
	`{"error":"x"}`,
	`{"type":"error","message":"x"}`,
	`{"type":"error","error":{"type":"a","message":"x"}}`,
	`[{"error":{"message":"x"}}]`,
	`{"object":"error","message":"x"}`,
	`{"object":"error","message":"x","type":null,"code":null}`,
	`{"object":"error","message":"x","type":"service_tier_capacity_exceeded","param":null,"code":"3505","raw_status_code":429}`,
	`{"object":"error","message":{"detail":[{"msg":"x"}]},"type":"invalid_request_error","code":null}`,
}

// A document that reports an error is one in every dialect, in the place of an answer.
func TestErrorShapes(t *testing.T) {
	for _, name := range Names() {
		d := MustByName(name)
		for _, doc := range errorShapes {
			for _, body := range []string{doc, doc + "\n", frames(doc), frames(doc, "[DONE]")} {
				var ev *endwell.Evidence
				if end := hear(d.Stream(bodyOf(body), Options{})).end; !errors.As(end, &ev) || ev.Kind != endwell.Reported {
					t.Errorf("%s: %q: %v", name, body, end)
				}
			}
		}
	}
}
