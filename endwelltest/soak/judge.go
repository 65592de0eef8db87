package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// judge holds what a consumer saw against what happened.
func (s *soak) judge(c *call) {
	j := &judgement{s: s, call: c, tries: int(c.tries.Load())}
	switch {
	case j.tries < 1 || j.tries > len(c.plan.attempts):
		if j.tries != 0 || !j.byCaller() {
			c.wrongf("%d attempts, of at most %d", j.tries, len(c.plan.attempts))
		}
	default:
		j.attempts()
		j.ending()
		j.bytes()
	}
	s.tally.add(j)
}

// judgement is the judging of one call.
type judgement struct {
	s *soak
	*call
	tries  int
	last   *attempt
	err    *endwell.Error // what the stream ended with, if it was one
	slow   bool           // the machine was slow, and the stall true
	repeat int            // bytes that came twice, or were never sent
	delay  time.Duration  // of a stall
	off    *suspect       // nil for none
}

// byCaller reports whether the ending is the consumer's own.
func (j *judgement) byCaller() bool {
	if j.err == nil && !errors.As(j.end, &j.err) {
		j.err = nil
	}
	return j.err == nil && errors.Is(j.end, j.stopping()) && j.plan.stop != toEnd
}

// attempts checks that the call was sent again when it should have been, and only then.
func (j *judgement) attempts() {
	p := j.plan
	j.last = p.attempts[j.tries-1]
	for i := range j.tries - 1 {
		v := j.actual(i)
		if !v.resends() {
			j.wrongf("attempt %d was made after one that ended with %v, emitted %v%s", i+2, v, v.emitted, j.original(i))
		}
	}
	if !j.byCaller() && p.policy && j.tries < len(p.attempts) {
		if v := j.actual(j.tries - 1); v.resends() && !v.announced && !j.hurried() {
			j.wrongf("attempt %d ended with %v and was not made again", j.tries, v)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch n := len(j.entries); {
	case !p.policy && n > 0:
		j.wrongf("%d entries on the ledger of no policy", n)
	case p.policy && n != j.tries:
		j.wrongf("%d entries on the ledger for %d attempts", n, j.tries)
	}
}

// hurried reports whether the call was not sent again for its deadline's sake, which
// comes before the end of any longer wait.
func (j *judgement) hurried() bool {
	return j.plan.stop == expires && errors.Is(j.end, retry.StopContext) || errors.Is(j.status, retry.StopContext)
}

// entry is the ledger's entry of an attempt; nil for none.
func (j *judgement) entry(i int) *noted {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i < 0 || i >= len(j.entries) {
		return nil
	}
	return &j.entries[i]
}

// original is what an attempt failed with, in the transport's own words.
func (j *judgement) original(i int) string {
	e := j.err
	if entry := j.entry(i); i < j.tries-1 && entry != nil {
		e = entry.Err
	}
	if e == nil || e.Unredacted() == nil {
		return ""
	}
	return fmt.Sprintf(": %v: %v", e, e.Unredacted())
}

// actual is the true ending of an attempt: by its script, unless a machine that is busy
// made it wait for longer than the bound, which the clock shows.
func (j *judgement) actual(i int) verdict {
	v := j.plan.attempts[i].true
	e := j.err
	if i < j.tries-1 || e == nil {
		entry := j.entry(i)
		switch {
		case i == j.tries-1 && j.end == io.EOF:
			return j.unless(v, i, 0)
		case entry == nil || entry.Err == nil:
			return v
		}
		e = entry.Err
	}
	if e.Fault != stalled {
		return j.unless(v, i, e.Fault)
	}
	j.stall(i, e)
	emitted := !j.first.IsZero() && (i == j.tries-1 || !j.first.After(j.entry(i).at))
	if j.plan.wrapped && j.plan.attempts[i].act.named != nil && e.Bound == endwell.BoundFirst {
		emitted = false // the bytes that came were the head of an answer, or the report of its fault
	}
	if v.fault == stalled && v.emitted == emitted && (i < j.tries-1 || j.everything()) {
		return v
	}
	j.slow = true
	slow := failing(stalled, endwell.Timeout)
	slow.emitted = emitted
	return slow
}

// unless is a verdict, unless what was in hand already was taken for all, because a
// machine that is busy made the rest come too late.
func (j *judgement) unless(v verdict, i int, f endwell.Fault) verdict {
	if v.allows(f) || v.inHand == nil || f != v.inHand.fault || j.waited(j.begun(i)) < or(j.plan.bounds.Linger, middleware.DefaultLinger) {
		return v
	}
	j.slow = true
	return *v.inHand
}

// begun is when an attempt began, or a little before.
func (j *judgement) begun(i int) time.Time {
	if prev := j.entry(i - 1); prev != nil {
		return prev.at.Add(prev.Wait / part)
	}
	return j.waits[0].from
}

// everything reports whether all that was sent came.
func (j *judgement) everything() bool {
	at := j.plan.attempts[j.tries-1]
	switch {
	case j.plan.policy && !at.true.emitted, j.plan.wrapped && at.act.named != nil:
		return true
	case at.act.named != nil:
		return j.text.String() == at.true.text
	default:
		return strings.HasPrefix(j.raw.String(), strings.TrimSuffix(at.true.raw, "\n"))
	}
}

// ending checks how the stream ended.
func (j *judgement) ending() {
	v := j.actual(j.tries - 1)
	switch {
	case j.byCaller():
		if !j.maybe {
			j.wrongf("ended with %v before the consumer stopped", j.end)
		}
		if !j.plan.wrapped && j.end != j.stopping() {
			j.wrongf("the consumer's own ending is %#v", j.end)
		}
	case j.sure && !(j.plan.wrapped && (j.slow || j.all())):
		j.wrongf("ended with %v after the consumer had stopped", j.end)
	case j.resp != nil && j.resp.StatusCode/100 != 2:
		j.refusal(&v)
	case j.err == nil && j.end != io.EOF:
		j.wrongf("ended with %v, and truly with %v", j.end, v)
	case j.err == nil:
		if v.fault != 0 {
			j.wrongf("ended whole, and truly with %v", v)
		}
		if j.status != nil {
			j.wrongf("its context says %v of a whole answer", j.status)
		}
	default:
		j.fault(&v)
	}
}

// fault checks an error against what happened.
func (j *judgement) fault(v *verdict) {
	e := j.err
	switch {
	case v.announced && e.Fault == endwell.Faulted && (e.Category == endwell.ServerError || e.Category == j.last.act.fault):
	case !v.allows(e.Fault), e.Category != v.category, e.Transient != v.transient:
		j.wrongf("ended with %v/%v, transient %v, and truly with %v, transient %v%s", e.Fault, e.Category, e.Transient, *v, v.transient, j.original(j.tries-1))
	case e.Retryable != (v.transient && !v.emitted) && !j.slow && !v.vague:
		j.wrongf("retryable is %v for %v, emitted %v", e.Retryable, *v, v.emitted)
	case !j.plan.wrapped && e.Model != "soak-model":
		j.wrongf("the model is %q", e.Model)
	case j.reached() && (errors.Is(j.end, context.Canceled) || errors.Is(j.end, context.DeadlineExceeded) || errors.Is(j.end, io.EOF)):
		j.wrongf("%v can be taken for another ending", j.end)
	case j.plan.wrapped && !errors.Is(j.status, e.Fault):
		j.wrongf("its context says %v of %v", j.status, e.Fault)
	}
}

// reached reports whether the error is the chain's alone: a client whose call reached
// nobody has its own error too.
func (j *judgement) reached() bool { return !j.plan.wrapped || j.resp != nil }

// refusal checks a refused call that was handed over as it is.
func (j *judgement) refusal(v *verdict) {
	switch {
	case errors.Is(j.status, stalled) && j.waits[0].to.Sub(j.waits[0].from) >= j.plan.bounds.First:
		j.slow = true // the response came in the instant in which the bound was over
	case v.fault != endwell.Refused || !errors.Is(j.status, endwell.Refused) || !errors.Is(j.status, v.category):
		j.wrongf("refused with %d, its context says %v, and truly ended with %v", j.resp.StatusCode, j.status, *v)
	case j.end != io.EOF:
		j.wrongf("the body of a refusal ended with %v", j.end)
	case j.last.act.named == nil && (j.resp.StatusCode != j.last.act.status || j.raw.String() != j.last.act.doc):
		j.wrongf("the refusal is not what was sent: %d %q", j.resp.StatusCode, j.raw.String())
	}
}

// bytes checks that nothing was lost, changed or said twice.
func (j *judgement) bytes() {
	v, act := j.last.true, j.last.act
	if j.resp != nil && j.resp.StatusCode/100 != 2 {
		return
	}
	partly := j.byCaller() || j.slow || v.vague || j.lingered(&v)
	if !j.plan.wrapped {
		j.compare("text", j.text.String(), partly, v.text)
	}
	switch {
	case act.how == lives && act.named == nil:
		j.living(&v, partly)
	case act.named == nil:
		j.compare("bytes", j.body(), partly, j.handed(&v)...)
	case j.plan.wrapped:
		j.named(act, partly)
	}
}

// lingered reports whether a machine that is busy made the rest of an answer come too
// late, which was in hand and only had metadata to follow.
func (j *judgement) lingered(v *verdict) bool {
	linger := or(j.plan.bounds.Linger, middleware.DefaultLinger)
	late := v.settled > 0 && j.raw.Len() >= v.settled && j.waited(time.Time{}) >= linger
	j.slow = j.slow || late && j.raw.Len() < len(v.raw) && !j.byCaller() && !v.lingers
	return late
}

// body is the bytes of the answer that came. Ollama's clients never ask why a body ended,
// so there a fault is reported in a line of its own, too.
func (j *judgement) body() string {
	got := j.raw.String()
	if wire := j.target().wire; !j.plan.wrapped || wire != endwelltest.Ollama || j.end == io.EOF {
		return got
	}
	at := strings.LastIndexByte(strings.TrimRight(got, "\n"), '\n') + 1
	for _, report := range [...]string{`{"error":`, `data: {"error":`} {
		if line := got[at:]; line != "" && (strings.HasPrefix(line, report) || strings.HasPrefix(report, line)) {
			return got[:at]
		}
	}
	return got
}

// reported is the wait that ended with a fault whose report was read before it; 0 for
// none.
func (j *judgement) reported() int {
	body := len(j.body())
	if body == j.raw.Len() {
		return 0
	}
	if j.last.true.raw == strings.TrimSuffix(j.body(), "\n") {
		body = len(j.last.true.raw) // the line feed before the report is the report's
	}
	return 1 + slices.IndexFunc(j.sizes, func(n int) bool { return n > body })
}

// ended reports whether what was read last does nothing but end an event, so that it may
// be what a fault found missing, and not have been waited for.
func (j *judgement) ended() bool {
	if !j.plan.wrapped || j.last.act.voice == nil || len(j.sizes) < 2 {
		return false
	}
	last := j.raw.String()[j.sizes[len(j.sizes)-2]:]
	return last != "" && strings.Trim(last, "\r\n") == ""
}

// handed lists what may be handed over of an answer: half a frame or not, and, of a body
// of events, with what ends its last event.
func (j *judgement) handed(v *verdict) (out []string) {
	if j.plan.policy && v.fault != 0 && !v.emitted && !j.byCaller() {
		return []string{""}
	}
	all := []string{v.raw}
	if v.fault != 0 || !j.plan.wrapped || j.last.act.voice.wire == endwelltest.Ollama {
		// The line feed that ends a frame may come after the frame is read.
		defer func() { out = append(out, strings.TrimSuffix(out[0], "\n")) }()
	}
	if j.plan.wrapped && v.fault != 0 {
		all[0] = v.raw[:len(v.raw)-v.sentinel]
		if j.last.act.voice.wire == endwelltest.Ollama {
			all = append(all, v.raw) // its last line says more than that it is the last
		}
	}
	if v.rest != "" {
		all = append(all, v.raw+v.rest)
	}
	if j.plan.wrapped && v.alive > 0 {
		all = append(all, v.raw[:len(v.raw)-v.alive]) // without what ends it, it says nothing
	}
	if !j.plan.wrapped || !strings.HasPrefix(j.last.act.voice.typ, "text/event-stream") {
		return all
	}
	ends := j.last.act.voice.ends
	for i, s := range all {
		switch half := v.fault == 0 && strings.HasSuffix(s, "\r\n\r"); {
		case half && j.byCaller():
			all = append(all, s+"\n") // who left a whole answer before its end was known
		case s != "" && !half:
			all[i] = s + missing(s, ends)
		}
	}
	return all
}

// living checks the bytes of an answer whose end is keep-alives.
func (j *judgement) living(v *verdict, partly bool) {
	got, all := j.body(), j.handed(v)
	for i, want := range all {
		endless := v.sentinel == 0 || j.plan.wrapped && len(want) == len(v.raw)
		if j.held() || !endless {
			continue
		}
		for len(all[i]) < len(got) {
			all[i] += j.last.act.voice.alive
		}
	}
	j.compare("bytes", got, partly || v.sentinel == 0 && !j.held(), all...)
}

// held reports whether the answer failed before anything of it was let through.
func (j *judgement) held() bool {
	return j.plan.policy && j.body() == "" && !j.byCaller()
}

// missing is what ends the last event, where events end like that; which nobody knows
// before a line feed has come.
func missing(s, ends string) string {
	if !strings.Contains(s, "\n") {
		return "\n\n"
	}
	n := len(ends)
	for !strings.HasSuffix(s, ends[:n]) {
		n--
	}
	return ends[n:]
}

// compare reports text that is none of those that it should be, or no beginning of one.
func (j *judgement) compare(what, got string, partly bool, want ...string) {
	ollama := j.plan.wrapped && j.target().wire == endwelltest.Ollama
	fits := func(w string) bool {
		return got == w || partly && strings.HasPrefix(w, got) || ollama && got == w+"\n" // before a report
	}
	if slices.ContainsFunc(want, fits) {
		return
	}
	common := 0
	for _, w := range want {
		common = max(common, commonPrefix(got, w))
	}
	j.repeat += len(got) - common
	j.wrongf("%s: %d came and %d were sent, and they agree in %d:\n    got  %q\n    want %q", what, len(got), len(want[0]), common, got, want)
}

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// named checks the bytes of a named ending as far as they are known.
func (j *judgement) named(a *act, partly bool) {
	switch a.named.Name {
	case "keepalive-only", "tool-call-cut", "no-text":
		return
	}
	name, whole := "whole", j.last.true.fault == 0
	if whole {
		name = a.named.Name
	}
	got := j.body()
	if a.named.Name == "cut-in-frame" {
		got = strings.TrimRight(got, "\n") // what ends half an event
		got = got[:max(0, len(got)-20)]    // which is another one than that of the whole answer
	}
	j.compare("bytes", got, partly || !whole, j.s.sockets.bodies[bodyKey{a.wire, name}])
}

// all reports whether everything came that was to come, so that the ending may have been
// known before the consumer stopped.
func (j *judgement) all() bool {
	v := j.last.true
	if j.last.act.named != nil || j.held() || j.reported() > 0 {
		return true
	}
	if v.sentinel > 0 && strings.HasPrefix(j.body(), v.raw) {
		return true // what comes behind an answer that is whole may be handed over, too
	}
	return j.lingered(&v) || slices.Contains(j.handed(&v), j.body())
}

// stall checks the time of a stall: never early, and not too late.
func (j *judgement) stall(i int, e *endwell.Error) {
	p, at := j.plan, j.plan.attempts[i]
	end := j.waits[len(j.waits)-1].to
	if at := j.reported(); p.wrapped && p.policy && j.body() == "" {
		end = j.waits[0].to // the answer was held back for its first emission
	} else if at > 0 {
		end = j.waits[at].to
	}
	if entry := j.entry(i); i < j.tries-1 && entry != nil {
		end = entry.at
	}
	begun := j.begun(i)
	if n := len(j.waits) - 1; e.Bound == endwell.BoundIdle && end == j.waits[n].to && j.waits[n].from.Add(e.Waited).After(end) && j.ended() {
		end = j.waits[n-1].to
	}
	bound := map[endwell.Bound]time.Duration{
		endwell.BoundFirst: p.bounds.First, endwell.BoundIdle: p.bounds.Idle, endwell.BoundProgress: p.bounds.Progress,
	}[e.Bound]
	if e.Waited != bound {
		j.wrongf("stalled by %v after %v, whose bound is %v", e.Bound, e.Waited, bound)
	}
	waitFrom, waited := j.waitAt(end).from, j.within(begun, end)
	if p.wrapped && p.policy && (i < j.tries-1 || j.body() == "") {
		// It was held back: another goroutine waits for it than the consumer, all the time.
		waitFrom, waited = begun, end.Sub(begun)
	}
	heard := at.act.named == nil && at.true.fault == stalled && at.act.cut == len(at.true.raw) && j.raw.String() == at.true.raw
	least, most := time.Duration(0), time.Duration(0)
	switch e.Bound {
	case endwell.BoundFirst:
		least, most = waited, j.within(j.s.start.Add(time.Duration(at.begun.Load())), end)
	case endwell.BoundIdle:
		from := waitFrom
		if heard && at.act.how == hangs {
			from = later(from, j.s.pipes.start.Add(time.Duration(at.wrote.Load())))
		}
		least, most = end.Sub(from), end.Sub(later(waitFrom, j.s.pipes.start.Add(time.Duration(at.written.Load()))))
	default:
		from := begun
		if heard {
			from = j.s.pipes.start.Add(time.Duration(at.emitted.Load()))
		}
		least, most = j.within(from, end), j.within(later(begun, j.emitted), end)
	}
	switch what := fmt.Sprintf("stalled early: by %v after %v of %v", e.Bound, least, bound); {
	case least >= bound:
	case e.Bound == endwell.BoundIdle && end.Sub(waitFrom) >= bound:
		// On a slow machine a write may be through long before what reads it has its turn,
		// and the bound expires meanwhile.
		j.off = &suspect{j.plan, end.Add(least - bound), end, 0, what}
	default:
		j.wrongf("%s", what)
	}
	j.delay = max(j.delay, most-bound)
	if most-bound > j.s.cfg.Slack {
		j.off = &suspect{j.plan, end.Add(bound - most), end, j.s.cfg.Slack, fmt.Sprintf("stalled late: by %v after %v of %v", e.Bound, most, bound)}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// waitAt is the wait that an instant lies in.
func (j *judgement) waitAt(t time.Time) span {
	for _, w := range slices.Backward(j.waits) {
		if !w.from.After(t) {
			return w
		}
	}
	return j.waits[0]
}

// within is how long the consumer waited between two instants.
func (j *judgement) within(from, to time.Time) time.Duration {
	return j.waited(from) - j.waited(to)
}
