package tape_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/tape"
)

const (
	head = `{"tape":1}` + "\n"
	eof  = `{"at_ms":0,"end":"eof"}` + "\n"
)

func TestReadRefuses(t *testing.T) {
	rows := []struct {
		fault string
		in    string
		line  int
		says  string
	}{
		{"empty file", "", 1, "no head"},
		{"blank file", "\n \r\n\n", 3, "no head"},
		{"no head", eof, 1, "no head"},
		{"head is null", "null\n", 1, "no head"},
		{"head is a list", "[]\n", 1, "a JSON array where an object belongs"},
		{"head is text", "data: {}\n", 1, "not JSON"},
		{"later version", `{"tape":2}` + "\n" + eof, 1, "unknown version of tape: 2"},
		{"version that is no number", `{"tape":true}`, 1, "a value that is no number"},
		{"version with a fraction", `{"tape":1.5}`, 1, "unknown version"},
		{"negative status", `{"tape":1,"status":-200}`, 1, "status is negative"},
		{"absurd status", `{"tape":1,"status":99999999999}`, 1, "not an HTTP status"},
		{"status zero", `{"tape":1,"status":0}`, 1, "not an HTTP status"},
		{"status with a fraction", `{"tape":1,"status":200.5}`, 1, "status is not a whole number"},
		{"header that is a list", `{"tape":1,"header":{"A":["b"]}}`, 1, "unexpected JSON array"},
		{"no end line", head + `{"at_ms":0,"data":"x"}` + "\n", 2, "no end line"},
		{"cut off in a line", head + `{"at_ms":0,"da`, 2, "not JSON"},
		{"data after the end", head + eof + `{"at_ms":0,"data":"x"}`, 3, "after the end"},
		{"two ends", head + eof + eof, 3, "after the end"},
		{"two heads", head + head + eof, 2, "no at_ms"},
		{"data in the end", head + `{"at_ms":0,"end":"eof","data":"x"}`, 2, "data in the end line"},
		{"unknown end", head + `{"at_ms":0,"end":"bang"}`, 2, `"bang" is not an end`},
		{"end that is a number", head + `{"at_ms":0,"end":3}`, 2, "end: unexpected JSON number"},
		{"end without time", head + `{"end":"eof"}`, 2, "no at_ms"},
		{"data without time", head + `{"data":"x"}`, 2, "no at_ms"},
		{"both data and base64", head + `{"at_ms":0,"data":"x","base64":"eA=="}`, 2, "both data and base64"},
		{"neither data nor base64", head + `{"at_ms":0,"count":2}`, 2, "neither data nor base64 nor end"},
		{"bad base64", head + `{"at_ms":0,"base64":"e!=="}`, 2, "illegal base64"},
		{"base64 without padding", head + `{"at_ms":0,"base64":"eA"}`, 2, "illegal base64"},
		{"data that is a number", head + `{"at_ms":0,"data":7}`, 2, "data: unexpected JSON number"},
		{"two values in a line", head + `{"at_ms":0,"data":"x"}{}`, 2, "not JSON"},
		{"data that is not UTF-8", head + `{"at_ms":0,"data":"` + "\xff" + `"}`, 2, "not UTF-8"},
		{"half a surrogate pair", head + `{"at_ms":0,"data":"\udc80"}`, 2, "surrogate"},
		{"time that is a word", head + `{"at_ms":"soon","data":"x"}`, 2, "a value that is no number"},
		{"negative time", head + `{"at_ms":-1,"data":"x"}`, 2, "at_ms is negative"},
		{"negative time with exponent", head + `{"at_ms":-1e30,"data":"x"}`, 2, "at_ms is negative"},
		{"time with a fraction", head + `{"at_ms":0.5,"data":"x"}`, 2, "at_ms is not a whole number"},
		{"time past the range", head + `{"at_ms":9223372036855,"data":"x"}`, 2, "at_ms is absurdly large"},
		{"absurd time", head + `{"at_ms":1e300,"data":"x"}`, 2, "at_ms is absurdly large"},
		{"more absurd time", head + `{"at_ms":1e999,"data":"x"}`, 2, "at_ms is absurdly large"},
		{"time goes back", head + `{"at_ms":9,"data":"x"}` + "\n" + `{"at_ms":8,"data":"x"}`, 3, "at_ms goes back, from 9 to 8"},
		{"end goes back", head + `{"at_ms":9,"data":"x"}` + "\n" + eof, 3, "at_ms goes back, from 9 to 0"},
		{"count zero", head + `{"at_ms":0,"data":"x","count":0}`, 2, "count is zero"},
		{"negative count", head + `{"at_ms":0,"data":"x","count":-2}`, 2, "count is negative"},
		{"absurd count", head + `{"at_ms":0,"data":"xy","count":9223372036854775807}`, 2, "count is absurdly large"},
		{"times zero", head + `{"at_ms":0,"data":"x","times":0,"every_ms":1}`, 2, "times is zero"},
		{"negative times", head + `{"at_ms":0,"data":"x","times":-1,"every_ms":1}`, 2, "times is negative"},
		{"times without every_ms", head + `{"at_ms":0,"data":"x","times":2}`, 2, "times without every_ms"},
		{"every_ms without times", head + `{"at_ms":0,"data":"x","every_ms":2}`, 2, "every_ms without times"},
		{"negative every_ms", head + `{"at_ms":0,"data":"x","times":2,"every_ms":-1}`, 2, "every_ms is negative"},
		{"absurd every_ms", head + `{"at_ms":0,"data":"x","times":2,"every_ms":1e18}`, 2, "every_ms is absurdly large"},
	}
	for _, row := range rows {
		t.Run(row.fault, func(t *testing.T) {
			got, err := tape.Read(strings.NewReader(row.in))
			require.Nil(t, got)
			wrong, ok := errors.AsType[*tape.LineError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, row.line, wrong.Line, "%v", err)
			require.ErrorContains(t, err, row.says)
		})
	}
}

func TestReadSentinels(t *testing.T) {
	for in, want := range map[string]error{
		"":           tape.ErrNoHead,
		eof:          tape.ErrNoHead,
		`{"tape":3}`: tape.ErrVersion,
		head:         tape.ErrNoEnd,
	} {
		_, err := tape.Read(strings.NewReader(in))
		require.ErrorIs(t, err, want)
	}
}

func TestReadAccepts(t *testing.T) {
	one := tape.Tape{Head: tape.Head{Status: 200}, Arrivals: []tape.Arrival{{Data: []byte("x")}}}
	rows := []struct {
		name string
		in   string
		want tape.Tape
	}{
		{"the least", head + eof, tape.Tape{Head: tape.Head{Status: 200}}},
		{"no newline at the end", head + `{"at_ms":0,"data":"x"}` + "\n" + `{"at_ms":0,"end":"eof"}`, one},
		{"byte order mark", "\ufeff" + head + `{"at_ms":0,"data":"x"}` + "\n" + eof, one},
		{"blank lines and CRLF", "\r\n" + head + "\n\n" + `{"at_ms":0,"data":"x"}` + "\r\n" + eof + "\n \n", one},
		{"unknown keys", `{"tape":1,"by":{"x":[1]}}` + "\n" + `{"at_ms":0,"data":"x","note":null}` + "\n" + `{"at_ms":0,"end":"eof","why":1}`, one},
		{"null is absent", `{"tape":1,"status":null,"header":null}` + "\n" + `{"at_ms":0,"data":"x","base64":null,"count":null,"end":null}` + "\n" + eof, one},
		{"once is once", head + `{"at_ms":0,"data":"x","count":1,"times":1,"every_ms":5}` + "\n" + eof, one},
		{"once without every_ms", head + `{"at_ms":0,"data":"x","times":1}` + "\n" + eof, one},
		{"base64 of text", head + `{"at_ms":0,"base64":"eA=="}` + "\n" + eof, one},
		{"numbers spelt as floats", `{"tape":1.0,"status":2e2}` + "\n" + `{"at_ms":0.0,"data":"x"}` + "\n" + eof, one},
		{"replacement characters of its own", head + `{"at_ms":0,"data":"\ufffd` + "\ufffd" + `\uFFFD"}` + "\n" + eof, tape.Tape{
			Head:     tape.Head{Status: 200},
			Arrivals: []tape.Arrival{{Data: []byte("\ufffd\ufffd\ufffd")}},
		}},
		{"everything", `{"tape":1,"dialect":"d","status":429,"header":{"A":"b"}}
{"at_ms":1000,"base64":"/w==","count":1e9,"times":1e12,"every_ms":1000}
{"at_ms":2000,"end":"cancel"}`, tape.Tape{
			Head: tape.Head{Dialect: "d", Status: 429, Header: tape.Header{"A": "b"}},
			Arrivals: []tape.Arrival{{
				At: time.Second, Data: []byte{0xff}, Count: 1e9, Times: 1e12, Every: time.Second,
			}},
			EndAt: 2 * time.Second,
			End:   tape.EndCancel,
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := tape.Read(iotest.OneByteReader(strings.NewReader(row.in)))
			require.NoError(t, err)
			require.Equal(t, &row.want, got)
			requireRoundTrip(t, got)
		})
	}
}

func TestReadLongLine(t *testing.T) {
	long := strings.Repeat("long ", 1<<20)
	got, err := tape.Read(strings.NewReader(head + `{"at_ms":0,"data":"` + long + `"}` + "\n" + eof))
	require.NoError(t, err)
	require.True(t, string(got.Arrivals[0].Data) == long)
}

func TestReadPassesReadErrorOn(t *testing.T) {
	broken := errors.New("broken")
	_, err := tape.Read(io.MultiReader(strings.NewReader(head), iotest.ErrReader(broken)))
	require.Equal(t, broken, err)
}

func TestWriteRefuses(t *testing.T) {
	x := []byte("x")
	rows := []struct {
		fault string
		tape  tape.Tape
		says  string
	}{
		{"absurd status", tape.Tape{Head: tape.Head{Status: 7}}, "status 7"},
		{"negative time", tape.Tape{Arrivals: []tape.Arrival{{At: -1, Data: x}}}, "arrival 0: at_ms is negative"},
		{"time goes back", tape.Tape{Arrivals: []tape.Arrival{{At: time.Second, Data: x}, {Data: x}}}, "arrival 1: at_ms goes back"},
		{"end goes back", tape.Tape{Arrivals: []tape.Arrival{{At: time.Second, Data: x}}}, "end: at_ms goes back"},
		{"negative count", tape.Tape{Arrivals: []tape.Arrival{{Count: -1, Data: x}}}, "negative count"},
		{"absurd count", tape.Tape{Arrivals: []tape.Arrival{{Count: math.MaxInt64, Data: []byte("xy")}}}, "absurdly"},
		{"end that is none", tape.Tape{End: 9}, "End(9) is not an end"},
	}
	for _, row := range rows {
		t.Run(row.fault, func(t *testing.T) {
			var out bytes.Buffer
			n, err := row.tape.WriteTo(&out)
			require.ErrorContains(t, err, row.says)
			require.Zero(t, n)
			require.Zero(t, out.Len())
		})
	}
}

func TestWriteReportsWriterError(t *testing.T) {
	r, w := io.Pipe()
	broken := errors.New("broken")
	require.NoError(t, r.CloseWithError(broken))
	n, err := new(tape.Tape).WriteTo(w)
	require.ErrorIs(t, err, broken)
	require.Zero(t, n)
}

func TestWriteKeepsBytes(t *testing.T) {
	for _, data := range []string{"", "plain", "a<b>&c\u2028\x00\r\n\"\\", "n\xc3", "\xff\xfe", "\ufffd"} {
		requireRoundTrip(t, &tape.Tape{
			Head:     tape.Head{Status: 200},
			Arrivals: []tape.Arrival{{Data: []byte(data)}},
		})
	}
}

func requireRoundTrip(t *testing.T, want *tape.Tape) {
	t.Helper()
	var out bytes.Buffer
	n, err := want.WriteTo(&out)
	require.NoError(t, err)
	require.EqualValues(t, out.Len(), n)
	got, err := tape.Read(&out)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// sharedCases is the folder of public cases, which is not part of the project.
const sharedCases = "../../shared/cases"

func sharedTapes(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(sharedCases, "*.tape"))
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("no shared cases beside this checkout")
	}
	return names
}

func readFile(t testing.TB, name string) *tape.Tape {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	got, err := tape.Read(file)
	require.NoError(t, err, name)
	return got
}

func TestSharedCasesRoundTrip(t *testing.T) {
	for _, name := range sharedTapes(t) {
		requireRoundTrip(t, readFile(t, name))
	}
}

func TestHeader(t *testing.T) {
	h := tape.Header{"content-TYPE": "a", "x": "upper loses", "X": "spelt so", "Y": "first", "y": "second"}
	require.Equal(t, "a", h.Value("Content-Type"))
	require.Equal(t, "upper loses", h.Value("x"))
	require.Equal(t, "first", h.Value("Y"))
	require.Empty(t, h.Value("Retry-After"))
	require.Empty(t, tape.Header(nil).Value("x"))
	require.Equal(t, "a", h.HTTP().Get("Content-Type"))
	require.Equal(t, "spelt so", h.HTTP().Get("x"))
	require.NotNil(t, tape.Header(nil).HTTP())
}

func TestEnd(t *testing.T) {
	for e := tape.EndEOF; e <= tape.EndCancel; e++ {
		text, err := e.MarshalText()
		require.NoError(t, err)
		require.Equal(t, e.String(), string(text))
		var back tape.End
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, e, back)
	}
	require.Equal(t, "End(5)", (tape.EndCancel + 1).String(), "an end that this test does not know")
	_, err := json.Marshal(tape.End(200))
	require.Error(t, err)
	require.Error(t, new(tape.End).UnmarshalText(nil))
}
