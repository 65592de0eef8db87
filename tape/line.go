package tape

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// number is a JSON number as it is written. encoding/json words its refusals of a
// json.Number differently from one Go release to the next.
type number string

// UnmarshalJSON accepts a number and nothing else.
func (n *number) UnmarshalJSON(raw []byte) error {
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return errNoNumber
	}
	*n = number(raw)
	return nil
}

var errNoNumber = errors.New("a value that is no number where one belongs")

// headLine is the first line of a tape as it is read.
type headLine struct {
	Tape    *number `json:"tape"`
	Dialect string  `json:"dialect"`
	Status  *number `json:"status"`
	Header  Header  `json:"header"`
}

// bodyLine is every other line as it is read. Nil is a key that is absent.
type bodyLine struct {
	At     *number `json:"at_ms"`
	Data   *string `json:"data"`
	Base64 *string `json:"base64"`
	Count  *number `json:"count"`
	Times  *number `json:"times"`
	Every  *number `json:"every_ms"`
	End    *End    `json:"end"`
}

// decode parses one line. Text that is not UTF-8 is refused, since
// encoding/json would replace what it cannot keep.
func decode(line []byte, into any) error {
	if !utf8.Valid(line) {
		return errors.New("not UTF-8; such bytes go into base64")
	}
	err := json.Unmarshal(line, into)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if kind.Field == "" {
			return fmt.Errorf("a JSON %s where an object belongs", kind.Value)
		}
		return fmt.Errorf("%s: unexpected JSON %s", kind.Field, kind.Value)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("not JSON: %w", syntax)
	}
	return err
}

func (h headLine) head() (Head, error) {
	if h.Tape == nil {
		return Head{}, ErrNoHead
	}
	if v, err := whole("tape", h.Tape); err != nil || v != Version {
		return Head{}, fmt.Errorf("%w: %s", ErrVersion, *h.Tape)
	}
	out := Head{Dialect: h.Dialect, Status: 200}
	if len(h.Header) > 0 {
		out.Header = h.Header
	}
	if h.Status != nil {
		status, err := whole("status", h.Status)
		if err != nil {
			return Head{}, err
		}
		out.Status = int(min(status, math.MaxInt32))
	}
	return out, out.check()
}

func (b bodyLine) arrival(line []byte) (a Arrival, err error) {
	if a.At, err = millis("at_ms", b.At); err != nil {
		return a, err
	}
	if a.Data, err = b.bytes(line); err != nil {
		return a, err
	}
	if a.Count, err = often("count", b.Count); err != nil {
		return a, err
	}
	if a.Times, err = often("times", b.Times); err != nil {
		return a, err
	}
	switch {
	case b.Every == nil && a.Times > 0:
		return a, errors.New("times without every_ms")
	case b.Every != nil && b.Times == nil:
		return a, errors.New("every_ms without times")
	case b.Every != nil:
		a.Every, err = millis("every_ms", b.Every)
	}
	if a.Times == 0 {
		a.Every = 0
	}
	return a, err
}

func (b bodyLine) bytes(line []byte) ([]byte, error) {
	switch {
	case b.Data != nil && b.Base64 != nil:
		return nil, errors.New("both data and base64")
	case b.Data != nil:
		if lossy(line, *b.Data) {
			return nil, errors.New("half a surrogate pair in data; such bytes go into base64")
		}
		return []byte(*b.Data), nil
	case b.Base64 != nil:
		return base64.StdEncoding.Strict().DecodeString(*b.Base64)
	}
	return nil, errors.New("neither data nor base64 nor end")
}

// lossy reports that decoding put a replacement character where the line has
// none: what encoding/json does with half a surrogate pair.
func lossy(line []byte, text string) bool {
	const replacement = "\ufffd"
	n := strings.Count(text, replacement)
	return n > 0 && n > bytes.Count(line, []byte(replacement))+
		bytes.Count(bytes.ToLower(line), []byte(`\ufffd`))
}

// whole is the value of a number that has to be whole and not negative, however
// it is spelt: 1e3 and 1000.0 are.
func whole(key string, n *number) (int64, error) {
	v, err := strconv.ParseInt(string(*n), 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(string(*n), 64)
		if ferr != nil || f >= math.MaxInt64 {
			return 0, fmt.Errorf("%s is absurdly large or small", key)
		}
		if f != math.Trunc(f) {
			return 0, fmt.Errorf("%s is not a whole number", key)
		}
		v = int64(max(f, math.MinInt64))
	}
	if v < 0 {
		return 0, fmt.Errorf("%s is negative", key)
	}
	return v, nil
}

// millis is a number of milliseconds, which a time.Duration must be able to
// hold.
func millis(key string, n *number) (time.Duration, error) {
	if n == nil {
		return 0, fmt.Errorf("no %s", key)
	}
	v, err := whole(key, n)
	if err == nil && v > math.MaxInt64/int64(time.Millisecond) {
		err = fmt.Errorf("%s is absurdly large", key)
	}
	return time.Duration(v) * time.Millisecond, err
}

// often is how often something is repeated: absent and 1 are the zero value.
func often(key string, n *number) (int64, error) {
	if n == nil {
		return 0, nil
	}
	v, err := whole(key, n)
	switch {
	case err != nil:
		return 0, err
	case v == 0:
		return 0, fmt.Errorf("%s is zero", key)
	case v == 1:
		return 0, nil
	}
	return v, nil
}
