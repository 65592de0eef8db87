package endwell

// Fault says what happened to a stream that ended badly. A Fault is an error
// itself, so errors.Is(err, endwell.Stalled) asks for it.
type Fault uint8

// The faults. The set is closed; the zero value is no fault.
const (
	// Unreachable means that no HTTP response came: DNS, connect, TLS, or a
	// timeout before the response.
	Unreachable Fault = iota + 1
	// Refused means an unsuccessful HTTP response.
	Refused
	// Stalled means that the connection stayed open and bytes, or progress,
	// stopped.
	Stalled
	// Broken means that the transport broke mid-stream.
	Broken
	// Truncated means that the body ended cleanly before the response did.
	Truncated
	// Faulted means that the provider reported a fault in-band.
	Faulted
	// Malformed means a payload that the protocol cannot represent.
	Malformed
	// Empty means an end with nothing usable emitted, or a close before any
	// payload at all.
	Empty

	faultEnd // one past the last fault
)

var faultNames = [...]string{
	"none", "unreachable", "refused", "stalled", "broken", "truncated", "faulted", "malformed", "empty",
}

// Faults returns all faults, in order.
func Faults() []Fault { return enumerate(Unreachable, faultEnd) }

// String returns the fault's name in snake_case.
func (f Fault) String() string { return enumName(faultNames[:], int(f)) }

// Error makes a Fault a target for errors.Is. It is String, since fmt prefers it.
func (f Fault) Error() string { return f.String() }

// MarshalText returns the fault's name, so that JSON shows words.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }
