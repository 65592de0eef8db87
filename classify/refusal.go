package classify

import (
	"net/http"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// Refusal is an error of somebody else's SDK that still knows the response. A host
// implements it on a small wrapper around the SDK's error type, so that such an
// error is classified like one that this module has read itself. A status below
// 300 means that the provider reported the failure within a successful response;
// header and body may be nil. The body need only be its first 32 KiB.
type Refusal interface {
	error
	Refusal() (status int, header http.Header, body []byte)
}

// maxBody is how much of a body is looked at.
const maxBody = 32 << 10

// adapted makes evidence of an SDK's error.
func adapted(c errtree.Tree) (*endwell.Evidence, bool) {
	r, ok := errtree.Find[Refusal](c)
	if !ok {
		return nil, false
	}
	status, h, body := r.Refusal()
	return &endwell.Evidence{
		InBand: status < 300,
		Status: status,
		Header: h,
		Body:   body[:min(len(body), maxBody)],
	}, true
}

// spoken returns ev with what its body says, where nobody has read it yet.
func spoken(ev *endwell.Evidence) *endwell.Evidence {
	if ev.Type != "" || ev.Code != "" || ev.Message != "" || len(ev.Body) == 0 {
		return ev
	}
	said := read(ev.Body)
	c := *ev
	c.Type, c.Code, c.Message = said.typ, said.code, said.message
	fill(&c.RequestID, said.id)
	return &c
}
