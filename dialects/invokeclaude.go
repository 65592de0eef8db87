package dialects

// newInvokeClaude returns the parser of Anthropic's events; nil while the package
// has none.
func newInvokeClaude() parser { return nil }
