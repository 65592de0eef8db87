package endwell

// Transcript is what a stream said, put together. It holds no error: how the
// stream ended stands beside it.
type Transcript struct {
	// Choice is choice 0, which is the only one unless several were asked for; it
	// is zero when choice 0 said nothing.
	Choice
	// Choices has every choice that said something, by index.
	Choices []Choice
	// Usage is the last count reported; zero when none was.
	Usage Usage
	// Incomplete means that the answer was cut off, by a fault or by the caller.
	// It is false for an answer that ended at a token limit: see Finish.
	Incomplete bool
}

// Choice is one of the answers to a request.
type Choice struct {
	Index     int
	Text      string
	Reasoning string
	Refusal   string
	ToolCalls []ToolCall
	// Outputs counts other output, such as images, which the transcript does not
	// keep.
	Outputs int
	// Finish is the class of the finish word, FinishNone when the choice was cut
	// off. A choice that ended whole without a word is FinishUnknown.
	Finish Finish
	// Reason is the provider's raw finish word.
	Reason string
}
