package dialects

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// pushUsage pushes a usage record, if there is one: at the top level or in a
// choice, else in x_groq.
func (d *reader) pushUsage(span, groq []byte) {
	if span == nil {
		span = memberOf(groq, "usage")
	}
	if span == nil {
		return
	}
	u := new(endwell.Usage)
	if !readUsage(span, u) {
		return
	}
	d.push(endwell.Chunk{Kind: endwell.KindUsage, Usage: u})
}

// readUsage reads a usage record in the words of any family, and reports whether it
// counts anything.
func readUsage(span []byte, u *endwell.Usage) bool {
	var c jsonscan.Cursor
	c.Reset(span)
	if !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			u.Input = readCount(&c)
		case "completion_tokens", "output_tokens":
			u.Output = readCount(&c)
		case "total_tokens":
			u.Total = readCount(&c)
		case "prompt_cache_hit_tokens", "cache_read_input_tokens":
			u.Cached = readCount(&c)
		case "prompt_tokens_details", "input_tokens_details", "completion_tokens_details", "output_tokens_details":
			readDetails(&c, u)
		}
	}
	return *u != endwell.Usage{}
}

func readDetails(c *jsonscan.Cursor, u *endwell.Usage) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "cached_tokens":
			u.Cached = readCount(c)
		case "reasoning_tokens":
			u.Reasoning = readCount(c)
		}
	}
}

func readCount(c *jsonscan.Cursor) int64 {
	raw, _ := c.Num()
	n, _ := jsonscan.Int(raw)
	return max(n, 0)
}
