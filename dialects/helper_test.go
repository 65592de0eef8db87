package dialects

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// heard is what a stream said and how it ended. Keep-alives of unfinished frames
// are left out, since they depend on how the body is split.
type heard struct {
	chunks []endwell.Chunk // without Raw
	raw    string          // of all chunks
	end    error
}

// hear reads a stream to its end.
func hear(st endwell.Stream) (h heard) {
	var raw bytes.Buffer
	for {
		c, err := st.Recv()
		if err != nil {
			h.raw, h.end = raw.String(), err
			return h
		}
		if c.Kind == endwell.KindKeepAlive && c.Raw == nil {
			continue
		}
		raw.Write(c.Raw)
		c.Raw = nil
		h.chunks = append(h.chunks, c)
	}
}

// content is the chunks without keep-alives: a line end that comes by itself is one,
// so how many there are may depend on how the body is split.
func (h heard) content() (cs []endwell.Chunk) {
	for _, c := range h.chunks {
		if c.Kind != endwell.KindKeepAlive {
			cs = append(cs, c)
		}
	}
	return cs
}

// words renders chunks, a word each, with the state where it changes.
func words(cs []endwell.Chunk) string {
	var b strings.Builder
	state := endwell.Open
	for _, c := range cs {
		b.WriteString(" " + chunkWord(c))
		if c.End != state {
			state = c.End
			b.WriteString("@" + state.String())
		}
	}
	return strings.TrimSpace(b.String())
}

func chunkWord(c endwell.Chunk) string {
	s := c.Kind.String()
	if c.Index != 0 {
		s += fmt.Sprintf("#%d", c.Index)
	}
	switch c.Kind {
	case endwell.KindText:
		s += fmt.Sprintf("(%s)", c.Text)
	case endwell.KindReasoning, endwell.KindRefusal:
		s += fmt.Sprintf("(%s)", c.Detail)
	case endwell.KindFinish:
		s += fmt.Sprintf("(%s %s)", c.Finish, c.Detail)
	case endwell.KindToolCall:
		s += fmt.Sprintf("(%d %s %s %s)", c.ToolCall.Index, c.ToolCall.ID, c.ToolCall.Name, c.ToolCall.Arguments)
	case endwell.KindUsage:
		s += fmt.Sprintf("(%d %d %d r%d c%d)", c.Usage.Input, c.Usage.Output, c.Usage.Total, c.Usage.Reasoning, c.Usage.Cached)
	default:
	}
	return s
}

// ending renders an ending: io.EOF as "eof", evidence by what it says.
func ending(err error) string {
	var ev *endwell.Evidence
	switch {
	case err == io.EOF:
		return "eof"
	case errors.As(err, &ev):
		return fmt.Sprintf("%s status=%d type=%s code=%s message=%s", ev.Kind, ev.Status, ev.Type, ev.Code, ev.Message)
	default:
		return err.Error()
	}
}

// evidenceWith is how ending renders evidence.
func evidenceWith(kind, status, typ, code, message string) string {
	return kind + " status=" + status + " type=" + typ + " code=" + code + " message=" + message
}

func reported(code, message string) string {
	return evidenceWith("reported", "0", "", code, message)
}

const (
	cutEnd         = "cut status=0 type= code= message="
	unparseableEnd = "unparseable status=0 type= code= message="
	splicedEnd     = "spliced status=0 type= code= message="
	notAStreamEnd  = "not_a_stream status=0 type= code= message="
)

// splits reads a body in every way that must make no difference: whole, a byte at a
// time, with the last bytes beside io.EOF, and in two parts at every offset, or at
// 400 of them.
func splits(body string) map[string]func() io.Reader { return splitsAt(body, 400) }

func splitsAt(body string, offsets int) map[string]func() io.Reader {
	ways := map[string]func() io.Reader{
		"whole":         func() io.Reader { return strings.NewReader(body) },
		"bytewise":      func() io.Reader { return iotest.OneByteReader(strings.NewReader(body)) },
		"data with eof": func() io.Reader { return iotest.DataErrReader(strings.NewReader(body)) },
		"bytewise, data with eof": func() io.Reader {
			return iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(body)))
		},
	}
	for i := 1; i < len(body); i += max(1, len(body)/offsets) {
		ways[fmt.Sprintf("split at %d", i)] = func() io.Reader { return inTwo(body, i) }
	}
	return ways
}

// inTwo is a body that comes in two parts.
func inTwo(body string, at int) io.Reader {
	return io.MultiReader(strings.NewReader(body[:at]), strings.NewReader(body[at:]))
}

// requireSaid checks what a body says, keep-alives included, however it is split,
// and that the raw bytes of the chunks are the body up to the fault.
func requireSaid(t *testing.T, d *Dialect, body, want, wantEnd string) {
	t.Helper()
	requireWords(t, d, body, want, wantEnd, func(h heard) []endwell.Chunk { return h.chunks })
}

// requireContent is requireSaid without keep-alives.
func requireContent(t *testing.T, d *Dialect, body, want, wantEnd string) {
	t.Helper()
	requireWords(t, d, body, want, wantEnd, heard.content)
}

func requireWords(t *testing.T, d *Dialect, body, want, wantEnd string, of func(heard) []endwell.Chunk) {
	t.Helper()
	var known []endwell.Chunk
	for way, open := range splits(body) {
		h := hear(d.Stream(open(), Options{}))
		if said := of(h); known == nil || !reflect.DeepEqual(known, said) {
			require.Equal(t, want, words(said), way)
			known = said
		}
		require.Equal(t, wantEnd, ending(h.end), way)
		h.requireRaw(t, body, way)
	}
}

// requireRaw checks that the raw bytes are the body's: all of it after a clean end,
// else those up to the fault.
func (h heard) requireRaw(t *testing.T, body, way string) {
	if h.end == io.EOF {
		require.Equal(t, body, h.raw, way)
	} else {
		require.True(t, strings.HasPrefix(body, h.raw), way)
	}
}

// contentRow is a row of a table: what a body says, without keep-alives, and how it
// ends, "" for eof.
type contentRow struct{ name, body, want, end string }

func runContent(t *testing.T, dialect string, rows []contentRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			end := row.end
			if end == "" {
				end = "eof"
			}
			requireContent(t, MustByName(dialect), row.body, row.want, end)
		})
	}
}

// frames joins payloads as SSE data events.
func frames(payloads ...string) string {
	var b bytes.Buffer
	for _, p := range payloads {
		b.WriteString("data: " + p + "\n\n")
	}
	return b.String()
}

// lines joins documents as NDJSON.
func lines(docs ...string) string { return strings.Join(docs, "\n") + "\n" }

// each writes payloads one by one, as frames, lines, named and the like do.
func each(write func(...string) string, payloads ...string) []string {
	frames := make([]string, len(payloads))
	for i, p := range payloads {
		frames[i] = write(p)
	}
	return frames
}

func bodyOf(s string) io.Reader { return strings.NewReader(s) }

// broken is a body whose connection is reset.
func broken() io.Reader { return iotest.ErrReader(io.ErrUnexpectedEOF) }

// signed is what the first frame that says something is signed with.
func signed(body string, fr framer, signs ...func(*frame) string) string {
	f := new(frame)
	for rest := []byte(body); fr.next(rest, true, f); rest = rest[len(f.raw):] {
		for _, sign := range signs {
			if name := sign(f); name != "" {
				return name
			}
		}
		if len(f.data) > 0 && f.kind != frameJunk {
			return ""
		}
	}
	return ""
}
