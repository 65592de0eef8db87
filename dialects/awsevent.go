package dialects

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// awsEvents cuts the messages of an AWS event stream (wire/other-families.md §6):
// total length, length of the headers, CRC of these two, headers, payload, CRC of
// everything before it; numbers are big-endian. It trusts a length only after its
// CRC. The parser opens what is cut here, so the CRC of a message is computed once.
//
// Proxies put JSON, pages or SSE in the place of the messages, or a JSON document
// after them. Neither can begin a message, since a message that begins with such a
// byte would be longer than 128 MiB, so they go to the framer for text, and all
// that follows with them.
//
// At the end of the body a message that was begun is a frame with tail set.
type awsEvents struct {
	text   sse
	inText bool
	begun  bool
	total  int64 // length of the message at the front, 0 while it is not known
}

// awsFrame marks a frame whose data is a message of the event stream, before
// awsParser has opened it, and its payload afterwards.
const awsFrame frameKind = 1 << 4

const (
	awsPreludeLen = 12
	awsMinLen     = awsPreludeLen + 4
)

var (
	errAWSCut     = errors.New("dialects: the message ends before its length")
	errAWSPrelude = errors.New("dialects: the prelude of the message does not match its CRC")
	errAWSLength  = errors.New("dialects: the message has an impossible length")
	errAWSSum     = errors.New("dialects: the message does not match its CRC")
	errAWSHeader  = errors.New("dialects: the headers of the message cannot be read")
)

// next implements framer.
func (a *awsEvents) next(b []byte, eof bool, f *frame) bool {
	if len(b) > 0 && a.total == 0 && !a.inText {
		a.inText = a.beginsText(b[0])
		a.begun = true
	}
	if a.inText {
		return a.text.next(b, eof, f)
	}
	return a.cut(b, eof, f)
}

// beginsText reports whether a byte between two messages begins text: any byte of
// ASCII text, or a byte order mark, in place of the first message; a JSON document
// later.
func (a *awsEvents) beginsText(c byte) bool {
	if a.begun {
		return c == '{'
	}
	return c >= '\t' && c < 0x7f || c == 0xef
}

// cut cuts the message at the front. One that cannot be cut takes all there is:
// there is no way to find the next one.
func (a *awsEvents) cut(b []byte, eof bool, f *frame) bool {
	if a.total == 0 && len(b) >= awsPreludeLen {
		total, err := awsPrelude(b)
		if err != nil {
			awsFill(f, b, false)
			return true
		}
		a.total = total
	}
	switch {
	case a.total > 0 && int64(len(b)) >= a.total:
		awsFill(f, b[:a.total], false)
		a.total = 0
		return true
	case eof && len(b) > 0:
		awsFill(f, b, true)
		a.total = 0
		return true
	default:
		return false
	}
}

func awsFill(f *frame, raw []byte, tail bool) {
	f.raw, f.data, f.event, f.kind, f.tail = raw, raw, nil, awsFrame, tail
}

// awsMayBe reports whether b, which is shorter than a prelude, may begin one: its lengths are
// possible, as far as they have come.
func awsMayBe(b []byte) bool {
	if len(b) < 4 {
		return true
	}
	total := int64(binary.BigEndian.Uint32(b))
	return total >= awsMinLen && (len(b) < 8 || int64(binary.BigEndian.Uint32(b[4:])) <= total-awsMinLen)
}

// awsPrelude returns the length of the message that b begins with, once its CRC
// vouches for it.
func awsPrelude(b []byte) (int64, error) {
	total, headers := int64(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint32(b[4:]))
	switch {
	case crc32.ChecksumIEEE(b[:8]) != binary.BigEndian.Uint32(b[8:]):
		return 0, errAWSPrelude
	case total < awsMinLen, headers > total-awsMinLen:
		return 0, errAWSLength
	}
	return total, nil
}
