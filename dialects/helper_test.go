package dialects

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// said renders what a stream said, a word a chunk, with the state where it changes,
// and how it ended. Keep-alives of unfinished frames are left out, since they depend
// on how the body is split.
func said(st endwell.Stream) (words, raw string, end error) {
	var b strings.Builder
	var bytes strings.Builder
	state := endwell.Open
	for {
		c, err := st.Recv()
		if err != nil {
			return strings.TrimSpace(b.String()), bytes.String(), err
		}
		bytes.Write(c.Raw)
		if c.Kind == endwell.KindKeepAlive && c.Raw == nil {
			continue
		}
		b.WriteString(" " + word1(c))
		if c.End != state {
			state = c.End
			b.WriteString("@" + state.String())
		}
	}
}

func word1(c endwell.Chunk) string {
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

// splits reads a body in every way that must make no difference: whole, a byte at a
// time, with the last bytes beside io.EOF, and in two parts at every offset.
func splits(body string) map[string]func() io.Reader {
	ways := map[string]func() io.Reader{
		"whole":         func() io.Reader { return strings.NewReader(body) },
		"bytewise":      func() io.Reader { return iotest.OneByteReader(strings.NewReader(body)) },
		"data with eof": func() io.Reader { return iotest.DataErrReader(strings.NewReader(body)) },
	}
	step := max(1, len(body)/400)
	for i := 1; i < len(body); i += step {
		ways[fmt.Sprintf("split at %d", i)] = func() io.Reader {
			return io.MultiReader(strings.NewReader(body[:i]), strings.NewReader(body[i:]))
		}
	}
	return ways
}

// requireSaid checks what a body says, however it is split, and that the raw bytes
// of the chunks are the body up to the fault.
func requireSaid(t *testing.T, d *Dialect, body, want, wantEnd string) {
	t.Helper()
	for way, open := range splits(body) {
		got, raw, err := said(d.Stream(open(), Options{}))
		require.Equal(t, want, got, way)
		require.Equal(t, wantEnd, ending(err), way)
		if err == io.EOF {
			require.Equal(t, body, raw, way)
		} else {
			require.True(t, strings.HasPrefix(body, raw), way)
		}
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

func bodyOf(s string) io.Reader { return strings.NewReader(s) }
