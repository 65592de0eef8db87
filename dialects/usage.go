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
	} else {
		d.counted(span, &usageCounters)
	}
	if span != nil {
		d.pushCount(readUsage(span))
	}
}

// readUsage reads a usage record in the words of any family.
func readUsage(span []byte) (u endwell.Usage) {
	var c jsonscan.Cursor
	c.Reset(span)
	usageCounters.read(&c, usageCounters.top, &u)
	return u
}

var usageCounters = counters{
	top: func(key []byte) counter {
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			return countInput
		case "completion_tokens", "output_tokens":
			return countOutput
		case "total_tokens":
			return countTotal
		case "prompt_cache_hit_tokens", "cache_read_input_tokens":
			return countCached
		case "prompt_tokens_details", "input_tokens_details", "completion_tokens_details", "output_tokens_details":
			return countDetails
		}
		return countNone
	},
	details: func(key []byte) counter {
		switch string(key) {
		case "cached_tokens":
			return countCached
		case "reasoning_tokens":
			return countReasoning
		}
		return countNone
	},
}
