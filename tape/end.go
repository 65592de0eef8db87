package tape

import "fmt"

// End is the way in which a body ends. The zero value is the clean one.
type End uint8

// The ways in which a body ends.
const (
	// EndEOF is a clean close: Read returns io.EOF.
	EndEOF End = iota

	// EndUnexpectedEOF is a body that is cut short of its length or of its
	// last chunk: Read returns io.ErrUnexpectedEOF.
	EndUnexpectedEOF

	// EndReset is a connection that the peer reset: Read returns a
	// *net.OpError that is syscall.ECONNRESET.
	EndReset

	// EndHang is a connection that stays open and says nothing more: Read
	// returns only when the body is closed or its context is done.
	EndHang

	// EndCancel is the caller's own cancellation at that instant. After it
	// the body hangs, and the caller's context ends the wait.
	EndCancel
)

var ends = [...]string{"eof", "unexpected_eof", "reset", "hang", "cancel"}

// String is the word that stands on the tape, or End(n) for a value that is
// none of the constants.
func (e End) String() string {
	if int(e) < len(ends) {
		return ends[e]
	}
	return fmt.Sprintf("End(%d)", uint8(e))
}

// MarshalText implements [encoding.TextMarshaler]. It fails for a value that
// is none of the constants.
func (e End) MarshalText() ([]byte, error) {
	if int(e) < len(ends) {
		return []byte(ends[e]), nil
	}
	return nil, fmt.Errorf("%v is not an end", e)
}

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails for a word
// that names none of the constants, and then leaves e as it was.
func (e *End) UnmarshalText(text []byte) error {
	for i, word := range ends {
		if word == string(text) {
			*e = End(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not an end", text)
}
