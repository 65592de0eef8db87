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

// awsSend writes an event.
func awsSend(name, payload string) string {
	return awsEncode(payload, awsText(":event-type", name),
		awsText(":content-type", "application/json"), awsText(":message-type", "event"))
}

// awsThrow writes an exception.
func awsThrow(name, payload string) string {
	return awsEncode(payload, awsText(":exception-type", name),
		awsText(":content-type", "application/json"), awsText(":message-type", "exception"))
}

// awsChunk writes an event of InvokeModelWithResponseStream.
func awsChunk(doc string) string {
	return awsSend("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(doc))+`","p":"abcdef"}`)
}

// awsRepair makes the CRCs of what may be messages right, so that a fuzzer gets
// past them.
func awsRepair(body string) string {
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

func awsJoin(parts ...string) string { return strings.Join(parts, "") }
