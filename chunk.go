package endwell

// Chunk is one thing that happened on the wire. It is passed by value.
//
// A frame that says several things becomes several chunks, in a fixed order:
// reasoning, text, refusal, tool calls, other output, finish, usage. A frame that
// reports a fault is never delivered as a chunk.
type Chunk struct {
	// Text is answer text and nothing else, so printing it is always safe. It is
	// set for KindText only, and empty there too when the dialect was asked not
	// to materialise text.
	Text string
	// Detail is reasoning or refusal text, or the provider's raw finish word,
	// according to Kind.
	Detail string
	// Raw is the frame's bytes as decoded from transfer and content encoding,
	// comments and delimiters included. Only the first chunk of a frame carries
	// it. It is valid until the next Recv; copy what must live longer, since another
	// stream's bytes may stand there afterwards. The Raw of all chunks of a stream,
	// concatenated, is the body up to the fault.
	Raw []byte
	// Native is an SDK's own event, for providers that wrap an SDK; else nil.
	Native any
	// ToolCall is set for KindToolCall. The receiver owns it.
	ToolCall *ToolCallDelta
	// Usage is set for KindUsage. The receiver owns it.
	Usage *Usage
	// Index is the choice or candidate that the chunk belongs to, from 0.
	Index int
	// Kind says what happened, and so which fields are set.
	Kind Kind
	// Finish is the class of the finish word, for KindFinish.
	Finish Finish
	// End says how complete the answer is with this chunk; see End.
	End End
	// Elided says that there was text which the dialect was asked not to
	// materialise, so that an empty Text or Detail is not an empty one on the wire.
	Elided bool
}

// Emission reports whether the chunk carries output of the model: text,
// reasoning, refusal, a tool-call delta or other output. After the first emission
// nothing is ever re-sent. A role, an empty string, a ping, a finish or a usage
// record is no emission.
func (c *Chunk) Emission() bool {
	switch c.Kind {
	case KindText:
		return c.Text != "" || c.Elided
	case KindReasoning, KindRefusal:
		return c.Detail != "" || c.Elided
	case KindToolCall:
		return c.ToolCall != nil
	case KindOutput:
		return true
	default:
		return false
	}
}

// Kind says what a Chunk is.
type Kind uint8

// The kinds of chunks. The set is closed.
const (
	// KindMeta is a frame that says nothing about the answer itself: a role, an
	// id, an annotation, a lifecycle event. It is the zero value.
	KindMeta Kind = iota
	// KindText is answer text, in Text.
	KindText
	// KindReasoning is reasoning text, in Detail.
	KindReasoning
	// KindRefusal is the text of a refusal, in Detail.
	KindRefusal
	// KindToolCall is a piece of a tool call, in ToolCall.
	KindToolCall
	// KindOutput is other output: an image, audio, a hosted tool's block.
	KindOutput
	// KindFinish is the end of one choice: Finish is its class, Detail its word.
	KindFinish
	// KindUsage is a token count, in Usage.
	KindUsage
	// KindKeepAlive is a sign of life without content: a comment, a ping, an
	// empty event, or bytes of a frame that is not complete yet. For the latter
	// Raw is nil, since the bytes come with the frame.
	KindKeepAlive

	kindEnd // one past the last kind
)

var kindNames = [...]string{
	"meta", "text", "reasoning", "refusal", "tool_call", "output", "finish", "usage", "keep_alive",
}

// Kinds returns all kinds, in order.
func Kinds() []Kind { return enumerate(KindMeta, kindEnd) }

// String returns the kind's name in snake_case.
func (k Kind) String() string { return enumName(kindNames[:], int(k)) }

// MarshalText returns the kind's name, so that JSON shows words.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Output reports whether chunks of this kind can be output of the model. Whether
// one is says Chunk.Emission.
func (k Kind) Output() bool { return k >= KindText && k <= KindOutput }

// End says how complete an answer is after a chunk, as the dialect knows it, so
// that no decorator needs to know a dialect.
type End uint8

// The states of an answer. The set is closed.
const (
	// Unstated says nothing; the last statement stands, and before the first one
	// that is Open. It is the zero value, so a provider that wraps an SDK need
	// set End only where something changes.
	Unstated End = iota
	// Open means that more is owed: a close now would be a truncation.
	Open
	// MayEnd means that a clean close now would be whole, but that the answer
	// may as well go on.
	MayEnd
	// Settled means that every choice which started has finished; only metadata
	// may follow.
	Settled
	// Ended means that the sentinel has been seen: nothing more is owed.
	Ended

	endEnd // one past the last state
)

var endNames = [...]string{"unstated", "open", "may_end", "settled", "ended"}

// Ends returns all states, in order.
func Ends() []End { return enumerate(Unstated, endEnd) }

// String returns the state's name in snake_case.
func (e End) String() string { return enumName(endNames[:], int(e)) }

// MarshalText returns the state's name, so that JSON shows words.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }
