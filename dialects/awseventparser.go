package dialects

import (
	"bytes"
	"strings"

	"github.com/endwell-go/endwell"
)

// awsParser opens the messages of an AWS event stream and hands their payloads, as
// frames of kind awsFrame named after the event, to the parser of a wire family.
// Frames of text pass as they are.
type awsParser struct {
	inner parser
	msg   awsMessage
	frame frame
}

// parse implements parser.
func (p *awsParser) parse(f *frame, d *reader) *endwell.Evidence {
	if f.kind != awsFrame {
		return p.inner.parse(f, d)
	}
	if len(f.raw) > d.opt.maxFrame() {
		return d.evidence(endwell.TooLarge, f.raw)
	}
	m := &p.msg
	switch err := m.open(f.raw); {
	case err == errAWSCut && f.tail:
		return d.evidence(endwell.Cut, f.raw)
	case err != nil:
		ev := d.evidence(endwell.Unparseable, f.raw)
		ev.Cause = err
		return ev
	case m.faulty():
		return m.fault(d)
	case !m.isEvent(), len(m.payload) == 0:
		return nil
	}
	p.frame = frame{raw: f.raw, data: m.payload, event: m.event, kind: awsFrame, n: f.n}
	if _, coded := p.inner.(*invoke); coded {
		return p.inner.parse(&p.frame, d)
	}
	return d.parsePayload(p.inner, &p.frame)
}

func (m *awsMessage) isEvent() bool { return len(m.kind) == 0 || string(m.kind) == "event" }

// faulty reports whether a message reports a fault: a modelled exception, an
// unmodelled error, or an exception that somebody sent as an event.
func (m *awsMessage) faulty() bool {
	switch string(m.kind) {
	case "exception", "error":
		return true
	}
	return m.isEvent() && (len(m.exception) > 0 || bytes.HasSuffix(m.event, []byte("Exception")))
}

// fault makes evidence of a message that reports a fault.
func (m *awsMessage) fault(d *reader) *endwell.Evidence {
	name := m.exception
	if len(name) == 0 {
		name = m.event
	}
	ev := awsException(d, string(name), m.payload)
	if len(m.code) > 0 {
		ev.Code = string(m.code)
	}
	if ev.Status == 0 {
		ev.Status = awsStatus(ev.Code)
	}
	if len(m.text) > 0 {
		ev.Message = string(m.text)
	}
	return ev
}

// awsException makes evidence of an exception by its name and its document.
func awsException(d *reader, name string, doc []byte) *endwell.Evidence {
	ev := d.evidence(endwell.Reported, doc)
	ev.Type, ev.Status = name, awsStatus(name)
	describe(ev, doc, nil)
	return ev
}

// awsStatus is the status that an exception stands for: that of the response, had
// it come before the stream (wire/other-families.md §6.c). 0 for others. Names in a
// stream begin with a small letter, those of errors with a capital.
func awsStatus(name string) int {
	if name == "" {
		return 0
	}
	switch strings.ToLower(name[:1]) + name[1:] {
	case "validationException":
		return 400
	case "modelTimeoutException":
		return 408
	case "modelStreamErrorException":
		return 424
	case "throttlingException":
		return 429
	case "internalServerException":
		return 500
	case "serviceUnavailableException":
		return 503
	default:
		return 0
	}
}
