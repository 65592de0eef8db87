package classify

import (
	"reflect"
	"strconv"

	"github.com/endwell-go/endwell/internal/errtree"
)

// streamError has the shape of HTTP/2's stream error. The one that net/http carries
// is not exported, but its As fills any struct of the same fields.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

// Error is never called: the type only serves as a target.
func (streamError) Error() string { return "http2 stream error" }

// Our own words for what ended an HTTP/2 stream, as Error.Type.
const (
	typeStream = "http2_stream_error"
	typeGoAway = "http2_goaway"
)

// http2Codes are the names of the error codes, RFC 9113 §7.
var http2Codes = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
	"STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
	"CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

// streamTokens names an HTTP/2 stream error or GOAWAY; "" for anything else.
func streamTokens(c errtree.Tree) (typ, code string) {
	if e, ok := errtree.Find[streamError](c); ok {
		return typeStream, http2Code(e.Code)
	}
	for _, err := range c {
		if n, ok := goAway(err); ok {
			return typeGoAway, http2Code(n)
		}
	}
	return "", ""
}

// goAway recognises the unexported error for GOAWAY by its fields: it has no As.
func goAway(err error) (code uint32, ok bool) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || v.NumField() != 3 {
		return 0, false
	}
	n, last, debug := v.FieldByName("ErrCode"), v.FieldByName("LastStreamID"), v.FieldByName("DebugData")
	if n.Kind() != reflect.Uint32 || last.Kind() != reflect.Uint32 || debug.Kind() != reflect.String {
		return 0, false
	}
	return uint32(n.Uint()), true
}

func http2Code(n uint32) string {
	if n < uint32(len(http2Codes)) {
		return http2Codes[n]
	}
	return strconv.Itoa(int(n))
}
