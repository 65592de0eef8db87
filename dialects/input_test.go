package dialects

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// sized is a frame of the chat family of so many bytes.
func sized(n int) string {
	const frame = len("data: \n\n")
	return frames(chatText(strings.Repeat("x", n-frame-len(chatText("")))))
}

// inParts is a body that comes in parts, a read each, or more for one that is larger
// than its buffer, and ends then.
func inParts(parts ...string) io.Reader {
	var all []io.Reader
	for _, p := range parts {
		all = append(all, strings.NewReader(p))
	}
	return io.MultiReader(all...)
}

func times(n int, s string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

// What a stream has to read into while it waits, after what it has read.
func TestBufferOfAStreamThatWaits(t *testing.T) {
	small, burst := sized(300), strings.Repeat(sized(300), 200)
	for _, row := range []struct {
		name, dialect string
		parts         []string
		want          int
	}{
		{"small frames", "openai", times(10, small), firstBuffer},
		{"a burst", "openai", []string{burst}, firstBuffer},
		{"bursts", "openai", []string{burst, small, burst, small}, firstBuffer},
		{"one larger frame", "openai", []string{small, sized(900), small}, firstBuffer},
		{"larger frames now and then", "openai", []string{sized(900), burst, sized(900), burst, sized(900), burst, sized(900), burst}, firstBuffer},
		{"larger frames", "openai", times(6, sized(900)), 2 * firstBuffer},
		{"still larger frames", "openai", times(12, sized(1900)), firstBuffer},
		{"frames that need the large one", "openai", times(12, sized(9000)), firstBuffer},
		{"a huge frame", "openai", []string{small, sized(1 << 20), small}, firstBuffer},
		{"a burst that ends in a separator", "gemini", []string{"[" + strings.Repeat(geminiToken+",\r\n", 100)}, firstBuffer},
		{"a burst that ends in a frame", "openai", []string{burst + small[:200]}, readBuffer},
		{"and its end", "openai", []string{burst + small[:200], small[200:]}, firstBuffer},
		{"a frame that is not complete", "openai", []string{sized(900)[:600]}, readBuffer},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := MustByName(row.dialect).Stream(&waitingBody{parts: row.parts}, Options{}).(*reader)
			readOn(t, s)
			require.Len(t, s.buf, row.want)
			require.Equal(t, row.want != len(s.own), s.large)
			require.Equal(t, 1, cap(s.queue))
			if row.want != readBuffer {
				require.Zero(t, len(s.queue[:1][0].Raw), "nothing points into a buffer that was lent")
			}
			require.Nil(t, s.lesson)
		})
	}
}

// The bytes of a chunk are the stream's until the next Recv, whatever others read into
// meanwhile, also when the stream has seen its sentinel.
func TestRawIsNobodyElses(t *testing.T) {
	long := frames(strings.Repeat(" ", 3000) + chatText("b"))
	begin := strings.Repeat(sized(300), 100) + long + strings.Repeat(frames(chatText("a")), 400)
	end := strings.Repeat(sized(300), 100) + frames("[DONE]") + strings.Repeat(": rest\n\n", 300)
	other := strings.Repeat(": "+strings.Repeat("other", 200)+"\n\n", 3*readBuffer/1000)
	others := func() { // side by side, so that they use more buffers than those they gave back last time
		all := make([]endwell.Stream, 4)
		for i := range all {
			all[i] = MustByName("openai").Stream(bodyOf(other), Options{})
			for range 3 {
				_, err := all[i].Recv()
				require.NoError(t, err)
			}
		}
		for _, st := range all {
			readToEnd(t, st)
		}
	}
	whole := func(r io.Reader) io.Reader { return r }
	for _, row := range []struct {
		name, body string
		from       func(io.Reader) io.Reader
	}{
		{"as much as there is room", begin + end, whole},
		{"by halves", begin + end, iotest.HalfReader},
		{"with a frame that no lent buffer holds", begin + sized(3*readBuffer) + end, whole},
		{"with such a frame, by halves", begin + sized(3*readBuffer) + end, iotest.HalfReader},
	} {
		t.Run(row.name, func(t *testing.T) {
			st := MustByName("openai").Stream(row.from(bodyOf(row.body)), Options{})
			rest, ended := row.body, 0
			for n := 0; ; n++ {
				c, err := st.Recv()
				if err != nil {
					require.Equal(t, io.EOF, err)
					break
				}
				if c.End == endwell.Ended {
					ended++
				}
				if n%150 == 0 || ended == 1 || len(c.Raw) == len(rest) {
					others()
				}
				require.True(t, strings.HasPrefix(rest, string(c.Raw)))
				rest = rest[len(c.Raw):]
			}
			require.Empty(t, rest)
		})
	}
}

// Streams that are read side by side share their large buffers, and nothing else.
func TestStreamsSideBySide(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			text := strings.Repeat(string(rune('a'+i)), 100)
			body := strings.Repeat(frames(chatText(text)), 300) + frames("[DONE]")
			for range 5 {
				h := hear(MustByName("openai").Stream(bodyOf(body), Options{}))
				if h.raw != body || len(h.chunks) < 300 || h.chunks[299].Text != text {
					t.Error("another stream's bytes")
				}
			}
		})
	}
	all.Wait()
}

// A body that broke may be written to its buffer still, so nobody else gets that.
func TestBufferOfABrokenBody(t *testing.T) {
	var leaked []byte
	first := true
	st := MustByName("openai").Stream(oddBody(func(p []byte) (int, error) {
		if len(p) > firstBuffer {
			leaked = p
			return 0, errors.New("broken")
		}
		first = false
		return copy(p, strings.Repeat(": x\n", len(p))), nil
	}), Options{})
	for {
		if _, err := st.Recv(); err != nil {
			break
		}
	}
	require.False(t, first)
	require.NotNil(t, leaked)
	body := strings.Repeat(sized(300), 100)
	h := hear(MustByName("openai").Stream(iotest.HalfReader(io.TeeReader(bodyOf(body), tap(func(b []byte) {
		copy(leaked, bytes.Repeat([]byte("!"), len(leaked)))
	}))), Options{}))
	require.Equal(t, body, h.raw)
}

// tap is a Writer.
type tap func([]byte)

func (f tap) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

// A frame above the bound is refused at any size of the buffer.
func TestBufferWithinTheBound(t *testing.T) {
	for _, limit := range []int{1, 10, firstBuffer - 1, firstBuffer, firstBuffer + 1, 3000, readBuffer - 1, readBuffer, readBuffer + 1, 40_000} {
		for _, over := range []int{0, 1, 2, 5000} {
			frame := "data: " + strings.Repeat(" ", max(0, limit+over-8)) + "\n\n"
			if len(frame) > limit && over == 0 {
				continue // the smallest frame there is
			}
			for way, r := range map[string]io.Reader{"whole": bodyOf(frame + frame), "by halves": iotest.HalfReader(bodyOf(frame + frame))} {
				s := MustByName("openai").Stream(r, Options{MaxFrame: limit}).(*reader)
				for {
					_, err := s.Recv()
					require.LessOrEqual(t, len(s.buf), max(limit+1, firstBuffer))
					if err != nil {
						var ev *endwell.Evidence
						require.Equal(t, over > 0, errors.As(err, &ev) && ev.Kind == endwell.TooLarge, "%d+%d %s: %v", limit, over, way, err)
						break
					}
				}
			}
		}
	}
}
