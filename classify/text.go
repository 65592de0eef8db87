package classify

import (
	"strings"
	"time"
)

// leads are the words before a wait that stands only in the text, such as "Please
// try again in 9m38.016s" or "Please retry after 26 seconds". Sources:
// wire/openai-family.md §0.3, wire/other-families.md §2e.
var leads = [...]string{"try again in ", "retry after ", "retry in ", "try again after ", "wait for ", "wait "}

// inText finds the wait in a message, 0 when there is none.
func inText(message string) time.Duration {
	s := fold(message)
	for _, lead := range leads {
		for rest := s; ; {
			_, after, ok := strings.Cut(rest, lead)
			if !ok {
				break
			}
			if d, _ := span(strings.TrimLeft(after, " ~")); d > 0 {
				return d
			}
			rest = after
		}
	}
	return 0
}
