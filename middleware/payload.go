package middleware

import (
	"context"

	"github.com/endwell-go/endwell"
)

// PayloadGuard recognises payloads that report or are a fault: in-band evidence
// from the dialect, and chunks whose finish class is FinishFault. They become an
// *endwell.Error, Faulted or Malformed, that says on which frame it was found. The
// category of a Faulted error is left to the Classifier.
//
// It recognises nothing else: a payload that merely looks odd, a refused call, a
// transport's error and a bug of a handler pass.
func PayloadGuard() endwell.Middleware {
	return func(next endwell.Next) endwell.Next {
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			st, err := open(next, ctx, req)
			if err != nil {
				return nil, payloadFault(err, false, false)
			}
			return &payloadStream{link: link{next: st, ctx: ctx}}, nil
		})
	}
}

type payloadStream struct {
	link
	payload payload
}

// payload is what PayloadGuard knows of a stream.
type payload struct {
	chunks  int
	emitted bool
}

// Recv implements endwell.Stream.
func (s *payloadStream) Recv() (endwell.Chunk, error) {
	if s.end != nil {
		return endwell.Chunk{}, s.end
	}
	c, err := s.next.Recv()
	if err = s.payload.judge(&c, err); err != nil {
		return s.finish(err)
	}
	return c, nil
}

// judge returns the ending that a chunk or an ending below is; nil when the chunk
// passes.
func (s *payload) judge(c *endwell.Chunk, err error) error {
	if err != nil {
		return payloadFault(err, s.chunks > 0, s.emitted)
	}
	s.chunks++
	if c.Kind == endwell.KindFinish && c.Finish == endwell.FinishFault {
		return payloadFault(s.finishEvidence(c), true, s.emitted)
	}
	s.emitted = s.emitted || c.Emission()
	return nil
}

// finishEvidence makes evidence of a finish word. Only a provider that is not a
// dialect leaves that to us, so its frames are its chunks.
func (s *payload) finishEvidence(c *endwell.Chunk) *endwell.Evidence {
	return &endwell.Evidence{InBand: true, Code: c.Detail, Finish: c.Detail, Frame: s.chunks, Body: append([]byte(nil), c.Raw...)}
}

// payloadFault turns in-band evidence into an error; any other error passes. Once
// the stream has begun, evidence is in-band whatever it says of itself.
func payloadFault(err error, begun, emitted bool) error {
	ev, ok := asEvidence(err)
	if classified(err) || !ok || !ev.InBand && !begun {
		return err
	}
	e := &endwell.Error{Fault: endwell.Faulted, Frame: ev.Frame, Status: ev.Status}
	switch ev.Kind {
	case endwell.Unparseable, endwell.NotAStream, endwell.TooLarge, endwell.Spliced:
		e.Fault, e.Category = endwell.Malformed, endwell.MalformedResponse
		e.Transient = ev.Kind == endwell.Spliced
		e.Retryable = e.Transient && !emitted
	case endwell.Cut:
		return err
	case endwell.Reported, endwell.BadOutput:
	}
	return e.WithOriginal(err)
}
