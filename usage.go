package endwell

// Usage counts tokens, as the provider reported them. Zero means not reported.
// Reports are cumulative: a later one replaces an earlier one, field by field.
type Usage struct {
	// Input is the number of tokens of the request, cached ones included where
	// the provider counts so.
	Input int64 `json:"input,omitempty"`
	// Output is the number of tokens of the answer, reasoning included where the
	// provider counts so.
	Output int64 `json:"output,omitempty"`
	// Total is the provider's own total.
	Total int64 `json:"total,omitempty"`
	// Reasoning is the part of Output spent on reasoning.
	Reasoning int64 `json:"reasoning,omitempty"`
	// Cached is the part of Input read from a cache.
	Cached int64 `json:"cached,omitempty"`
}

// Merge takes over every field that v reports.
func (u *Usage) Merge(v Usage) {
	take := func(to *int64, from int64) {
		if from != 0 {
			*to = from
		}
	}
	take(&u.Input, v.Input)
	take(&u.Output, v.Output)
	take(&u.Total, v.Total)
	take(&u.Reasoning, v.Reasoning)
	take(&u.Cached, v.Cached)
}
