package dialects

// Events reports whether the body is read as Server-Sent Events, and then whether the
// last frame was an event, and neither a document nor text outside of any.
func (d *reader) Events() (framed, last bool) {
	framed = d.framer.eventful()
	return framed, framed && d.event
}

// Events is that of a known dialect's stream. Until there is one it is not known what the
// body is.
func (d *detecting) Events() (framed, last bool) {
	if d.known == nil {
		return false, false
	}
	return d.known.Events()
}

// eventful implements framer.
func (s *sse) eventful() bool { return true }

// eventful implements framer.
func (n *ndjson) eventful() bool { return n.lines != nil }

// eventful implements framer.
func (a *jsonArray) eventful() bool { return false }

// eventful implements framer.
func (g *geminiFramer) eventful() bool { return !g.isArray }

// eventful implements framer.
func (a *awsEvents) eventful() bool { return false }
