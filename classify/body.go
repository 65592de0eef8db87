package classify

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object of which only some members are looked at.
type object map[string]any

// document reads an error document: an object, or, as Google sends it, a list of
// one. It is nil for anything else.
func document(body []byte) object {
	b := bytes.TrimSpace(body)
	if len(b) == 0 || b[0] != '{' && b[0] != '[' {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	o, _ := v.(map[string]any)
	return o
}

func (o object) object(name string) object {
	m, _ := o[name].(map[string]any)
	return m
}

func (o object) list(name string) []any {
	l, _ := o[name].([]any)
	return l
}

// text returns the first of the members that is a string or a number.
func (o object) text(names ...string) string {
	for _, n := range names {
		switch v := o[n].(type) {
		case string:
			if v != "" {
				return v
			}
		case json.Number:
			return v.String()
		}
	}
	return ""
}

// word is text for strings only.
func (o object) word(names ...string) string {
	for _, n := range names {
		if s, ok := o[n].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// inner is the object that describes the failure: the member error, or the whole
// document, of which everyone makes one of the two.
func (o object) inner() object {
	if e := o.object("error"); e != nil {
		if deeper := e.object("error"); deeper != nil {
			return deeper
		}
		return e
	}
	return o
}

// details returns the tokens that lie deeper in an error document than type and
// code, and tell more: OpenRouter's metadata (wire/openai-family.md §7), Azure's
// innererror (§3), Anthropic's details.error_code and Google's quotaId and
// ErrorInfo.reason (wire/other-families.md §1e, §2e).
func details(body []byte) []string {
	e := document(body).inner()
	if e == nil {
		return nil
	}
	meta := e.object("metadata")
	found := []string{
		meta.text("limit_source"),
		meta.text("error_type"),
		e.object("innererror").text("code"),
		e.object("details").text("error_code"),
	}
	if meta["flagged_input"] != nil {
		found = append(found, "flagged_input")
	}
	return append(found, googleDetails(e)...)
}

// googleDetails puts the quota's id before the reason, since RATE_LIMIT_EXCEEDED is
// the reason of a daily quota too.
func googleDetails(e object) []string {
	var quotas, reasons []string
	for _, d := range e.list("details") {
		o, _ := d.(map[string]any)
		for _, v := range object(o).list("violations") {
			violation, _ := v.(map[string]any)
			if id := object(violation).text("quotaId"); id != "" {
				quotas = append(quotas, id)
			}
		}
		reasons = append(reasons, object(o).text("reason"))
	}
	return append(longest(quotas), reasons...)
}

// longest puts daily quotas first: the one that is used up longest decides.
func longest(ids []string) []string {
	for i, id := range ids {
		if quotaID(normal(id)) == quota {
			ids[0], ids[i] = ids[i], ids[0]
			break
		}
	}
	return ids
}

// delay is the wait that a Google document names, RetryInfo.retryDelay, in the
// document's words.
func delay(body []byte) string {
	for _, d := range document(body).inner().list("details") {
		o, _ := d.(map[string]any)
		if s := object(o).text("retryDelay"); s != "" {
			return s
		}
	}
	return ""
}

// envelope is what an error document says in any of the shapes of
// wire/openai-family.md §22 and wire/other-families.md.
type envelope struct{ typ, code, message, id string }

func read(body []byte) envelope {
	o := document(body)
	if o == nil {
		return envelope{message: plain(body)}
	}
	e := o.described()
	return envelope{
		typ:     e.word("type", "status", "__type"),
		code:    orText(e.text("code", "status_code", "errorcode", "status", "StatusCode"), o.text("status_code", "status")),
		message: orText(e.text("message", "Message", "msg", "detail", "title", "errorText", "status_msg", "faultstring"), o.text("error")),
		id:      o.text("request_id"),
	}
}

// described finds the object that describes the failure, in whatever it is wrapped.
func (o object) described() object {
	for _, name := range [...]string{"base_resp", "fault"} {
		if e := o.object(name); e != nil {
			return e
		}
	}
	for _, e := range o.list("errors") {
		if m, ok := e.(map[string]any); ok {
			return m
		}
	}
	return o.inner()
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// plain is a body that is no document, as a message: nothing for a web page.
func plain(body []byte) string {
	s := strings.TrimSpace(string(body[:min(len(body), maxMessage)]))
	if strings.HasPrefix(s, "<") || strings.HasPrefix(s, "{") {
		return ""
	}
	return s
}
