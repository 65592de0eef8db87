package endwelltest_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	. "github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// call makes one call through the standard stack and returns what it said.
func call(t *testing.T, g *Gateway, w Wire, path string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
		URL: g.URL + path, Client: g.Client(), Dialect: dialects.MustByName(w.Dialect()),
		Header: http.Header{"Authorization": {"Bearer sk-test-not-a-real-key"}},
	}))
	s, err := next.Open(ctx, &endwell.Request{Provider: "loopback", Model: "test-model", Payload: `{"stream":true}`})
	if err != nil {
		return "", err
	}
	tr, err := endwell.Collect(s)
	require.NoError(t, ctx.Err(), "it hangs")
	if tr == nil {
		return "", err
	}
	return tr.Text, err
}

// versions are the two ways to start a gateway.
var versions = map[string]func(...Step) *Gateway{"HTTP/1.1": NewGateway, "HTTP/2": NewHTTP2Gateway}

func TestEndings(t *testing.T) {
	hel := func(w Wire) Step { return Script(w.Begin(), w.Text("hel")) }
	for _, tc := range []struct {
		name   string
		script func(Wire) Step
		said   string
		is     error // nil for whole
	}{
		{"whole", func(w Wire) Step { return w.Answer("hel", "lo") }, "hello", nil},
		{"whole, byte by byte", func(w Wire) Step { return Script(Slowly(0), w.Answer("hel", "lo")) }, "hello", nil},
		{"whole, compressed", func(w Wire) Step { return Script(Gzip(), w.Answer("hel", "lo")) }, "hello", nil},
		{"whole, compressed and not declared", func(w Wire) Step { return Script(Gzip(), Header("Content-Encoding", ""), w.Answer("hel", "lo")) }, "hello", nil},
		{"whole, after keep-alives", func(w Wire) Step { return Script(Repeat(3, time.Millisecond, w.KeepAlive()), w.Answer("hel", "lo")) }, "hello", nil},
		{"ended before the rest", func(w Wire) Step { return Script(w.Answer("hel", "lo"), End(), w.Fault("overloaded_error", "")) }, "hello", nil},
		{"finished without the sentinel", func(w Wire) Step { return Script(hel(w), w.Finish("stop")) }, "hel", nil},
		{"closed cleanly, too early", hel, "hel", endwell.Truncated},
		{"cut in the middle of a frame", func(w Wire) Step { return Script(hel(w), CutAt(20, Step{}), w.Text("lo")) }, "hel", endwell.Truncated},
		{"cut and reset", func(w Wire) Step { return Script(CutAt(3, Reset()), w.Answer("hello")) }, "", endwell.Broken},
		{"cut while compressed", func(w Wire) Step { return Script(Gzip(), CutAt(40, Step{}), w.Answer("hello")) }, "", endwell.Truncated},
		{"aborted", func(w Wire) Step { return Script(hel(w), Abort()) }, "hel", endwell.Broken},
		{"hung up", func(w Wire) Step { return Script(hel(w), Hangup()) }, "hel", endwell.Broken},
		{"reset", func(w Wire) Step { return Script(hel(w), Reset()) }, "hel", endwell.Broken},
		{"gone away", func(w Wire) Step { return Script(hel(w), GoAway(2)) }, "hel", endwell.Broken},
		{"an error frame", func(w Wire) Step { return Script(hel(w), w.Fault("overloaded_error", "busy")) }, "hel", endwell.Overloaded},
		{"garbage", func(w Wire) Step { return Script(hel(w), Write("data: {\"x\n\n"), Garbage(9000, 1)) }, "hel", endwell.Malformed},
		{"a page", func(Wire) Step { return Page(200) }, "", endwell.Malformed},
		{"nothing at all", func(Wire) Step { return Step{} }, "", endwell.Empty},
		{"a bad key", func(w Wire) Step { return w.Refuse(401, "authentication_error", "no such key") }, "", endwell.AuthInvalid},
		{"too many", func(w Wire) Step {
			return Script(RetryAfter(1500*time.Millisecond), w.Refuse(429, "rate_limit_error", "slow down"))
		}, "", endwell.RateLimited},
		{"reset before the header", func(Wire) Step { return Reset() }, "", endwell.Unreachable},
	} {
		for version, start := range versions {
			for _, w := range []Wire{OpenAI, Anthropic} {
				t.Run(tc.name+", "+w.String()+" over "+version, func(t *testing.T) {
					quiet(t)
					g := start(tc.script(w))
					defer g.Close()
					said, err := call(t, g, w, "")
					require.Equal(t, tc.said, said)
					if tc.is == nil {
						require.NoError(t, err)
					} else {
						require.ErrorIs(t, err, tc.is)
					}
				})
			}
		}
	}
}

func TestToolCall(t *testing.T) {
	for _, w := range Wires() {
		t.Run(w.String(), func(t *testing.T) {
			quiet(t)
			g := NewGateway(Script(w.Begin(), w.Text("I'll look."), w.ToolCall("call_1", "weather", `{"city":`, `"Oslo"}`),
				w.ToolCall("call_2", "clock"), w.Finish(w.Word(endwell.FinishToolCalls)), w.Done()))
			defer g.Close()
			s, err := transport.New(transport.Config{URL: g.URL, Client: g.Client(), Dialect: dialects.MustByName(w.Dialect())}).
				Open(t.Context(), &endwell.Request{Payload: "{}"})
			require.NoError(t, err)
			tr, err := endwell.Collect(s)
			require.NoError(t, err)
			require.Equal(t, "I'll look.", tr.Text)
			if w == Completions {
				require.Empty(t, tr.ToolCalls)
				return
			}
			require.Len(t, tr.ToolCalls, 2)
			for i, want := range []endwell.ToolCall{{ID: "call_1", Name: "weather", Arguments: `{"city":"Oslo"}`}, {ID: "call_2", Name: "clock", Arguments: "{}"}} {
				if w == CohereV1 {
					want.ID = ""
				}
				require.Equal(t, want.ID, tr.ToolCalls[i].ID)
				require.Equal(t, want.Name, tr.ToolCalls[i].Name)
				require.Equal(t, want.Arguments, cmp.Or(tr.ToolCalls[i].Arguments, "{}"))
			}
		})
	}
}

func TestRetryAfterIsHandedOver(t *testing.T) {
	g := NewGateway(Script(RetryAfter(1500*time.Millisecond), OpenAI.Refuse(429, "rate_limit_exceeded", "")))
	defer g.Close()
	_, err := call(t, g, OpenAI, "")
	var e *endwell.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, 1500*time.Millisecond, e.RetryAfter)
}

func TestScriptsByAttempt(t *testing.T) {
	quiet(t)
	g := NewGateway(OpenAI.Answer("one"), OpenAI.Answer("two"))
	defer g.Close()
	other := strings.TrimPrefix(g.On("other", OpenAI.Answer("elsewhere")), g.URL)
	for _, tc := range []struct{ path, said string }{
		{"/v1", "one"}, {other + "/v1", "elsewhere"}, {"", "two"}, {"/v1", "two"}, {other, "elsewhere"},
	} {
		said, err := call(t, g, OpenAI, tc.path)
		require.NoError(t, err)
		require.Equal(t, tc.said, said, tc.path)
	}
}

func TestRequestsAreKeptWithoutSecrets(t *testing.T) {
	quiet(t)
	g := NewGateway(OpenAI.Answer("hello"))
	defer g.Close()
	_, err := call(t, g, OpenAI, "/v1/chat/completions?key=sk-test-not-a-real-key")
	require.NoError(t, err)
	got := g.Requests()
	require.Len(t, got, 1)
	require.Equal(t, 1, g.Count())
	require.Equal(t, 1, got[0].Attempt)
	require.Equal(t, "/v1/chat/completions", got[0].Path)
	require.Equal(t, "HTTP/1.1", got[0].Proto)
	require.Equal(t, `{"stream":true}`, string(got[0].Body))
	require.Equal(t, "(secret)", got[0].Header.Get("Authorization"))
	require.Equal(t, "application/json", got[0].Header.Get("Content-Type"))
}

func TestRequestsAreBounded(t *testing.T) {
	g := NewGateway(Document(200, "text/plain", "ok"))
	defer g.Close()
	for range 1003 {
		resp, err := g.Client().Post(g.URL, "text/plain", nil)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	require.Equal(t, 1003, g.Count())
	got := g.Requests()
	require.Len(t, got, 1000)
	require.Equal(t, 4, got[0].Attempt)
}

func TestRawBytes(t *testing.T) {
	for _, tc := range []struct{ name, raw, says string }{
		{"no HTTP at all", "SSH-2.0-OpenSSH\r\n\r\n", "malformed HTTP"},
		{"nothing", "", "EOF"},
		{"a length that is not kept", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort", "unexpected EOF"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			quiet(t)
			g := NewGateway(Raw(tc.raw))
			defer g.Close()
			resp, err := g.Client().Post(g.URL, "text/plain", nil)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			require.ErrorContains(t, err, tc.says)
		})
	}
}

func TestGoAwayIsSaid(t *testing.T) {
	quiet(t)
	g := NewHTTP2Gateway(Script(Write("data"), GoAway(11)))
	defer g.Close()
	resp, err := g.Client().Post(g.URL, "text/plain", nil)
	require.NoError(t, err)
	require.Equal(t, 2, resp.ProtoMajor)
	_, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	require.ErrorContains(t, err, "GOAWAY")
}

func TestGzipIsWhole(t *testing.T) {
	quiet(t)
	g := NewGateway(Script(Gzip(), Write("hello"), Flush(), Write(" there")))
	defer g.Close()
	resp, err := g.Client().Post(g.URL, "text/plain", nil)
	require.NoError(t, err)
	require.Equal(t, "gzip", resp.Header.Get("Content-Encoding"))
	z, err := gzip.NewReader(resp.Body)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "hello there", string(b))
}

func TestCutCountsBytes(t *testing.T) {
	g := NewGateway()
	defer g.Close()
	for n := range 12 {
		g.On("cut", Script(Write("ab"), CutAt(n, Write("!")), Write("cdefg"), Write("hij")))
		resp, err := g.Client().Post(g.URL+"/cut", "text/plain", nil)
		require.NoError(t, err)
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		_ = resp.Body.Close()
		want := "ab" + "cdefghij"[:min(n, 8)]
		if n <= 8 {
			want += "!"
		}
		require.Equal(t, want, string(b))
	}
}

func TestGarbageIsTheSame(t *testing.T) {
	g := NewGateway(Garbage(10_000, 7))
	defer g.Close()
	var first []byte
	for range 2 {
		resp, err := g.Client().Post(g.URL, "text/plain", nil)
		require.NoError(t, err)
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.Len(t, b, 10_000)
		require.True(t, first == nil || bytes.Equal(first, b))
		first = b
	}
}

// TestWaitAndActive follows one exchange through the gateway's own eyes.
func TestWaitAndActive(t *testing.T) {
	quiet(t)
	on := make(chan struct{})
	g := NewGateway(Script(Write("a"), Wait(on), Write("b")))
	defer g.Close()
	resp, err := g.Client().Post(g.URL, "text/plain", nil)
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 1))
	require.NoError(t, err)
	require.Equal(t, 1, g.Active())
	close(on)
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "b", string(b))
	require.NoError(t, resp.Body.Close())
	require.Eventually(t, func() bool { return g.Active() == 0 }, 2*time.Minute, time.Millisecond)
}

// TestCloseEndsEverything closes gateways whose answers would go on for ever.
func TestCloseEndsEverything(t *testing.T) {
	forever := map[string]Step{
		"hanging": Script(Write("a"), Hang()), "before the header": Hang(), "delayed": Script(Write("a"), Delay(time.Hour)),
		"alive for ever":    Repeat(-1, time.Microsecond, OpenAI.KeepAlive()),
		"slow":              Script(Write("a"), Slowly(time.Hour), Write("bc")),
		"writing to nobody": Repeat(-1, 0, Garbage(1<<20, 1)),
		"waiting":           Script(Write("a"), Wait(nil)),
	}
	for name, script := range forever {
		for version, start := range versions {
			t.Run(name+" over "+version, func(t *testing.T) {
				quiet(t)
				g := start(script)
				var all sync.WaitGroup
				for range 4 {
					all.Go(func() {
						if resp, err := g.Client().Post(g.URL, "text/plain", nil); err == nil {
							_, _ = io.ReadFull(resp.Body, make([]byte, 1))
							<-t.Context().Done()
							_ = resp.Body.Close()
						}
					})
				}
				t.Cleanup(all.Wait)
				require.Eventually(t, func() bool { return g.Active() == 4 }, 2*time.Minute, time.Millisecond)
				for range 2 {
					g.Close()
				}
				require.Zero(t, g.Active())
			})
		}
	}
}

func TestHandler(t *testing.T) {
	g := NewGateway(Handle(http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect)))
	defer g.Close()
	g.On("elsewhere", OpenAI.Answer("hello"))
	said, err := call(t, g, OpenAI, "")
	require.NoError(t, err)
	require.Equal(t, "hello", said)
}

// TestBehindSeesWhatIsLeftOpen plants a provider that does not close its body.
func TestBehindSeesWhatIsLeftOpen(t *testing.T) {
	quiet(t)
	var r recorder
	var left endwell.Stream
	leaky := func(url string, client *http.Client) endwell.Next {
		next := transport.New(transport.Config{URL: url, Client: client, Dialect: dialects.MustByName("openai")})
		return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
			s, err := next.Open(context.WithoutCancel(ctx), req)
			if err != nil {
				return nil, err
			}
			left = s
			return &mutant{Stream: s, shut: func() error { return nil }}, nil
		})
	}
	in := Behind(&r, OpenAI.In, leaky)
	s, err := in(Hangs).Open(t.Context(), &endwell.Request{Payload: "{}"})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Contains(t, r.end(), "1 answers are still being read")
	require.NoError(t, left.Close())
}

func TestNames(t *testing.T) {
	require.Equal(t, "[openai anthropic responses completions gemini gemini-array interactions cohere cohere-v1 ollama "+
		"bedrock-converse bedrock-invoke] none", strings.Join([]string{sprint(Wires()), Wire(99).String()}, " "))
	require.Equal(t, "[answers fails hangs never_opens refuses] none", strings.Join([]string{sprint(Situations()), Situation(9).String()}, " "))
}
