package dialects

import (
	"bytes"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// findings is what a frame says beside its choices. Error shapes of the family
// are in wire/openai-family.md §22.2.
type findings struct {
	known   bool         // it is part of an answer, whatever else it holds
	other   bool         // it is no object
	faulty  bool         // object or type is "error"
	crowded bool         // it has more choices than an answer can have
	failed  bool         // success is false, or status is a word for failure
	said    bool         // it has a message in one of the known places
	coded   bool         // it has a code, or a type that names an error
	native  jsonscan.Str // the text of Workers AI's own format
	output  jsonscan.Str // a word for unusable output
	finish  jsonscan.Str // a finish word that is a fault

	calls, result  []byte // "tool_calls", "result"
	wrapped        []byte // "response" as an object
	usage, groq    []byte
	reported       []byte // a non-null "error"
	errors, base   []byte // "errors", "base_resp"
	detail, apigee []byte // "detail", "fault"
	header         []byte // "header"
	status         int    // "status", "status_code" or "statusCode"
}

// member notes one of the less common members of the top-level object.
func (fd *findings) member(key []byte, c *jsonscan.Cursor) {
	switch string(key) {
	case "error":
		fd.reported = orReport(fd.reported, reportSpan(c))
	case "errors":
		fd.errors = orSpan(fd.errors, arraySpan(c))
	case "success":
		ok, is := c.Bool()
		fd.failed = fd.failed || is && !ok
	case "base_resp":
		fd.base = orSpan(fd.base, objectSpan(c))
	case "detail":
		fd.detail = orSpan(fd.detail, reportSpan(c))
	case "fault":
		fd.apigee = orSpan(fd.apigee, objectSpan(c))
	case "response":
		fd.wrapped = orSpan(fd.wrapped, objectSpan(c))
	case "header":
		fd.header = orSpan(fd.header, objectSpan(c))
	case "message", "Message", "msg", "err", "error_msg", "title":
		s, _ := c.Str()
		fd.said = fd.said || !s.Empty()
	case "object", "type", "__type":
		s, _ := c.Str()
		fd.named(s)
	case "code", "error_code":
		fd.readCode(c)
	case "status", "status_code", "statusCode", "StatusCode":
		fd.readStatus(c)
	}
}

// named takes what a frame says that it is.
func (fd *findings) named(s jsonscan.Str) {
	fd.faulty = fd.faulty || s.Equal("error")
	fd.coded = fd.coded || errorType(s)
}

// readStatus takes a status: of HTTP, as a number or as its digits, or a word.
func (fd *findings) readStatus(c *jsonscan.Cursor) {
	if raw, ok := c.Num(); ok {
		fd.number(raw)
		return
	}
	s, _ := c.Str()
	fd.statusText(s)
}

func (fd *findings) statusText(s jsonscan.Str) {
	fd.failed = fd.failed || failureWord(s)
	if len(s.Raw) == len("503") {
		fd.number(s.Raw)
	}
}

func (fd *findings) number(raw []byte) {
	n, _ := jsonscan.Int(raw)
	fd.status = max(fd.status, int(min(n, 1000)))
}

// failureWord reports whether a status says that the request has failed.
func failureWord(s jsonscan.Str) bool {
	for _, word := range [...]string{"error", "failed", "failure", "fail"} {
		if strings.EqualFold(string(s.Raw), word) {
			return true
		}
	}
	return false
}

// orReport is orSpan for reports of an error, of which one that says something wins.
func orReport(a, b []byte) []byte {
	if a == nil || b != nil && emptyReport(a) {
		return b
	}
	return a
}

// readCode takes a code for one that names a failure, unless it is null, 0, 200 or
// a word for success.
func (fd *findings) readCode(c *jsonscan.Cursor) {
	if raw, ok := c.Num(); ok {
		n, _ := jsonscan.Int(raw)
		fd.coded = fd.coded || n != 0 && n != 200
		return
	}
	s, _ := c.Str()
	fd.coded = fd.coded || !s.Empty() && !s.Equal("0") && !s.Equal("200") &&
		!strings.EqualFold(string(s.Raw), "ok") && !strings.EqualFold(string(s.Raw), "success")
}

// errorType reports whether a type names an error, as "invalid_request_error",
// "ServerError" and "ThrottlingException" do.
func errorType(s jsonscan.Str) bool {
	for _, end := range [...]string{"error", "Error", "Exception"} {
		if strings.HasSuffix(string(s.Raw), end) {
			return true
		}
	}
	return false
}

// answer reports whether the frame is part of an answer.
func (fd *findings) answer() bool {
	return fd.known || fd.usage != nil || fd.calls != nil || !fd.native.Empty()
}

// fault reports whether the frame reports a fault.
func (fd *findings) fault() bool {
	switch {
	case fd.reported != nil && (!fd.answer() || !emptyReport(fd.reported)), fd.faulty,
		baseFault(fd.base), groqFault(fd.groq):
		return true
	case fd.errors != nil && (fd.failed || !fd.answer()):
		return true
	case fd.answer():
		return false
	default:
		return fd.detail != nil || fd.apigee != nil || fd.said && (fd.coded || fd.failed) ||
			fd.status >= 400 || headerFault(fd.header) || fd.wrapsError()
	}
}

// problem reports whether the frame is a problem document, whose type is an address
// and no name of a frame (RFC 7807).
func (fd *findings) problem(typ []byte) bool {
	return fd.status >= 400 && (fd.said || fd.detail != nil) && bytes.ContainsAny(typ, ":/")
}

// headerFault reports whether the header in which iFlytek wraps its answers says
// that there is none: its code is 0 for success.
func headerFault(header []byte) bool {
	if header == nil {
		return false
	}
	var fd findings
	var c jsonscan.Cursor
	c.Reset(header)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		fd.member(key, &c)
	}
	return fd.coded && fd.said
}

// emptyValue reports whether a value says nothing: {} or "".
func emptyValue(raw []byte) bool {
	var c jsonscan.Cursor
	c.Reset(raw)
	if s, ok := c.Str(); ok {
		return s.Empty()
	}
	if !c.Object() {
		return false
	}
	_, some := c.Key()
	return !some
}

// emptyReport reports whether the value of a member that reports an error says
// nothing, as hosts write that there was none: null, "", 0, [], {}, or an object with
// nothing but such members.
func emptyReport(raw []byte) bool {
	var c jsonscan.Cursor
	c.Reset(raw)
	return emptyReports(&c)
}

// noReport reports whether what a field or an event of the name "error" says is that there
// was none.
func noReport(data []byte) bool {
	data = bytes.TrimSpace(data)
	return whole(data) && data[0] != '{' && emptyReport(data)
}

func emptyReports(c *jsonscan.Cursor) bool {
	switch c.Kind() {
	case '"':
		s, _ := c.Str()
		return s.Empty() || s.Equal("null") || s.Equal("None") || s.Equal("0")
	case '{':
		return emptyMembers(c)
	case '[':
		return arraySpan(c) == nil
	case '0':
		raw, _ := c.Num()
		n, ok := jsonscan.Int(raw)
		return ok && n == 0
	case 't':
		return false
	default:
		c.Skip()
		return true
	}
}

func emptyMembers(c *jsonscan.Cursor) bool {
	empty := true
	c.Object()
	for _, ok := c.Key(); ok; _, ok = c.Key() {
		empty = emptyReports(c) && empty
	}
	return empty
}

// mayTellWhy reports whether a document that is no part of an answer may say why there is
// no more of it: a message that is no event's, or something under the name of an error.
func (fd *findings) mayTellWhy(doc []byte) bool {
	return fd.said && memberOf(doc, "type") == nil && memberOf(doc, "status") == nil && memberOf(doc, "event") == nil ||
		mentionsError(doc, 2)
}

// mentionsError reports whether a member within that depth has the name of an error, and
// says something.
func mentionsError(doc []byte, depth int) bool {
	var c jsonscan.Cursor
	c.Reset(doc)
	if depth == 0 || !c.Object() {
		return false
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		number := c.Kind() == '0'
		value := c.Raw()
		if namesError(key, number) && !emptyReport(value) || mentionsError(value, depth-1) {
			return true
		}
	}
	return false
}

// namesError reports whether a name is that of an error. A number is its code, or a count
// of something.
func namesError(key []byte, number bool) bool {
	ends := [...]string{"error", "errors", "exception", "err", "errmsg", "error_msg", "error_message", "errormessage"}
	codes := [...]string{"errcode", "error_code", "errorcode"}
	for _, end := range ends {
		if !number && hasSuffixFold(key, end) {
			return true
		}
	}
	for _, end := range codes {
		if hasSuffixFold(key, end) {
			return true
		}
	}
	return false
}

func hasSuffixFold(name []byte, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(string(name[len(name)-len(end):]), end)
}

// baseFault reports whether MiniMax's base_resp reports a failure: 0 is success
// (wire/openai-family.md §18).
func baseFault(base []byte) bool {
	if base == nil {
		return false
	}
	raw := memberOf(base, "status_code")
	n, ok := jsonscan.Int(raw)
	return ok && n != 0
}

// groqFault reports whether x_groq.error says why the stream was stopped early
// (wire/openai-family.md §4.c).
func groqFault(groq []byte) bool {
	raw := memberOf(groq, "error")
	return raw != nil && !emptyReport(raw)
}

// memberOf returns the span of an object's member; nil when there is none.
func memberOf(object []byte, name string) []byte {
	if object == nil {
		return nil
	}
	var c jsonscan.Cursor
	c.Reset(object)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) == name {
			return c.Raw()
		}
	}
	return nil
}

// verdict judges a frame that could be decoded: it returns evidence of the fault
// that it reports, or pushes what is left to push.
func (p *chat) verdict(f *frame, d *reader) *endwell.Evidence {
	fd := &p.found
	switch {
	case fd.crowded:
		return d.evidence(endwell.Unparseable, f.data)
	case fd.other:
		return strayValue(p, f, d)
	case fd.fault():
		return d.report(f.data, fd.span())
	case !fd.output.Empty():
		return d.finishFault(endwell.BadOutput, fd.output, f.data)
	case !fd.finish.Empty():
		return d.finishFault(endwell.Reported, fd.finish, f.data)
	}
	if fd.known {
		d.pushUsage(fd.usage, fd.groq)
		return nil
	}
	return p.native(f, d)
}

// span is the value that says most about the fault; nil for the whole frame.
func (fd *findings) span() []byte {
	if fd.reported != nil && !emptyReport(fd.reported) {
		return fd.reported
	}
	if groqFault(fd.groq) {
		return memberOf(fd.groq, "error")
	}
	return nil
}

// firstOf returns the first element of a list if that is an object.
func firstOf(list []byte) []byte {
	var c jsonscan.Cursor
	c.Reset(list)
	c.Array()
	if c.Elem() {
		return objectSpan(&c)
	}
	return nil
}
