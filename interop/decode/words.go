package decode

import (
	"bytes"
	"encoding/json"
	"strings"
)

// story is what answers are made of: plain words, a quote, a line break and letters
// outside of ASCII now and then.
var story = strings.Fields(`The harbour wakes before the town does . Two boats leave
	with their lamps still lit , a third waits for its crew , and the ferry's bell
	says " not yet " . By seven the café on the quay has put out its chairs ; the
	gulls , who own the place , inspect each one . ¶ Later the fog lifts and the
	far shore shows : a church , a crane , the long grey line of the naïve old
	wall that was built against a flood which never came .`)

// texts returns n pieces of text. A piece is one word with the space before it, or
// as many as it takes to have size bytes.
func texts(n, size int) []string {
	out := make([]string, n)
	word := 0
	for i := range out {
		var b strings.Builder
		for b.Len() == 0 || b.Len() < size {
			if w := story[word%len(story)]; w == "¶" {
				b.WriteString("\n\n")
			} else {
				b.WriteString(" " + w)
			}
			word++
		}
		out[i] = b.String()
	}
	return out
}

// quoted returns text as a JSON string, as servers write it.
func quoted(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
