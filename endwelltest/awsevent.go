package endwelltest

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// awsMessage is a message of an AWS event stream with a JSON payload: lengths, headers,
// payload, and checksums of the lengths and of all of it (wire/other-families.md §6).
func awsMessage(kind, nameOf, name, payload string) string {
	var h []byte
	for _, field := range [...][2]string{
		{nameOf, name}, {":content-type", jsonDocument}, {":message-type", kind},
	} {
		h = append(append(h, byte(len(field[0]))), field[0]...)
		h = append(h, 7) // a string
		h = append(binary.BigEndian.AppendUint16(h, uint16(len(field[1]))), field[1]...)
	}
	const fixed = 16 // two lengths and two checksums
	b := binary.BigEndian.AppendUint32(nil, uint32(fixed+len(h)+len(payload)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// awsEvent is an event of that type.
func awsEvent(typ, payload string) string { return awsMessage("event", ":event-type", typ, payload) }

// awsException is a fault after the header: its types begin in lower case there.
func awsException(typ, message string) string {
	if typ != "" {
		typ = strings.ToLower(typ[:1]) + typ[1:]
	}
	return awsMessage("exception", ":exception-type", typ, `{"message":`+quoted(message)+`}`)
}

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
