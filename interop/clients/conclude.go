package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// Conclusion is what a program concludes from what its SDK returned, in a few words.
func (c Client) Conclusion(e Ending, o Outcome) string {
	switch {
	case o.Hung:
		return "hangs"
	case o.Held:
		return "closed, and the connection is still in use"
	case e.Stop == Closes && o.Err == nil:
		return "closed"
	case o.Err == nil:
		return "END"
	default:
		return c.named(o.Err)
	}
}

// named names an error by what a program can ask for.
func (c Client) named(err error) string {
	var e *endwell.Error
	switch status := c.status(err); {
	case errors.As(err, &e):
		return verdict(e)
	case status != 0:
		return typed(err) + " " + strconv.Itoa(status)
	case errors.Is(err, context.Canceled):
		return "`context.Canceled`"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "`io.ErrUnexpectedEOF`"
	default:
		return typed(err)
	}
}

// EndingOf is what a transport.Ending says, in a few words. Of an answer that the
// program closes it depends on the SDK's goroutines what that is, as long as it is no
// fault.
func EndingOf(e Ending, o Outcome) string {
	var fault *endwell.Error
	switch {
	case errors.As(o.Ending, &fault):
		return verdict(fault)
	case e.Stop == Closes:
		return "no fault"
	case o.Ending == nil:
		return "nil"
	case errors.Is(o.Ending, context.Canceled):
		return "`context.Canceled`"
	default:
		return typed(o.Ending)
	}
}

func (c Client) status(err error) int {
	if c.Status == nil {
		return 0
	}
	return c.Status(err)
}

func verdict(e *endwell.Error) string {
	return "**" + e.Fault.String() + "**, " + e.Category.String()
}

// typed is the type of an error that is more than text around another one.
func typed(err error) string {
	for ; err != nil; err = below(err) {
		t := fmt.Sprintf("%T", err)
		if !strings.HasPrefix(t, "*fmt.") && !strings.HasPrefix(t, "*errors.") && t != "*url.Error" && !strings.HasSuffix(t, "OperationError") {
			return "`" + t + "`"
		}
	}
	return "text"
}

// below is what an error wraps, the first of several.
func below(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()[0]
	}
	return errors.Unwrap(err)
}
