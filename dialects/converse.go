package dialects

import (
	"maps"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// converseDialects returns Bedrock's ConverseStream: an AWS event stream whose
// event types are the wire's own (wire/other-families.md §6). Exceptions and CRCs
// are awsParser's.
//
// The answer is settled at messageStop, and nothing else proves it: metadata may
// come before it, and is missing from time to time.
func converseDialects() []*Dialect {
	return []*Dialect{{
		name: "bedrock-converse", family: FamilyConverse,
		facts: Facts{
			Framing:   "AWS event stream",
			Terminal:  "messageStop; metadata alone proves nothing",
			KeepAlive: "none; tens of seconds of silence while thinking",
			Faults:    "malformed_model_output, malformed_tool_use; tool_use without a call",
			Note:      "exceptions as messages of their own; CRCs checked; JSON of proxies read too",
		},
		open: reading(awsEvents{}, awsParser[converse, *converse]{}),
	}}
}

// converseWords are the stop reasons that the chat family does not have.
var converseWords = func() map[string]endwell.Finish {
	words := maps.Clone(finishWords)
	maps.Copy(words, map[string]endwell.Finish{
		"content_filtered": endwell.FinishFilter,
		"pause_turn":       endwell.FinishPause,
	})
	return words
}()

// converse reads the events of one stream: named by the frame, or, as Amazon Nova
// writes them inside of InvokeModelWithResponseStream, by the one member of the
// payload.
type converse struct {
	*converseReading
	calls  callIndex
	hosted []int // content blocks of tools that run at the provider's

	begun   bool // a message has begun, or come whole
	emitted bool
	tools   bool // a block that may be a tool's use has come
	stopped bool // messageStop has been seen
}

// converseReading is what is needed while a frame is read.
type converseReading struct {
	cur   jsonscan.Cursor
	said  converseEvent
	found findings
}

var converseWork scratch[converseReading]

// parse implements parser.
func (p *converse) parse(f *frame, d *reader) *endwell.Evidence {
	outer := converseWork.lend(&p.converseReading)
	defer converseWork.back(&p.converseReading, outer)
	if ev := reportedOutside(f, d); ev != nil {
		return ev
	}
	named := converseEventOf(f.event)
	switch {
	case isDone(f.data):
		p.done(d)
		return nil
	case f.kind == awsFrame && len(f.event) > 0 && named == converseOther:
		return nil
	}
	p.said.index = -1
	d.begin(&p.cur, f.data)
	p.document(named)
	if err := p.cur.End(); err != nil {
		return d.undecodable(f, err)
	}
	return p.verdict(f, d)
}

// done takes a gateway's sentinel, which proves nothing on this wire.
func (p *converse) done(d *reader) {
	if p.stopped {
		d.state = endwell.Ended
	}
}

// verdict judges a frame that could be decoded: it returns evidence of the fault
// that it reports, or pushes what it says.
func (p *converse) verdict(f *frame, d *reader) *endwell.Evidence {
	s, fd := &p.said, &p.found
	switch {
	case fd.other:
		return strayValue(p, f, d)
	case s.thrown != nil:
		return awsException(d, s.exception, s.thrown)
	case !s.known && (fd.fault() || fd.said && f.kind != awsFrame):
		return d.report(f.data, fd.span())
	case s.started && (p.emitted || p.stopped):
		return d.evidence(endwell.Spliced, f.data)
	}
	p.push(d)
	if s.stopped {
		if ev := p.finish(f, d); ev != nil {
			return ev
		}
	}
	d.pushConverseUsage(s.usage)
	return nil
}

// finish notes and pushes the stop reason. messageStop settles the answer whatever
// it says.
func (p *converse) finish(f *frame, d *reader) *endwell.Evidence {
	reason := p.said.reason
	if outputFaults[string(reason.Raw)] {
		return d.finishFault(endwell.BadOutput, reason, f.data)
	}
	if reason.Equal(contextWord) && !p.emitted {
		return d.finishFault(endwell.Reported, reason, f.data)
	}
	if reason.Equal("tool_use") && p.begun && !p.tools && !p.stopped {
		// As in Anthropic's own stream: the call was lost on the way
		// (wire/other-families.md §1.b). Any block that may be a call counts as one.
		return d.finishFault(endwell.BadOutput, reason, f.data)
	}
	p.stopped = true
	d.state = endwell.Settled
	if reason.Empty() || reason.Equal("null") {
		return nil
	}
	class, ok := converseWords[string(reason.Raw)]
	if !ok {
		class = endwell.FinishUnknown
	}
	d.push(endwell.Chunk{Kind: endwell.KindFinish, Finish: class, Detail: converseWord(reason)})
	return nil
}

// converseWord returns a stop reason, without allocating for the common ones.
func converseWord(s jsonscan.Str) string {
	switch string(s.Raw) {
	case "end_turn":
		return "end_turn"
	case "tool_use":
		return "tool_use"
	case "max_tokens":
		return "max_tokens"
	default:
		return s.String()
	}
}
