package dialects

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

const chatFrame = `{"choices":[{"index":0,"delta":{"content":"a"}}]}`

func TestDetect(t *testing.T) {
	for _, row := range []struct {
		name, contentType, host, first string
		want                           string // "" for not told
	}{
		{"nothing", "", "", "", ""},
		{"comments", "text/event-stream", "", ": ping\n\n: ping\n\n", ""},
		{"blank lines", "", "", "\r\n\r\n", ""},
		{"half a frame", "", "", "data: " + chatFrame, ""},
		{"half a frame of a known host", "", "api.groq.com", "data: " + chatFrame, ""},
		{"a frame", "", "", frames(chatFrame), "compatible"},
		{"a frame behind comments", "", "", ": ping\n\n" + frames(chatFrame), "compatible"},
		{"a frame of a known host", "", "api.groq.com", frames(chatFrame), "groq"},
		{"a host in capitals", "", "API.Groq.com", frames(chatFrame), "groq"},
		{"a host below a known one", "", "mine.openai.azure.com", frames(chatFrame), "azure"},
		{"a host that only ends like a known one", "", "evil-api.groq.com", frames(chatFrame), "compatible"},
		{"a host that only begins like a known one", "", "api.groq.com.example.com", frames(chatFrame), "compatible"},
		{"a system that gives itself away", "", "", ": OPENROUTER PROCESSING\n\n" + frames(chatFrame), "openrouter"},
		{"a system behind another one's host", "", "api.groq.com", ": OPENROUTER PROCESSING\n\n" + frames(chatFrame), "openrouter"},
		{"a payload that only quotes a mark", "", "", frames(`{"choices":[{"delta":{"content":"\"x_groq\""}}]}`), "compatible"},
		{"a mark behind the first payload", "", "", frames(chatFrame, `{"x_groq":{}}`), "compatible"},
		{"a family that the host does not speak", "", "api.groq.com", "event: message_start\n" + frames(`{"type":"message_start","message":{"role":"assistant"}}`), "anthropic"},
		{"a document that is not streamed", "application/json", "", `{"choices":[{"message":{"content":"a"}}]}` + "\n", "compatible"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d, ok := Detect(row.contentType, row.host, []byte(row.first))
			require.Equal(t, row.want != "", ok)
			if ok {
				require.Equal(t, row.want, d.Name())
			}
		})
	}
}

// Every name that detection may give is a dialect.
func TestDetectNamesDialects(t *testing.T) {
	for _, h := range hosts {
		require.Contains(t, byName, h.name)
		require.Equal(t, h.name, nameOfHost(strings.TrimPrefix(h.host, ".")))
		require.Equal(t, strings.ToLower(h.host), h.host)
	}
	for _, m := range marks {
		require.Contains(t, byName, m.name)
	}
}

// A longer beginning never takes back what a shorter one told.
func TestDetectStaysWithItsAnswer(t *testing.T) {
	for _, body := range []string{
		": OPENROUTER PROCESSING\n\n" + frames(chatFrame, `{"x_groq":{}}`),
		frames(chatFrame, `{"type":"message_start"}`),
		frames(`{"choices":[],"prompt_filter_results":[],"x_groq":{}}`, chatFrame),
		frames(`{"type":"message_start","message":{}}`, chatFrame),
	} {
		told := ""
		for i := range len(body) + 1 {
			d, ok := Detect("", "", []byte(body[:i]))
			if told != "" {
				require.True(t, ok, "%q", body[:i])
				require.Equal(t, told, d.Name(), "%q", body[:i])
			}
			if ok {
				told = d.Name()
			}
		}
		require.NotEmpty(t, told, body)
	}
}

// A detected stream says what the dialect's own says, however the body is split.
func TestDetectingIsTheDialectItself(t *testing.T) {
	for _, row := range []struct{ name, dialect, body string }{
		{"whole", "compatible", frames(chatFrame, chatFrame) + "data: [DONE]\n\n"},
		{"keep-alives first", "compatible", ": ping\n\n: ping\n\n" + frames(chatFrame)},
		{"cut", "compatible", frames(chatFrame)[:30]},
		{"a last frame without its blank line", "compatible", "data: " + chatFrame},
		{"an error frame", "compatible", frames(`{"error":{"code":"c","message":"m"}}`)},
		{"a page", "compatible", "<html>\n\n</html>"},
		{"empty", "compatible", ""},
		{"nothing but comments", "compatible", ": ping\n\n"},
		{"another family", "anthropic", "event: message_start\n" + frames(`{"type":"message_start","message":{"role":"assistant"}}`) +
			"event: content_block_delta\n" + frames(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`)},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := hear(MustByName(row.dialect).Stream(bodyOf(row.body), Options{}))
			for way, open := range splits(row.body) {
				got := hear(Detecting(open(), "", "", Options{}))
				require.Equal(t, want.chunks, got.chunks, way)
				require.Equal(t, want.raw, got.raw, way)
				require.Equal(t, ending(want.end), ending(got.end), way)
			}
		})
	}
}

func TestDetectingOfABodyThatNeverTells(t *testing.T) {
	body := strings.Repeat(": ping\n\n", 40<<10) + frames(chatFrame)
	h := hear(Detecting(bodyOf(body), "", "", Options{}))
	require.Equal(t, io.EOF, h.end)
	require.Equal(t, body, h.raw)
	require.Equal(t, "text(a)", words(h.content()))
}

// oddBody is a body whose Read breaks the contract, or only just keeps it.
type oddBody func(p []byte) (int, error)

func (f oddBody) Read(p []byte) (int, error) { return f(p) }

func TestDetectingOfABodyThatMisbehaves(t *testing.T) {
	broken := errors.New("broken")
	for _, row := range []struct {
		name string
		body io.Reader
		want error
	}{
		{"reads nothing for ever", oddBody(func([]byte) (int, error) { return 0, nil }), io.ErrNoProgress},
		{"reads more than there is room for", oddBody(func(p []byte) (int, error) { return len(p) + 1, nil }), errBadRead},
		{"reads less than nothing", oddBody(func([]byte) (int, error) { return -1, nil }), errBadRead},
		{"breaks at once", iotest.ErrReader(broken), broken},
		{"breaks in the first frame", io.MultiReader(strings.NewReader("data: {"), iotest.ErrReader(broken)), broken},
	} {
		t.Run(row.name, func(t *testing.T) {
			st := Detecting(row.body, "", "", Options{})
			h := hear(st)
			require.Empty(t, h.chunks)
			require.ErrorIs(t, h.end, row.want)
			require.False(t, errors.As(h.end, new(*endwell.Evidence)))
			_, again := st.Recv()
			require.Equal(t, h.end, again)
			require.NoError(t, st.Close(), "the body is no io.Closer")
		})
	}
}

// drained is a body that notes what is asked of it.
type drained struct {
	io.Reader
	log []string
}

func (d *drained) Drain() { d.log = append(d.log, "drain") }

func (d *drained) Close() error {
	d.log = append(d.log, "close")
	return nil
}

func TestDetectingClosesItsBodyAsTheDialectDoes(t *testing.T) {
	for _, row := range []struct {
		name  string
		recvs int
		want  []string
	}{
		{"before the first read", 0, []string{"close"}},
		{"while it is not known", 1, []string{"close"}},
		{"mid-answer", 3, []string{"close"}},
		{"after the sentinel", 8, []string{"drain", "close"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			parts := io.MultiReader(bodyOf(": ping\n\n"), bodyOf(frames(chatFrame)), bodyOf(frames(chatFrame)+"data: [DONE]\n\n"))
			body := &drained{Reader: parts}
			st := Detecting(body, "", "", Options{})
			for range row.recvs {
				_, _ = st.Recv()
			}
			require.NoError(t, st.Close())
			require.NoError(t, st.Close())
			require.Equal(t, row.want, body.log)
		})
	}
}

// What has come is surfaced at once, so that a guard sees the life in it.
func TestDetectingSurfacesKeepAlives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		st := Detecting(r, "", "", Options{})
		for _, row := range []struct{ part, raw string }{{": ping\n\n", ": ping\n\n"}, {": ping", ""}, {"\n\ndata: {", ": ping\n\n"}} {
			go func() { _, _ = io.WriteString(w, row.part) }()
			c, err := st.Recv()
			require.NoError(t, err)
			require.Equal(t, endwell.KindKeepAlive, c.Kind)
			require.Equal(t, row.raw, string(c.Raw))
		}
		got := make(chan error)
		go func() {
			_, err := st.Recv()
			got <- err
		}()
		synctest.Wait()
		require.NoError(t, st.Close())
		require.True(t, <-got == endwell.ErrClosed, "Close unblocks Recv")
		_, err := st.Recv()
		require.True(t, err == endwell.ErrClosed)
	})
}

// A message of AWS that is cut is one, whatever sent it.
func TestDetectingHalfAMessage(t *testing.T) {
	message := awsSend("messageStart", `{"role":"assistant"}`)
	for at := 1; at < len(message); at++ {
		for _, guess := range []*Dialect{nil, MustByName("compatible"), MustByName("bedrock-converse")} {
			h := hear(Detecting(bodyOf(message[:at]), "application/vnd.amazon.eventstream", "", Options{Guess: guess}))
			var ev *endwell.Evidence
			require.ErrorAs(t, h.end, &ev, "%d", at)
			require.Equal(t, endwell.Cut, ev.Kind, "%d", at)
			require.Equal(t, "bedrock-converse", ev.Dialect)
		}
	}
}

// Text before the answer, as a gateway's log is, hides no documents on lines.
func TestDetectingBehindALineOfText(t *testing.T) {
	for _, front := range []string{"oops\n", "[INFO] x\n", "one\ntwo\n"} {
		for _, lenient := range []bool{false, true} {
			h := hear(Detecting(bodyOf(front+lines(ollamaChat(`"content":"a"`), ollamaDone(ollamaStop))), "application/x-ndjson", "", Options{Lenient: lenient}))
			require.Equal(t, io.EOF, h.end, "%q", front)
			require.Contains(t, words(h.chunks), "text(a)")
		}
	}
}
