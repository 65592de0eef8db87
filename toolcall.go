package endwell

// ToolCallDelta is a piece of one tool call. The pieces of a call share the
// choice (Chunk.Index) and Index; dialects number calls where the wire does not.
type ToolCallDelta struct {
	// Index tells the calls of one choice apart. It orders them, and need not
	// start at 0 or be dense.
	Index int
	// ID is the provider's id of the call. It is set on the first piece, and
	// may be empty on later ones.
	ID string
	// Name is the function's name, set like ID.
	Name string
	// Arguments is the next part of the arguments' JSON text.
	Arguments string
	// FreeText says that Arguments are plain text and no JSON, as those of OpenAI's
	// custom tools are. It is set on every piece.
	FreeText bool
}

// ToolCall is a tool call put together from its deltas.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is the JSON text as it was streamed. Empty means no arguments.
	Arguments string `json:"arguments"`
	// FreeText says that Arguments is plain text and no JSON.
	FreeText bool `json:"free_text,omitempty"`
	// Incomplete says that Arguments ends before its JSON does, or that the stream
	// was cut before it was known to be complete. Such a call must not run.
	Incomplete bool `json:"incomplete,omitempty"`
}
