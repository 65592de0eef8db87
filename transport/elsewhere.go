package transport

import (
	"context"

	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/reason"
)

// errElsewhere stands for an error of another call.
var errElsewhere = reason.New("transport", "connection_shared", "the connection ended with another call", "")

// ownError returns err, unless it is another call's: net/http tells whoever comes next
// on a connection why the call before was cancelled, and that may be the verdict of the
// guard over another stream. ctx is that of this call's guard.
func ownError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	theirs, ok := errtree.As[guardCause](err)
	if !ok {
		return err
	}
	if ours, ok := errtree.As[guardCause](context.Cause(ctx)); ok && ours == theirs {
		return err
	}
	return errElsewhere
}

// guardCause is the cause with which a guard ends its context.
type guardCause interface {
	error
	GuardCause()
}
