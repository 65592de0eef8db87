package endwell

// Finish is the class of a provider's finish word. The word itself stays visible
// in Chunk.Detail.
type Finish uint8

// The classes of finish words. The set is closed.
const (
	// FinishNone means not finished: the word was absent, null, "" or "null".
	FinishNone Finish = iota
	// FinishStop is a normal end.
	FinishStop
	// FinishLength is an end at a token limit: complete as a protocol, cut as an
	// answer.
	FinishLength
	// FinishToolCalls is an end that waits for the results of tool calls.
	FinishToolCalls
	// FinishFilter is an end by the provider's content policy.
	FinishFilter
	// FinishPause is an end that the caller must continue.
	FinishPause
	// FinishFault is an end that reports a fault.
	FinishFault
	// FinishUnknown is a word that this version does not know. It is no fault and
	// is never mapped to stop.
	FinishUnknown

	finishEnd // one past the last class
)

var finishNames = [...]string{
	"none", "stop", "length", "tool_calls", "filter", "pause", "fault", "unknown",
}

// Finishes returns all classes, in order.
func Finishes() []Finish { return enumerate(FinishNone, finishEnd) }

// String returns the class's name in snake_case.
func (f Finish) String() string { return enumName(finishNames[:], int(f)) }

// MarshalText returns the class's name, so that JSON shows words.
func (f Finish) MarshalText() ([]byte, error) { return []byte(f.String()), nil }
