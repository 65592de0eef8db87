package transport

import (
	"context"
	"errors"

	"github.com/endwell-go/endwell/internal/reason"
)

// errElsewhere stands for an error of another call.
var errElsewhere = reason.New("transport", "connection_shared", "the connection ended with another call")

// ownError returns err, unless it is another call's: net/http tells whoever comes next
// on a connection why the call before was cancelled, and that may be the verdict of the
// guard over another stream. ctx is that of this call's guard.
func ownError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var theirs, ours interface {
		error
		GuardCause()
	}
	if !errors.As(err, &theirs) {
		return err
	}
	if errors.As(context.Cause(ctx), &ours) && ours == theirs {
		return err
	}
	return errElsewhere
}
