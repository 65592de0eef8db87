package classify

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// complete fills in what a classified error lacks, on a copy.
func complete(found *endwell.Error, call Call) *endwell.Error {
	e := *found
	stamp(&e, call)
	clean(&e, call.Request)
	if e.Fault == 0 {
		e.Fault = faultOf(&e, call)
	}
	if e.Category == 0 {
		categorise(&e, call)
		e.Retryable = e.Transient && !call.Emitted
		return &e
	}
	e.Retryable = e.Retryable && e.Transient && !call.Emitted
	return &e
}

// clean drops the tokens that this call's request forbids, since whoever made the
// error may not have known it.
func clean(e *endwell.Error, req *endwell.Request) {
	for _, t := range [...]*string{&e.Code, &e.Type, &e.RequestID} {
		if hidden(*t, req) {
			*t = ""
		}
	}
}

// categorise finds the category of an error that has none: from the evidence
// behind it where there is any, else from its fault and status.
func categorise(e *endwell.Error, call Call) {
	if ev, ok := errtree.Find[*endwell.Evidence](errtree.Flatten(e.Unredacted())); ok {
		from := reported(ev, nil, call)
		e.Category, e.Transient = from.Category, from.Transient
		fill(&e.RetryAfter, from.RetryAfter)
		fill(&e.Status, from.Status)
		fill(&e.Code, from.Code)
		fill(&e.Type, from.Type)
		fill(&e.RequestID, from.RequestID)
		fill(&e.Frame, from.Frame)
		return
	}
	v := ofFault(e)
	e.Category = v.category()
	e.Transient = e.Transient || v.transient()
}

func fill[T comparable](to *T, from T) {
	var zero T
	if *to == zero {
		*to = from
	}
}

func faultOf(e *endwell.Error, call Call) endwell.Fault {
	if ev, ok := errtree.Find[*endwell.Evidence](errtree.Flatten(e.Unredacted())); ok {
		return evidenceFault(ev)
	}
	if call.Opened {
		return endwell.Broken
	}
	return endwell.Unreachable
}

// ofFault is the category that a fault has when nothing else is known, see
// design §2.
func ofFault(e *endwell.Error) verdict {
	switch e.Fault {
	case endwell.Stalled:
		return timedOut
	case endwell.Broken, endwell.Unreachable:
		return network
	case endwell.Truncated, endwell.Empty:
		return badOutput
	case endwell.Malformed:
		return unreadable
	}
	if v := statusVerdict(e.Status); v != undecided {
		return v
	}
	if e.Fault == endwell.Faulted {
		return serverFault
	}
	return unclear
}
