package dialects

import (
	"encoding/binary"
	"hash/crc32"
)

// awsMessage is what a message of an AWS event stream says. Its slices point into
// the message.
type awsMessage struct {
	kind      []byte // :message-type, "event" when there is none
	event     []byte // :event-type
	exception []byte // :exception-type
	code      []byte // :error-code
	text      []byte // :error-message
	payload   []byte
}

// open reads a message: errAWSCut when it is not all there, another error when it
// cannot be read.
func (m *awsMessage) open(raw []byte) error {
	*m = awsMessage{}
	if len(raw) < awsPreludeLen {
		return errAWSCut
	}
	total, err := awsPrelude(raw)
	switch {
	case err != nil:
		return err
	case int64(len(raw)) < total:
		return errAWSCut
	}
	body := total - 4
	if crc32.ChecksumIEEE(raw[:body]) != binary.BigEndian.Uint32(raw[body:]) {
		return errAWSSum
	}
	end := awsPreludeLen + int64(binary.BigEndian.Uint32(raw[4:]))
	m.payload = raw[end:body]
	return m.headers(raw[awsPreludeLen:end])
}

// headers reads the headers: the length of the name in a byte, the name, the type
// of the value in a byte, the value.
func (m *awsMessage) headers(b []byte) error {
	for len(b) > 0 {
		n := 1 + int(b[0])
		if len(b) <= n {
			return errAWSHeader
		}
		name, typ := b[1:n], b[n]
		value, rest, ok := awsValue(typ, b[n+1:])
		if !ok {
			return errAWSHeader
		}
		if typ == awsString || typ == awsBytes {
			m.take(name, value)
		}
		b = rest
	}
	return nil
}

func (m *awsMessage) take(name, value []byte) {
	switch string(name) {
	case ":message-type":
		m.kind = value
	case ":event-type":
		m.event = value
	case ":exception-type":
		m.exception = value
	case ":error-code":
		m.code = value
	case ":error-message":
		m.text = value
	}
}

// The types of header values that have a length of their own.
const (
	awsBytes  = 6
	awsString = 7
)

// awsSizes are the sizes of the other types: true, false, byte, int16, int32,
// int64, then timestamp and UUID.
var awsSizes = [...]int{0, 0, 1, 2, 4, 8, awsBytes: -1, awsString: -1, 8, 16}

// awsValue splits the value of a header from what follows it.
func awsValue(typ byte, b []byte) (value, rest []byte, ok bool) {
	if int(typ) >= len(awsSizes) {
		return nil, nil, false
	}
	n := awsSizes[typ]
	if n < 0 {
		if len(b) < 2 {
			return nil, nil, false
		}
		n, b = int(binary.BigEndian.Uint16(b)), b[2:]
	}
	if len(b) < n {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
