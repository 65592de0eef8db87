package dialects

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// awsHeader is a header of a message: a name and its value with its type.
type awsHeader struct {
	name  string
	value []byte
}

// awsText is a header whose value is a string.
func awsText(name, value string) awsHeader {
	v := binary.BigEndian.AppendUint16([]byte{awsString}, uint16(len(value)))
	return awsHeader{name, append(v, value...)}
}

// awsEncode writes a message of an AWS event stream.
func awsEncode(payload string, headers ...awsHeader) string {
	var h []byte
	for _, x := range headers {
		h = append(append(h, byte(len(x.name))), x.name...)
		h = append(h, x.value...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(awsMinLen+len(h)+len(payload)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// AWSEvent writes an event.
func AWSEvent(name, payload string) string {
	return awsEncode(payload, awsText(":event-type", name),
		awsText(":content-type", "application/json"), awsText(":message-type", "event"))
}

// AWSException writes an exception.
func AWSException(name, payload string) string {
	return awsEncode(payload, awsText(":exception-type", name),
		awsText(":content-type", "application/json"), awsText(":message-type", "exception"))
}

// AWSChunk writes an event of InvokeModelWithResponseStream.
func AWSChunk(doc string) string {
	return AWSEvent("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(doc))+`","p":"abcdef"}`)
}

// AWSRepair makes the CRCs of what may be messages right, so that a fuzzer gets
// past them.
func AWSRepair(body string) string {
	b := []byte(body)
	for rest := b; len(rest) >= awsMinLen; {
		total := int64(binary.BigEndian.Uint32(rest))
		binary.BigEndian.PutUint32(rest[8:], crc32.ChecksumIEEE(rest[:8]))
		if total < awsMinLen || total > int64(len(rest)) {
			break
		}
		binary.BigEndian.PutUint32(rest[total-4:], crc32.ChecksumIEEE(rest[:total-4]))
		rest = rest[total:]
	}
	return string(b)
}

// BedrockDialect returns a dialect of Bedrock by its name.
func BedrockDialect(name string) *Dialect {
	for _, d := range bedrockDialects() {
		if d.name == name {
			return d
		}
	}
	panic("no dialect " + name)
}

// SignBedrock tells what the first frame with a payload is signed with, and that of
// the whole body if no frame is signed earlier.
func SignBedrock(body []byte) string {
	fr, f := new(awsEvents), new(frame)
	for rest := body; fr.next(rest, true, f); rest = rest[len(f.raw):] {
		if f.kind == frameEmpty || f.kind == frameJunk {
			continue
		}
		if name := signBedrock(f); name != "" {
			return name
		}
	}
	return ""
}

func awsJoin(parts ...string) string { return strings.Join(parts, "") }
