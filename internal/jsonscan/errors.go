package jsonscan

import (
	"errors"
	"strconv"
)

// MaxDepth is how deep objects and arrays may be nested, as in encoding/json.
const MaxDepth = 10_000

var (
	// ErrUnexpectedEnd says that the document is a proper prefix of some valid
	// document: it was cut. Empty and blank documents are prefixes too.
	ErrUnexpectedEnd = errors.New("jsonscan: JSON ends before its value does")

	// ErrSyntax matches every *SyntaxError with errors.Is.
	ErrSyntax = errors.New("jsonscan: invalid JSON")

	// ErrDepth says that the document nests deeper than MaxDepth.
	ErrDepth = errors.New("jsonscan: JSON nests too deeply")
)

// SyntaxError says that the document is not JSON and that no continuation
// could make it so. Its text never shows any of the document.
type SyntaxError struct {
	// Offset is the index of the first byte that cannot stand where it does:
	// what precedes it is still a prefix of some valid document.
	Offset int
}

// Error names the offset.
func (e *SyntaxError) Error() string {
	return ErrSyntax.Error() + " at byte " + strconv.Itoa(e.Offset)
}

// Is reports whether target is ErrSyntax.
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }
