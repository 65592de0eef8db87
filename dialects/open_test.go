package dialects

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// chatRole is how an answer of the chat family begins.
var chatRole = strings.Replace(chatToken, `"content":" harbour"`, `"role":"assistant","content":""`, 1)

// wholeChat is an answer of ordinary frames.
var wholeChat = frames(chatRole) + strings.Repeat(frames(chatToken), 20) + frames(
	strings.NewReplacer(`{"content":" harbour"}`, `{}`, `"finish_reason":null`, `"finish_reason":"stop"`).Replace(chatToken),
	`{"id":"c","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":20,"total_tokens":25}}`, "[DONE]")

// openings are the ways to open a stream of the chat family.
var openings = []struct {
	name string
	open func(body io.Reader, opt Options) endwell.Stream
}{
	{"named", func(body io.Reader, opt Options) endwell.Stream { return MustByName("openai").Stream(body, opt) }},
	{"detected", func(body io.Reader, opt Options) endwell.Stream {
		return Detecting(body, "text/event-stream", "localhost", opt)
	}},
}

// readToEnd reads a stream to its clean end.
func readToEnd(tb testing.TB, st endwell.Stream) {
	for {
		if _, err := st.Recv(); err != nil {
			if err != io.EOF {
				tb.Fatal(err)
			}
			return
		}
	}
}

// BenchmarkOpen is what it costs to open a stream and to close it: unread, behind the
// first chunk, and at the end of an answer. Without text, since a text is an
// allocation and not the stream's.
func BenchmarkOpen(b *testing.B) {
	for _, way := range openings {
		for _, until := range []struct {
			name string
			read func(st endwell.Stream)
		}{
			{"unread", func(endwell.Stream) {}},
			{"first chunk", func(st endwell.Stream) { _, _ = st.Recv() }},
			{"whole", func(st endwell.Stream) { readToEnd(b, st) }},
		} {
			b.Run(way.name+"/"+until.name, func(b *testing.B) {
				b.ReportAllocs()
				body := strings.NewReader(wholeChat)
				for b.Loop() {
					body.Reset(wholeChat)
					st := way.open(body, Options{NoText: true})
					until.read(st)
					_ = st.Close()
				}
			})
		}
	}
}

// waitingBody is a body that has sent its parts, a read each, or more for one that is
// larger than its buffer, and waits then: it panics, which leaves the stream as it is
// while Read blocks.
type waitingBody struct {
	parts []string
	at    int // in the first part
}

func (w *waitingBody) Read(p []byte) (int, error) {
	if len(w.parts) == 0 {
		panic(errWaits)
	}
	n := copy(p, w.parts[0][w.at:])
	if w.at += n; w.at == len(w.parts[0]) {
		w.parts, w.at = w.parts[1:], 0
	}
	return n, nil
}

var errWaits = errors.New("the body waits")

// readOn reads a stream until its body waits.
func readOn(tb testing.TB, st endwell.Stream) {
	defer func() {
		if r := recover(); r != errWaits {
			tb.Fatal(r)
		}
	}()
	for {
		if _, err := st.Recv(); err != nil {
			panic(err)
		}
	}
}

// counting are frames that count tokens, as some systems send with every piece of text.
var counting = []tokenFrame{
	{"gemini/counted", "gemini", "", frames(fmt.Sprintf(geminiCounted, " harbour", 12))},
	{"gemini/thoughts", "gemini", "", frames(strings.Replace(fmt.Sprintf(geminiCounted, " harbour", 12), `{"text"`, `{"thought":true,"text"`, 1))},
	{"chat/counted", "vllm", "", frames(strings.Replace(chatToken, `"usage":null`,
		`"usage":{"prompt_tokens":9,"total_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}`, 1))},
}

// waits are histories of a stream that waits.
func waits(f tokenFrame) []struct {
	name  string
	parts []string
} {
	paced := []string{}
	if f.before != "" {
		paced = append(paced, f.before)
	}
	for range 10 {
		paced = append(paced, f.frame)
	}
	burst := f.before + strings.Repeat(f.frame, 64<<10/len(f.frame))
	return []struct {
		name  string
		parts []string
	}{{"unread", nil}, {"paced", paced}, {"burst", []string{burst}}, {"burst and paced", append([]string{burst}, paced[len(paced)-10:]...)}}
}

// waiting opens n streams and reads all there is of each, unless that is nothing.
func waiting(tb testing.TB, n int, f tokenFrame, parts []string) []endwell.Stream {
	all := make([]endwell.Stream, n)
	for i := range all {
		all[i] = MustByName(f.dialect).Stream(&waitingBody{parts: parts}, Options{NoText: true})
		if len(parts) > 0 {
			readOn(tb, all[i])
		}
	}
	return all
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Opening and reading a whole answer costs the stream, its buffer, what may tell that
// the body is of another family, and a template with its frame; detecting it what looks
// for its dialect besides.
func TestAllocationsOfAStream(t *testing.T) {
	for i, want := range []float64{5, 6} {
		body := strings.NewReader(wholeChat)
		got := testing.AllocsPerRun(500, func() {
			body.Reset(wholeChat)
			st := openings[i].open(body, Options{NoText: true})
			readToEnd(t, st)
			_ = st.Close()
		})
		require.LessOrEqual(t, got, want+spare, openings[i].name)
	}
}

// A frame that counts tokens costs the allocation of its text, and one in fifteen of a
// block of records.
func TestAllocationsOfCounts(t *testing.T) {
	for _, f := range counting {
		for _, opt := range []Options{{}, {NoText: true}} {
			st := MustByName(f.dialect).Stream(f.body(800), opt)
			said := func() {
				for c := nextChunk(t, st); c.Kind != endwell.KindUsage; c = nextChunk(t, st) {
				}
			}
			for range 20 {
				said()
			}
			want := 1.1
			if opt.NoText {
				want = 0.1
			}
			got := testing.AllocsPerRun(6, func() {
				for range 100 {
					said()
				}
			}) / 100
			require.LessOrEqual(t, got, want+spare, f.name)
		}
	}
}

// A stream that waits holds the buffer that it waits with, a template, and what the
// dialect keeps.
func TestWaitingStreamHolds(t *testing.T) {
	if spare >= 1 {
		t.Skip("the race detector takes memory of its own, and its time")
	}
	for _, f := range append(tokens, counting...) {
		for _, w := range waits(f) {
			require.Less(t, heldBy(t, 100, f, w.parts), 2304, "%s, %s", f.name, w.name)
		}
	}
}

// heldBy is how much heap an open stream holds, its body apart.
func heldBy(tb testing.TB, n int, f tokenFrame, parts []string) int {
	before := liveHeap()
	all := waiting(tb, n, f, parts)
	held := liveHeap() - before
	runtime.KeepAlive(all)
	return int(held)/n - 64 // the body, and the list's element
}

func BenchmarkWaiting(b *testing.B) {
	for _, f := range append(tokens, counting...) {
		for _, w := range waits(f) {
			b.Run(f.name+"/"+w.name, func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(float64(heldBy(b, 2000, f, w.parts)), "B/stream")
				}
			})
		}
	}
}

// BenchmarkCountedChunk is the cost of a frame with a piece of text and counts.
func BenchmarkCountedChunk(b *testing.B) {
	for _, f := range counting {
		for name, standard := range map[string]bool{"dialect": false, "standard": true} {
			for text, opt := range map[string]Options{"text": {}, "notext": {NoText: true}} {
				b.Run(f.name+"/"+name+"/"+text, func(b *testing.B) {
					const each = 10_000
					st, n := f.stream(b, each, standard, opt), 0
					b.ReportAllocs()
					for b.Loop() {
						if n == each {
							b.StopTimer()
							_ = st.Close()
							st, n = f.stream(b, each, standard, opt), 0
							b.StartTimer()
						}
						nextChunk(b, st)
						nextChunk(b, st)
						n++
					}
				})
			}
		}
	}
}
