package dialects

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// describe fills evidence with what an error document says. Documents come in many
// shapes (wire/openai-family.md §22.2, wire/envelopes-and-policy.md §2.7): an
// object or a string under "error", the error object itself, FastAPI's detail,
// Apigee's fault, Cloudflare's errors, MiniMax's base_resp, a list with one of
// them, or plain text. span, when it is not nil, is the value that says most.
//
// This is the path of a fault: it may allocate.
func describe(ev *endwell.Evidence, doc, span []byte) {
	defer clip(ev)
	doc = bytes.TrimSpace(doc)
	top := envelope(doc)
	if top == nil {
		ev.Message = text(doc)
		return
	}
	inner := innermost(top, span)
	fill(ev, inner)
	fill(ev, top)
	if base := object(top["base_resp"]); base != nil {
		fill(ev, base)
	}
	if ev.Message == "" && span != nil {
		ev.Message = text(span)
	}
}

// clip shortens what evidence says to what it keeps of a body: it outlives the frame.
func clip(ev *endwell.Evidence) {
	for _, s := range [...]*string{&ev.Message, &ev.Code, &ev.Type, &ev.Reason, &ev.RequestID, &ev.RetryAfter} {
		if len(*s) > maxEvidence {
			*s = strings.Clone((*s)[:maxEvidence])
		}
	}
}

// maxMembers bounds how many members of an object, and elements of a list, are looked
// at in an error document. What is beyond is skipped.
const maxMembers = 1024

// envelope decodes an error document, or the first one of a list.
func envelope(doc []byte) map[string]json.RawMessage {
	if top := object(doc); top != nil {
		return top
	}
	if list := elements(doc); len(list) > 0 {
		return object(list[0])
	}
	return nil
}

// innermost finds the object that describes the failure.
func innermost(top map[string]json.RawMessage, span []byte) map[string]json.RawMessage {
	candidates := []json.RawMessage{span, top["error"], top["errors"], top["fault"], top["header"]}
	if r := object(top["response"]); r != nil {
		candidates = append(candidates, r["error"])
	}
	for _, c := range candidates {
		if in := envelope(c); len(in) > 0 {
			if deeper := object(in["error"]); len(deeper) > 0 {
				return deeper
			}
			return in
		}
	}
	return nil
}

// fill takes from an object what the evidence does not have yet.
func fill(ev *endwell.Evidence, o map[string]json.RawMessage) {
	if o == nil {
		return
	}
	set := func(to *string, names ...string) {
		for _, name := range names {
			if *to == "" {
				*to = scalar(o[name])
			}
		}
	}
	set(&ev.Code, "code", "error_code", "status_code", "errorcode")
	set(&ev.Type, "type", "error_type", "__type")
	if ev.Type == "error" {
		ev.Type = ""
	}
	if w := scalar(o["status"]); ev.Type == "" && w != "" && !isNumber(w) {
		ev.Type = w
	}
	set(&ev.Message, "message", "msg", "detail", "title", "error", "err", "error_msg", "faultstring",
		"status_msg", "Message")
	if ev.Message == "" {
		ev.Message = text(o["detail"])
	}
	set(&ev.RequestID, "request_id", "requestId", "trace_id", "trace")
	set(&ev.RetryAfter, "retry_after", "retry_after_seconds")
	fillStatus(ev, o)
	fillMetadata(ev, object(o["metadata"]))
	fillDetails(ev, o["details"])
	fillFault(ev, object(o["detail"]))
}

// fillStatus takes an in-band status: a member named so, or a code that is one
// (wire/openai-family.md §22.6).
func fillStatus(ev *endwell.Evidence, o map[string]json.RawMessage) {
	for _, name := range [...]string{"status_code", "statusCode", "StatusCode", "status", "code", "http_code"} {
		if ev.Status != 0 {
			return
		}
		if n, err := strconv.Atoi(scalar(o[name])); err == nil && n >= 400 && n < 600 {
			ev.Status = n
		}
	}
}

// fillMetadata takes OpenRouter's further token: error_type, or the code in the
// upstream's own document (wire/openai-family.md §7.c).
func fillMetadata(ev *endwell.Evidence, meta map[string]json.RawMessage) {
	if meta == nil || ev.Reason != "" {
		return
	}
	ev.Reason = scalar(meta["error_type"])
	if ev.Reason == "" {
		ev.Reason = scalar(meta["limit_source"])
	}
	if ev.Reason != "" {
		return
	}
	var up endwell.Evidence
	raw := scalar(meta["raw"])
	if top := envelope([]byte(raw)); top != nil {
		fill(&up, innermost(top, nil))
		fill(&up, top)
		ev.Reason = up.Code
		if ev.Reason == "" || isNumber(ev.Reason) {
			ev.Reason = up.Type
		}
	}
}

// fillDetails takes Google's typed details: the reason of ErrorInfo, the id of a
// QuotaFailure, the wait of RetryInfo (wire/other-families.md §2.e).
func fillDetails(ev *endwell.Evidence, raw json.RawMessage) {
	for _, item := range elements(raw) {
		o := object(item)
		if w := scalar(o["retryDelay"]); ev.RetryAfter == "" {
			ev.RetryAfter = w
		}
		if w := scalar(o["reason"]); ev.Reason == "" {
			ev.Reason = w
		}
		if violations := elements(o["violations"]); len(violations) > 0 {
			if id := scalar(object(violations[0])["quotaId"]); id != "" {
				ev.Reason = id
			}
		}
	}
}

// fillFault takes the code of Apigee's fault (wire/openai-family.md §12.e).
func fillFault(ev *endwell.Evidence, detail map[string]json.RawMessage) {
	if code := scalar(detail["errorcode"]); ev.Code == "" {
		ev.Code = code
	}
}

// object decodes an object; nil for any other value. Its values are spans of raw.
func object(raw []byte) map[string]json.RawMessage {
	var c jsonscan.Cursor
	c.Reset(raw)
	if !c.Object() {
		return nil
	}
	o := map[string]json.RawMessage{}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if len(o) < maxMembers || o[string(key)] != nil {
			o[string(key)] = c.Raw()
		}
	}
	if c.End() != nil {
		return nil
	}
	return o
}

// elements returns the spans of a list's elements; nil for any other value.
func elements(raw []byte) (list []json.RawMessage) {
	var c jsonscan.Cursor
	c.Reset(raw)
	for c.Array(); c.Elem(); {
		if len(list) < maxMembers {
			list = append(list, c.Raw())
		}
	}
	if c.End() != nil {
		return nil
	}
	return list
}

// scalar returns a string's text or a number as written; "" for any other value,
// and for the words with which Python writes nothing (wire/openai-family.md §10.1).
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if s == "None" || s == "null" {
			return ""
		}
		return s
	}
	if w := strings.TrimSpace(string(raw)); isNumber(w) {
		return w
	}
	return ""
}

func isNumber(w string) bool {
	_, err := strconv.ParseFloat(w, 64)
	return err == nil
}

// text returns a value as message text: a string's text, else the value as it is.
func text(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(bytes.TrimSpace(raw))
}
