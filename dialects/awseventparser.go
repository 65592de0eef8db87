package dialects

import (
	"bytes"
	"strings"

	"github.com/endwell-go/endwell"
)

// awsParser opens the messages of an AWS event stream and hands their payloads, as
// frames of kind awsFrame named after the event, to the parser of a wire family.
// Frames of text pass as they are.
type awsParser[P any, PP interface {
	*P
	parser
}] struct{ inner P }

// parse implements parser.
func (p *awsParser[P, PP]) parse(f *frame, d *reader) *endwell.Evidence {
	if f.kind != awsFrame {
		return PP(&p.inner).parse(f, d)
	}
	return parseMessage(PP(&p.inner), f, d)
}

func parseMessage(inner parser, f *frame, d *reader) *endwell.Evidence {
	if len(f.raw) > d.opt.maxFrame() {
		return d.evidence(endwell.TooLarge, f.raw)
	}
	var m awsMessage
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
	data, event, kind, tail := f.data, f.event, f.kind, f.tail
	defer func() { f.data, f.event, f.kind, f.tail = data, event, kind, tail }()
	f.data, f.event, f.tail = m.payload, m.event, false
	if _, coded := inner.(*invoke); coded {
		return inner.parse(f, d)
	}
	return d.parsePayload(inner, f)
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
