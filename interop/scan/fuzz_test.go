package scan

import "testing"

// FuzzVerdict holds verdicts, every value, and where strings and numbers end.
func FuzzVerdict(f *testing.F) {
	for _, doc := range seeds {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		verdicts(t, doc)
		ends(t, doc)
	})
}

// FuzzWalk does different things with each value: it is asked for, skipped, left, or
// the walk ends there.
func FuzzWalk(f *testing.F) {
	for i, doc := range seeds {
		f.Add([]byte(doc), []byte{byte(i), byte(i / 5), byte(i / 25), 0, 3, 1, 2, 0, 4})
	}
	f.Fuzz(func(t *testing.T, doc, moves []byte) { walks(t, doc, moves) })
}
