package transport

import (
	"io"
	"net/http"
)

// upload is the body of a request, for as many attempts as there are.
type upload struct {
	req    *http.Request
	opened int     // attempts that were given a body
	shared *source // a body without GetBody, where it has to be kept or looked at
}

// has reports whether there is a body at all.
func (u *upload) has() bool { return u.req.Body != nil && u.req.Body != http.NoBody }

// open returns the body for the next attempt, which owns it.
func (u *upload) open() (io.ReadCloser, error) {
	u.opened++
	switch {
	case u.shared != nil:
		return u.shared.reader(), nil
	case u.opened == 1 || !u.has():
		return u.req.Body, nil
	default:
		body, err := u.req.GetBody()
		if err != nil {
			return nil, unsent{err}
		}
		return body, nil
	}
}

// broken is the error of a body that could not be read to be sent; nil for none, or when
// nobody knows.
func (u *upload) broken() error {
	if u.shared == nil {
		return nil
	}
	return u.shared.broken()
}

// unsent is the error of a body that cannot be had again: it is the request's own.
type unsent struct{ error }

// Unwrap returns the error.
func (u unsent) Unwrap() error { return u.error }

// replayable reports whether another attempt can be given the same body.
func (u *upload) replayable() bool {
	switch {
	case u.shared != nil:
		return u.shared.replayable()
	default:
		return u.opened == 0 || !u.has() || u.req.GetBody != nil
	}
}

// asked reports whether the body was found to ask for a stream while it was sent.
func (u *upload) asked() bool { return u.shared != nil && u.shared.asked() }

// final says that there will be no further attempt. A body that nobody has been given
// is closed here, as an http.RoundTripper has to.
func (u *upload) final() {
	switch {
	case u.shared != nil:
		u.shared.final()
	case u.opened == 0 && u.req.Body != nil:
		_ = u.req.Body.Close()
	}
}
