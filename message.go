package endwell

import (
	"strings"
	"time"

	"github.com/endwell-go/endwell/internal/errtree"
	"github.com/endwell-go/endwell/internal/token"
)

// Message says in plain English what happened, whose fault it is and what to do,
// naming the model. It is meant for a person, beside the partial answer and never
// inside it.
func (e *Error) Message() string { return e.Localize(nil) }

// Key is the stable name of the message, fault.category, such as
// "stalled.timeout".
func (e *Error) Key() string {
	return e.Fault.String() + "." + e.category().String()
}

// Params returns the values that a message may name: model, provider, status,
// code, request_id, retry_after, bound, waited, waited_seconds, reason, which is the stable
// name of what went wrong on this side, such as no_payload; and, of an answer that
// was read in the wrong dialect, dialect and looks, the one that it looks like. Unknown
// ones are absent, except that model and provider always have a readable value.
func (e *Error) Params() map[string]string {
	p := map[string]string{
		"model":    orElse(token.Name(e.Model), "the model"),
		"provider": orElse(token.Name(e.Provider), "the provider"),
	}
	put := func(name, value string) {
		if value != "" {
			p[name] = value
		}
	}
	put("status", number(e.Status))
	put("code", shaped(e.Code))
	put("request_id", shapedID(e.RequestID))
	put("reason", e.reasonToken())
	put("bound", e.boundName())
	put("waited", duration(e.Waited))
	put("waited_seconds", number(int(e.Waited.Round(time.Second)/time.Second)))
	put("retry_after", duration(e.RetryAfter.Round(time.Second)))
	if ev := e.evidence(); ev != nil && token.Name(ev.Looks) != "" {
		put("dialect", token.Name(ev.Dialect))
		put("looks", token.Name(ev.Looks))
	}
	return p
}

// Localize renders the message with the host's own text: lookup gives the template
// for a Key and whether the catalogue has it. In a template, {name} stands for a
// parameter of Params; an unknown name stays as it is. Without a lookup, or for a
// key that the catalogue lacks, the English message stands.
func (e *Error) Localize(lookup func(key string) (string, bool)) string {
	text, ok := "", false
	if lookup != nil {
		text, ok = lookup(e.Key())
	}
	if !ok {
		text = e.english()
	}
	pairs := make([]string, 0, 2*11)
	for name, value := range e.Params() {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// category is the category to act on: an error that nobody classified is
// Unclassified.
func (e *Error) category() Category {
	if e.Category == 0 {
		return Unclassified
	}
	return e.Category
}

// english composes the template: what happened, then whose fault it is and what
// to do.
func (e *Error) english() string {
	s := e.happened()
	switch {
	case e.Fault == Refused && e.Status != 0:
		s += " (HTTP {status})"
	case e.Fault == Faulted && shaped(e.Code) != "":
		s += " ({code})"
	}
	if rest, ok := strings.CutPrefix(s, "{model}"); ok && token.Name(e.Model) == "" {
		s = "The model" + rest
	}
	return s + ". " + e.action()
}

func (e *Error) happened() string {
	switch e.Fault {
	case Unreachable:
		return e.unreachable()
	case Refused:
		return "{model} did not answer: {provider} refused the request"
	case Stalled:
		return stalled(e.Bound, e.Waited)
	case Broken:
		return e.broken()
	case Truncated:
		return "The answer of {model} was cut off before it was finished"
	case Faulted:
		return "{model} did not finish its answer: {provider} reported a fault"
	case Malformed:
		return "{model} did not finish its answer: {provider} " + e.malformed()
	case Empty:
		return "{model} ended its turn without an answer"
	default:
		return "The answer of {model} ended badly"
	}
}

// unreachable tells a request that was not sent from one without a response.
func (e *Error) unreachable() string {
	s, why := "{model} could not be reached", "no response came from {provider}"
	if e.Category == RequestInvalid {
		s, why = "The request to {model} was not sent", ""
	}
	if r := e.reason(); r != nil {
		why = r.Text()
	}
	if why == "" {
		return s
	}
	return s + ": " + why
}

// broken tells a connection that broke from what failed on this side of it.
func (e *Error) broken() string {
	if r := e.reason(); r != nil {
		return "The answer of {model} broke off: " + r.Text()
	}
	return "The connection broke before {model} had finished its answer"
}

// malformed says what kind of payload was found, as far as the evidence tells.
func (e *Error) malformed() string {
	switch kind := e.evidenceKind(); {
	case kind == NotAStream && e.misread():
		return "sent an answer in the dialect {looks}, and it was read as {dialect}"
	case e.reason() != nil:
		return "sent an answer that cannot be read: " + e.reason().Text()
	case kind == NotAStream:
		return "sent something that is no stream, such as a web page"
	case kind == TooLarge:
		return "sent a frame that is too large"
	case kind == Spliced:
		return "mixed two answers into one"
	default:
		return "sent something that cannot be read"
	}
}

func (e *Error) evidenceKind() EvidenceKind {
	if ev := e.evidence(); ev != nil {
		return ev.Kind
	}
	return Reported
}

// misread reports whether an answer was read in the wrong dialect.
func (e *Error) misread() bool {
	ev := e.evidence()
	return ev != nil && token.Name(ev.Looks) != "" && token.Name(ev.Dialect) != ""
}

// evidence finds the evidence of the original; nil for none.
func (e *Error) evidence() *Evidence {
	ev, _ := errtree.As[*Evidence](e.original)
	return ev
}

// stalled names the bound when the error says how long it was.
func stalled(b Bound, waited time.Duration) string {
	if waited == 0 {
		b = 0
	}
	switch b {
	case BoundFirst:
		return "{model} stalled: no output began within {waited}"
	case BoundProgress:
		return "{model} stalled: the connection stayed alive, but no output came for {waited}"
	case BoundIdle:
		return "{model} stalled: nothing arrived for {waited}"
	default:
		return "{model} stalled"
	}
}

// action is the sentence for the reason, or for the category. Each category has its own.
func (e *Error) action() string {
	if r := e.reason(); r != nil && r.Action() != "" {
		return r.Action()
	}
	switch e.category() {
	case AuthMissing:
		return "No API key was sent: add one."
	case AuthInvalid:
		return "The API key was not accepted: replace it."
	case PermissionDenied:
		return "The account may not use this model, region or feature: get access to it."
	case QuotaExhausted:
		return "The account has no credit or quota left: add credit, or use another provider."
	case RateLimited:
		return e.waitAction()
	case Overloaded:
		return "The provider is overloaded and the request is not at fault: try later, or pick another model."
	case ModelUnavailable:
		return "The model is not available at that address: pick another model, or check the address."
	case ContextTooLong:
		return "The request is too long for it: shorten the conversation or the request."
	case ContentBlocked:
		return "Content rules blocked it: rephrase."
	case RequestInvalid:
		return e.requestAction()
	case Network:
		if !e.Transient {
			return "The network, or how it is set up, is at fault and not the request: check the address, the proxy and the certificates."
		}
		return "The network is at fault and not the request: check the connection, then try again."
	case Timeout:
		return "The provider is at fault and not the request: submit it again; if it happens again, use a faster model or a shorter prompt."
	case ServerError:
		return e.serverAction()
	case MalformedResponse:
		return e.malformedAction()
	default:
		return "It is not clear whose fault it is: read the details."
	}
}

func (e *Error) waitAction() string {
	if e.RetryAfter >= time.Second {
		return "Too many requests: wait {retry_after}, then try again."
	}
	return "Too many requests: wait a little, then try again."
}

func (e *Error) requestAction() string {
	if e.Fault == Empty {
		return "The token limit was used up before any text: raise the limit, or ask for less reasoning."
	}
	return "The request is at fault: change it before sending it again."
}

func (e *Error) serverAction() string {
	s := "The provider is at fault and not the request: try later"
	if !e.Transient {
		s = "The provider cannot serve this request: pick another model"
	}
	if shapedID(e.RequestID) != "" {
		s += ", and quote request id {request_id}"
	}
	return s + "."
}

func (e *Error) malformedAction() string {
	if e.Transient {
		return "The provider is at fault and not the request: submit it again, or pick another model."
	}
	if e.misread() {
		return "Neither the provider nor the request is at fault: the program should name the dialect {looks}, or none."
	}
	if e.evidenceKind() == NotAStream {
		return "The address, or a proxy or login page before the provider, is at fault and not the request: check the address, then report it."
	}
	return "The provider, or a gateway before it, is at fault and not the request: report it."
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
