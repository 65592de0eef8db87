package check_test

import (
	"os"
	"strings"

	"github.com/endwell-go/endwell/cmd/endwell/internal/check"
)

func ExampleRun() {
	body := `data: {"choices":[{"delta":{"content":"It was a dark and"}}]}` + "\n\n"
	check.Run(strings.NewReader(body), os.Stdout, os.Stderr, []string{"-dialect", "openai", "-"})
	// Output:
	// -: FAILED, truncated (malformed_response), may be resubmitted by a person  [openai]
	//     says       The answer of the model was cut off before it was finished. The provider is at fault and not the request: submit it again, or pick another model.
	//     text       "It was a dark and"
}
