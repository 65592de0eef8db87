package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// readGeminiUsage reads usageMetadata. Vertex sends one without counts until the end
// (wire/other-families.md §2.f). Output does not hold the thoughts: Google counts
// them apart, and in the total.
func readGeminiUsage(span []byte) (u endwell.Usage) {
	var c jsonscan.Cursor
	c.Reset(span)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "promptTokenCount":
			u.Input = readCount(&c)
		case "candidatesTokenCount":
			u.Output = readCount(&c)
		case "totalTokenCount":
			u.Total = readCount(&c)
		case "thoughtsTokenCount":
			u.Reasoning = readCount(&c)
		case "cachedContentTokenCount":
			u.Cached = readCount(&c)
		}
	}
	return u
}

// pushGoogleUsage pushes a usage record unless it counts nothing.
func pushGoogleUsage(d *reader, u endwell.Usage) {
	if u != (endwell.Usage{}) {
		owned := u
		d.push(endwell.Chunk{Kind: endwell.KindUsage, Usage: &owned})
	}
}
