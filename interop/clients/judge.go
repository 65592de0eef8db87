package clients

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/endwell-go/endwell"
)

// Wrong says what is wrong with a guarded call; nothing for one that went as it
// should.
func (r Row) Wrong() []string {
	var wrong []string
	check := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	o := r.Guarded
	check(!o.Hung, "it hangs")
	check(o.Asked <= 1, "it asked %d times", o.Asked)
	switch {
	case r.Ending.Stop == Cancels:
		check(r.canceled(), "the cancellation became %v", o.Err)
		check(errors.Is(o.Ending, context.Canceled), "the ending is %v", o.Ending)
	case r.Ending.Stop == Closes:
		check(o.Err == nil, "closing became %v", o.Err)
		check(o.Held == (r.Client.Keeps&Connection != 0), "the connection is in use: %v", o.Held)
	case r.Ending.Whole():
		check(o.Err == nil && o.Ending == nil, "a false alarm: %v, %v", o.Err, o.Ending)
		check(strings.HasPrefix(o.Text, strings.Join(said, "")), "the text is %q", o.Text)
	default:
		check(r.known(o.Ending), "the ending is %v", o.Ending)
		check(r.told() || r.keeps(), "the error is %v", o.Err)
	}
	check(r.sameText(), "the text is %q, and %q without endwell", o.Text, r.Plain.Text)
	return wrong
}

// canceled reports whether a cancellation stayed the program's.
func (r Row) canceled() bool {
	if r.Client.Keeps&Cancellation != 0 {
		return r.Guarded.Err == nil && r.Plain.Err == nil
	}
	return errors.Is(r.Guarded.Err, context.Canceled) && !errors.As(r.Guarded.Err, new(*endwell.Error))
}

// known reports whether an error is the *endwell.Error that the ending asks for.
func (r Row) known(err error) bool {
	var e *endwell.Error
	return errors.As(err, &e) && e.Fault == r.Ending.Fault && e.Category == r.Ending.Category
}

// told reports whether the SDK's error is what it should be: for a refused call its
// own, the same as without endwell.
func (r Row) told() bool {
	o, c := r.Guarded, r.Client
	if r.Ending.Fault != endwell.Refused {
		return r.known(o.Err)
	}
	status := c.status(r.Plain.Err)
	return status != 0 && c.status(o.Err) == status && c.named(o.Err) == c.named(r.Plain.Err)
}

// keeps reports whether the SDK is known to keep this to itself.
func (r Row) keeps() bool {
	k, err := r.Client.Keeps, r.Guarded.Err
	before := r.Ending.Fault == endwell.Refused || r.Ending.Fault == endwell.Unreachable || silent(r.Ending)
	switch {
	case before:
		return k&Calls != 0 && err != nil
	case err == nil:
		return k&Faults != 0
	default:
		return k&Types != 0
	}
}

// silent reports whether the gateway never answers.
func silent(e Ending) bool {
	return slices.Contains([]string{"silent", "unread", "slow-header"}, e.Name)
}

// sameText reports whether a program hears the same with endwell as without, or the
// beginning of it where that is a matter of time.
func (r Row) sameText() bool {
	if r.Ending.Stop != Never || r.Ending.Name == "reset" || r.Ending.Fault == endwell.Stalled {
		return strings.HasPrefix(strings.Join(said, ""), r.Guarded.Text)
	}
	return r.Guarded.Text == r.Plain.Text
}
