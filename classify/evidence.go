package classify

import (
	"io"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/errtree"
)

// reported turns evidence into an error without its original. c is the chain in
// which the evidence was found; nil is allowed.
func reported(ev *endwell.Evidence, c errtree.Tree, call Call) *endwell.Error {
	ev = spoken(known(ev, call))
	v := decide(ev, call.Emitted)
	e := &endwell.Error{
		Fault:      evidenceFault(ev),
		Category:   v.category(),
		Transient:  shouldRetry(ev, v.transient()),
		RetryAfter: hint(ev, v.category(), call.Now),
		Status:     statusOf(ev),
		Code:       safeToken(ev.Code, call.Request),
		Type:       safeToken(ev.Type, call.Request),
		RequestID:  requestID(ev, call.Request),
		Frame:      ev.Frame,
	}
	e.Retryable = e.Transient && !call.Emitted
	stamp(e, call)
	if e.Fault == endwell.Truncated {
		return e.WithCause(io.ErrUnexpectedEOF)
	}
	return withCauses(e, c)
}

// known returns ev with the dialect of the call where it names none.
func known(ev *endwell.Evidence, call Call) *endwell.Evidence {
	if ev.Dialect != "" || call.Dialect == "" {
		return ev
	}
	c := *ev
	c.Dialect = call.Dialect
	return &c
}

// evidenceFault says what happened. A body that is no stream is a fault of its own
// only behind a success: an HTML page with a status of failure is a refusal.
func evidenceFault(ev *endwell.Evidence) endwell.Fault {
	switch kind(ev) {
	case endwell.Unparseable, endwell.NotAStream, endwell.TooLarge, endwell.Spliced:
		return endwell.Malformed
	case endwell.Cut:
		return endwell.Truncated
	case endwell.BadOutput:
		return endwell.Faulted
	}
	if ev.InBand {
		return endwell.Faulted
	}
	return endwell.Refused
}

func kind(ev *endwell.Evidence) endwell.EvidenceKind {
	if ev.Kind == endwell.NotAStream && !ev.InBand && ev.Status >= 300 {
		return endwell.Reported
	}
	return ev.Kind
}

// decide finds the verdict on evidence.
func decide(ev *endwell.Evidence, emitted bool) verdict {
	switch kind(ev) {
	case endwell.Unparseable, endwell.NotAStream, endwell.TooLarge:
		return unreadable
	case endwell.Spliced, endwell.Cut, endwell.BadOutput:
		return badOutput
	}
	return judge(newReport(ev, emitted))
}

// shouldRetry obeys the header with which OpenAI and Anthropic overrule the status,
// wire/openai-family.md §0.3.
func shouldRetry(ev *endwell.Evidence, transient bool) bool {
	switch header(ev.Header, "X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	default:
		return transient
	}
}
