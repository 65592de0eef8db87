package classify

import (
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
)

// report is a provider's report, ready to be judged.
type report struct {
	ev      *endwell.Evidence
	rules   *rules
	status  int      // 0 for none
	tokens  []string // normal form, the most specific first
	message string   // lower case, without leading space
	emitted bool

	readings []string // of the message, the innermost first
}

func newReport(ev *endwell.Evidence, emitted bool) *report {
	ev = spoken(ev)
	r := &report{ev: ev, rules: rulesOf(ev.Dialect), status: statusOf(ev), emitted: emitted}
	for _, t := range append(details(ev.Body), ev.Reason, ev.Code, ev.Type, header(ev.Header, "X-Amzn-Errortype")) {
		if n := normal(t); n != "" && n != "error" && !isStatus(n) {
			r.tokens = append(r.tokens, n)
		}
	}
	r.message = fold(ev.Message)
	r.readings = readings(r.message)
	if s := upstream(ev.Body); s != "" {
		r.readings = append(readings(fold(s)), r.readings...)
	}
	return r
}

// judge applies the order of design §6, from what allows one reading only down to
// what says nothing.
func judge(r *report) verdict {
	for _, step := range [...]func(*report) verdict{
		oneReading, refined, byCode, byPhrase, byWeakType, byStatus, byGeneric, byWords,
	} {
		if v := step(r); v != undecided {
			return v
		}
	}
	if r.ev.InBand {
		return serverFault
	}
	return unclear
}

// oneReading is a status that beats any code: 413 is always too large, also where
// the code says rate_limit_exceeded (wire/openai-family.md §4). A 404 allows one
// reading only where the server says that it has no such route.
func oneReading(r *report) verdict {
	switch {
	case r.status == 413:
		return tooLong
	case r.status == 501:
		return cannotServe
	case strayed(r):
		return badRequest
	default:
		return undecided
	}
}

// byCode asks the dialect's own table for each token, then its pattern, then the
// tokens that mean the same everywhere. A token that says no more than that the
// server failed, such as server_error, yields to a status that says how.
func byCode(r *report) verdict {
	for _, t := range r.tokens {
		if v := r.rules.lookup(t); v != undecided && (v != serverFault || !r.telling()) {
			return v
		}
	}
	return undecided
}

// telling reports whether the status says more than that one of the two sides is at
// fault, as 503 and 429 do.
func (r *report) telling() bool {
	if r.vague() {
		return false
	}
	switch byStatus(r) {
	case undecided, badRequest, serverFault:
		return false
	default:
		return true
	}
}

// byWeakType distrusts a generic client error without code or status that comes
// after an emission: the request had been accepted, and gateways label a dropped
// upstream like that.
func byWeakType(r *report) verdict {
	if !r.emitted || !r.ev.InBand || !r.clientType() {
		return undecided
	}
	if r.status == 0 || r.status == 400 && r.engine() {
		return serverFault
	}
	return undecided
}

// clientType reports whether the tokens say no more than that the request is bad.
func (r *report) clientType() bool {
	for _, t := range r.tokens {
		if generic[t] != badRequest {
			return false
		}
	}
	return len(r.tokens) > 0
}

// engine reports whether the dialect is of an engine whose default for any failure
// is BadRequestError with 400, wire/openai-family.md §10.2.
func (r *report) engine() bool {
	switch r.ev.Dialect {
	case "vllm", "sglang", "nim":
		return true
	default:
		return false
	}
}

func byStatus(r *report) verdict {
	if v := byGeneric(r); r.vague() && v != undecided && v != serverFault {
		return v
	}
	if v, ok := r.rules.statuses[r.status]; ok && !isPage(r.ev) {
		return v
	}
	return statusVerdict(r.status)
}

// vague reports whether the status says so little that even a generic token tells
// more, such as FAILED_PRECONDITION behind a 400.
func (r *report) vague() bool { return r.status == 400 || r.status == 422 }

func byGeneric(r *report) verdict {
	for _, t := range r.tokens {
		if v := generic[t]; v != undecided {
			return v
		}
	}
	return undecided
}

// statusOf is the status of a report: the HTTP one of a refusal, or the one that an
// in-band report carries, also as its code. 0 means none.
func statusOf(ev *endwell.Evidence) int {
	if ev.Status >= 300 && ev.Status <= 599 || ev.Status != 0 && !ev.InBand {
		return ev.Status
	}
	if isStatus(ev.Code) {
		n, _ := strconv.Atoi(ev.Code)
		return n
	}
	return 0
}

// isStatus reports whether a code is an HTTP status, which is what providers mean
// by a number from 400 to 599, wire/openai-family.md §22.
func isStatus(code string) bool {
	n, err := strconv.Atoi(code)
	return err == nil && n >= 400 && n <= 599
}

// isPage reports whether the body is a web page: then somebody in front of the
// provider answered, and the provider's own reading of a status does not apply.
func isPage(ev *endwell.Evidence) bool {
	if strings.HasPrefix(strings.ToLower(header(ev.Header, "Content-Type")), "text/html") {
		return true
	}
	b := ev.Body[:min(len(ev.Body), 512)]
	return strings.HasPrefix(strings.TrimLeft(string(b), " \t\r\n\ufeff"), "<")
}
