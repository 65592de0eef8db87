package dialects

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

var (
	awsStart = awsSend("messageStart", `{"role":"assistant","p":"ab"}`)
	awsHello = awsSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"hello"},"p":"a"}`)
	awsStop  = awsSend("messageStop", `{"stopReason":"end_turn","p":"abc"}`)
	awsMeta  = awsSend("metadata", `{"usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7},"metrics":{"latencyMs":5}}`)
)

func awsEvidence(t *testing.T, body io.Reader, opt Options) *endwell.Evidence {
	t.Helper()
	err := hear(MustByName("bedrock-converse").Stream(body, opt)).end
	var ev *endwell.Evidence
	require.True(t, errors.As(err, &ev), "%v", err)
	return ev
}

func TestAWSEventsCutAtEveryByteIsACut(t *testing.T) {
	body := awsJoin(awsStart, awsHello)
	for i := range len(body) {
		if i == 0 || i == len(awsStart) {
			continue
		}
		ev := awsEvidence(t, strings.NewReader(body[:i]), Options{})
		require.Equal(t, endwell.Cut, ev.Kind, "cut at %d", i)
		frame := 1
		if i > len(awsStart) {
			frame = 2
		}
		require.Equal(t, frame, ev.Frame, "cut at %d", i)
	}
}

func TestAWSEventsResetAtEveryByteIsTheTransports(t *testing.T) {
	body := awsJoin(awsStart, awsHello)
	for i := range len(body) {
		err := hear(MustByName("bedrock-converse").Stream(
			io.MultiReader(strings.NewReader(body[:i]), broken()), Options{})).end
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "reset at %d", i)
		require.False(t, errors.As(err, new(*endwell.Evidence)), "reset at %d", i)
	}
}

func TestAWSEventsBadMessages(t *testing.T) {
	edit := func(s string, at int, to ...byte) string { return s[:at] + string(to) + s[at+len(to):] }
	prelude := func(total, headers uint32) string {
		b := binary.BigEndian.AppendUint32(nil, total)
		b = binary.BigEndian.AppendUint32(b, headers)
		return awsRepair(string(append(b, make([]byte, 8)...)))
	}
	for name, tt := range map[string]struct {
		body  string
		cause error
	}{
		"prelude CRC":              {edit(awsHello, 9, awsHello[9]^1), errAWSPrelude},
		"length without its CRC":   {edit(awsHello, 3, awsHello[3]^1), errAWSPrelude},
		"message CRC":              {edit(awsHello, len(awsHello)-1, awsHello[len(awsHello)-1]^1), errAWSSum},
		"payload byte":             {edit(awsHello, len(awsHello)-10, awsHello[len(awsHello)-10]^1), errAWSSum},
		"header byte":              {edit(awsHello, 14, awsHello[14]^1), errAWSSum},
		"length below the minimum": {prelude(15, 0), errAWSLength},
		"headers beyond the end":   {prelude(40, 25), errAWSLength},
		"header of unknown type":   {awsEncode("{}", awsHeader{"x", []byte{10}}), errAWSHeader},
		"header value cut":         {awsEncode("", awsHeader{"x", []byte{awsString, 0, 9, 'a'}}), errAWSHeader},
		"header length cut":        {awsEncode("", awsHeader{"x", []byte{awsBytes, 0}}), errAWSHeader},
		"header name cut":          {awsEncode("", awsHeader{"xy", nil}), errAWSHeader},
		"no message at all":        {"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4", errAWSPrelude},
	} {
		t.Run(name, func(t *testing.T) {
			for way, open := range splits(awsJoin(awsStart, tt.body, awsStop)) {
				if name == "no message at all" {
					open = func() io.Reader { return strings.NewReader(tt.body) }
				}
				ev := awsEvidence(t, open(), Options{})
				require.Equal(t, endwell.Unparseable, ev.Kind, way)
				require.Equal(t, tt.cause, ev.Cause, way)
				require.True(t, ev.InBand)
			}
		})
	}
}

func TestAWSEventsBadPreludeIsJudgedAtOnce(t *testing.T) {
	pr, pw := io.Pipe()
	defer pr.Close()
	go func() { _, _ = pw.Write([]byte("\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00")) }()
	ev := awsEvidence(t, pr, Options{})
	require.Equal(t, endwell.Unparseable, ev.Kind)
}

func TestAWSEventsMessageAboveTheCap(t *testing.T) {
	big := awsSend("contentBlockDelta", `{"delta":{"text":"`+strings.Repeat("a", 100_000)+`"}}`)
	ev := awsEvidence(t, strings.NewReader(awsStart+big+awsStop), Options{MaxFrame: len(big) - 1})
	require.Equal(t, endwell.TooLarge, ev.Kind)
	require.Equal(t, 2, ev.Frame)

	err := hear(MustByName("bedrock-converse").Stream(
		strings.NewReader(awsStart+big+awsStop), Options{MaxFrame: len(big)})).end
	require.Equal(t, io.EOF, err)
}

func TestAWSEventsHeadersOfEveryType(t *testing.T) {
	body := awsEncode(`{"contentBlockIndex":0,"delta":{"text":"x"}}`,
		awsHeader{"true", []byte{0}}, awsHeader{"false", []byte{1}}, awsHeader{"byte", []byte{2, 7}},
		awsHeader{"int16", []byte{3, 0, 7}}, awsHeader{"int32", []byte{4, 0, 0, 0, 7}},
		awsHeader{"int64", append([]byte{5}, make([]byte, 8)...)},
		awsHeader{"bytes", []byte{awsBytes, 0, 2, 1, 2}},
		awsText(":event-type", "contentBlockDelta"),
		awsHeader{"time", append([]byte{8}, make([]byte, 8)...)},
		awsHeader{"uuid", append([]byte{9}, make([]byte, 16)...)},
		awsHeader{"", []byte{0}}, awsText(":message-type", "event"))
	requireSaid(t, MustByName("bedrock-converse"), body, "text(x)", "eof")
}

func TestAWSEventsMessagesThatSayNothing(t *testing.T) {
	for name, body := range map[string]string{
		"no headers, no payload":      awsEncode(""),
		"no payload":                  awsSend("contentBlockDelta", ""),
		"unknown event":               awsSend("initial-response", "not JSON"),
		"unknown event with an error": awsSend("report", `{"message":"all is well","error":null}`),
		"unknown message type":        awsEncode(`{"message":"x"}`, awsText(":message-type", "heartbeat")),
		"unknown member":              awsEncode(`{"future":{}}`),
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range bedrockDialects() {
				requireSaid(t, d, body, "meta", "eof")
			}
		})
	}
}

func TestAWSEventsFaults(t *testing.T) {
	errorMessage := func(code, text string) string {
		return awsEncode("", awsText(":message-type", "error"), awsText(":error-code", code), awsText(":error-message", text))
	}
	for name, tt := range map[string]struct{ body, want string }{
		"throttled":           {awsThrow("throttlingException", `{"message":"slow down","p":"a"}`), "reported status=429 type=throttlingException code= message=slow down"},
		"model error":         {awsThrow("modelStreamErrorException", `{"originalStatusCode":500,"originalMessage":"o","message":"m"}`), "reported status=424 type=modelStreamErrorException code= message=m"},
		"server":              {awsThrow("internalServerException", `{"message":"m"}`), "reported status=500 type=internalServerException code= message=m"},
		"unavailable":         {awsThrow("serviceUnavailableException", `{"Message":"m"}`), "reported status=503 type=serviceUnavailableException code= message=m"},
		"bad request":         {awsThrow("validationException", `{"message":"m"}`), "reported status=400 type=validationException code= message=m"},
		"model timeout":       {awsThrow("modelTimeoutException", `{"message":"m"}`), "reported status=408 type=modelTimeoutException code= message=m"},
		"unknown exception":   {awsThrow("newException", `{"message":"m"}`), "reported status=0 type=newException code= message=m"},
		"without payload":     {awsThrow("throttlingException", ""), "reported status=429 type=throttlingException code= message="},
		"payload is no JSON":  {awsThrow("throttlingException", "slow"), "reported status=429 type=throttlingException code= message=slow"},
		"sent as an event":    {awsSend("throttlingException", `{"message":"m"}`), "reported status=429 type=throttlingException code= message=m"},
		"without a type":      {awsThrow("", ""), "reported status=0 type= code= message="},
		"unmodelled":          {errorMessage("InternalFailure", "oops"), "reported status=0 type= code=InternalFailure message=oops"},
		"unmodelled, known":   {errorMessage("ThrottlingException", "oops"), "reported status=429 type= code=ThrottlingException message=oops"},
		"unmodelled, no code": {errorMessage("", ""), "reported status=0 type= code= message="},
	} {
		t.Run(name, func(t *testing.T) {
			requireSaid(t, MustByName("bedrock-converse"), awsJoin(awsStart, awsHello, tt.body), "meta text(hello)", tt.want)
			requireSaid(t, MustByName("bedrock-converse"), tt.body, "", tt.want)
			requireSaid(t, MustByName("bedrock-invoke"), tt.body, "", tt.want)
			requireSaid(t, MustByName("bedrock-converse"), awsJoin(awsHello, awsStop, tt.body),
				"text(hello) finish(stop end_turn)@settled", tt.want)
		})
	}
}

func TestAWSEventsTextInPlaceOfMessages(t *testing.T) {
	for name, tt := range map[string]struct{ body, want, end string }{
		"error document":      {`{"message":"no such model","__type":"ResourceNotFoundException"}`, "", "reported status=0 type=ResourceNotFoundException code= message=no such model"},
		"list":                {`[{"message":"no"}]`, "", "reported status=0 type= code= message=no"},
		"number":              {`data: 12` + "\n\n", "", "unparseable status=0 type= code= message="},
		"message only":        {`{"message":"no"}` + "\n", "", "reported status=0 type= code= message=no"},
		"capital message":     {`{"Message":"no"}`, "", "reported status=0 type= code= message=no"},
		"gateway's envelope":  {`{"error":{"message":"no","code":429}}`, "", "reported status=429 type= code=429 message=no"},
		"printed":             {"{\n  \"error\": {\n    \"message\": \"no\"\n  }\n}\n", "", "reported status=0 type= code= message=no"},
		"SSE error":           {"event: error\ndata: {\"message\":\"no\"}\n\n", "", "reported status=0 type= code= message=no"},
		"SSE exception":       {"data: {\"throttlingException\":{\"message\":\"no\"}}\n\n", "", "reported status=429 type=throttlingException code= message=no"},
		"document cut":        {`{"message":"n`, "", "cut status=0 type= code= message="},
		"other text":          {"upstream failed", "keep_alive", "not_a_stream status=0 type= code= message="},
		"page":                {"<html><body>502</body></html>", "", "not_a_stream status=0 type= code= message="},
		"after messages":      {awsJoin(awsStart, awsHello, `{"message":"gone"}`), "meta text(hello)", "reported status=0 type= code= message=gone"},
		"after a blank line":  {"\n" + `{"message":"no"}`, "keep_alive", "reported status=0 type= code= message=no"},
		"byte order mark":     {"\xef\xbb\xbf" + `{"message":"no"}`, "", "reported status=0 type= code= message=no"},
		"null is no document": {"null", "keep_alive", "not_a_stream status=0 type= code= message="},
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range bedrockDialects() {
				if d.name == "bedrock-invoke" && (name == "after messages" || name == "SSE exception") {
					continue
				}
				requireSaid(t, d, tt.body, tt.want, tt.end)
			}
		})
	}
}
