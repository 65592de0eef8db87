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
		return
	case d.state != endwell.Open || d.emittedSince(0):
		d.spoke, d.early = true, nil
		return
	case !d.paid:
		d.early = bytes.Clone(f.raw[:min(len(f.raw), maxUnread)])
	}
	if d.opt.Lenient && !d.known && !isPing(f.data) {
		d.known = signedBy(f) != ""
		d.odd = d.odd || !d.known
	}
}

// unclaimed reports whether nothing so far is of any wire that is known, and something
// is of another one.
func (d *reader) unclaimed() bool { return d.odd && !d.spoke && !d.known }

// doubt reports whether a payload that cannot be read may be of a wire that is not
// known: text, or a value, where nothing has been of a known one yet. When something is
// later, the payload was a fault after all.
func (d *reader) doubt(f *frame, ev *endwell.Evidence) bool {
	if !d.opt.Lenient || d.spoke || d.known || ev.Kind != endwell.Unparseable || f.kind != frameData || looksJSON(f.data) {
		return false
	}
	d.odd = true
	if d.doubted == nil {
		d.doubted = ev
	}
	d.clear()
	d.push(endwell.Chunk{Kind: endwell.KindMeta})
	return true
}

// strange fills the queue with the one chunk that says that the body was whole, if no
// frame of it was of any wire that is known.
func (d *reader) strange() bool {
	if !d.unclaimed() || d.state != endwell.Open {
		return false
	}
	d.state = endwell.Ended
	d.ended.Store(true)
	d.strangely()
	return true
}

// strangely fills the queue with the chunk that says so. A sentinel may say it too, that
// others have taken over.
func (d *reader) strangely() {
	d.spoke, d.doubted = true, nil
	d.clear()
	d.push(endwell.Chunk{Kind: endwell.KindOutput})
}

// foreign makes evidence of a body that ended without a word in this dialect, and that
// is of another family: it was not cut, but is read in the wrong way, and asking again
// would not help.
func (d *reader) foreign() *endwell.Evidence {
	other, ok := Detect("", "", d.early)
	if _, events := d.framer.(*awsEvents); !ok || events || other.family == d.opt.dialect.family {
		return nil // events of AWS are named, whatever is in them
	}
	ev := d.evidence(endwell.NotAStream, d.early)
	ev.Looks = other.name
	return ev
}
