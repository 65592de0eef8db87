package dialects

import (
	"bytes"

	"github.com/endwell-go/endwell"
)

// maxUnread bounds what is kept of a frame that said nothing, to tell whose it is.
const maxUnread = 2 << 10

// keepUnread keeps the first payload as long as the parser has found nothing in any.
func (d *reader) keepUnread(f *frame) {
	switch {
	case d.spoke:
	case d.state != endwell.Open || d.emittedSince(0):
		d.spoke, d.early = true, nil
	case !d.paid:
		d.early = bytes.Clone(f.raw[:min(len(f.raw), maxUnread)])
		d.known = d.opt.Lenient && claimed(f)
	case d.opt.Lenient && !d.known:
		d.known = claimed(f)
	}
}

// claimed reports whether a frame is of a wire that is known.
func claimed(f *frame) bool {
	return signedBy(f) != "" || !looksJSON(f.data)
}

// strange fills the queue with the one chunk that says that the body was whole, if no
// frame of it was of any wire that is known.
func (d *reader) strange() bool {
	if d.spoke || d.known || !d.paid {
		return false
	}
	d.spoke, d.state, d.early = true, endwell.Ended, nil
	d.clear()
	d.push(endwell.Chunk{Kind: endwell.KindOutput})
	return true
}

// foreign makes evidence of a body that ended without a word in this dialect, and that
// is of another family: it was not cut, but is read in the wrong way, and asking again
// would not help.
func (d *reader) foreign() *endwell.Evidence {
	other := signer(d.early)
	if _, events := d.framer.(*awsEvents); other == nil || events || other.family == d.opt.dialect.family {
		return nil // events of AWS are named, whatever is in them
	}
	ev := d.evidence(endwell.NotAStream, d.early)
	ev.Looks = other.name
	return ev
}

// signer returns the dialect that a body's frames are signed with; nil for none. What says
// no more than that it is chat may be of any system of that family.
func signer(body []byte) *Dialect {
	g := detectors.take()
	defer detectors.give(g)
	for g.next(body) {
		switch name := signedBy(&g.frame); {
		case name == "", isPing(g.frame.data):
		case name == "compatible":
			return byName[g.chat()]
		default:
			return byName[name]
		}
	}
	return nil
}
