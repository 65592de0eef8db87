package endwelltest_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	. "github.com/endwell-go/endwell/endwelltest"
)

// ask posts to a gateway and returns the response and its body.
func ask(t *testing.T, g *Gateway, body io.Reader) (*http.Response, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, body)
	require.NoError(t, err)
	resp, err := g.Client().Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp, string(b), err
}

// TestHalfOpenOutlivesTheClient closes the client, of which a half-open server sees
// nothing.
func TestHalfOpenOutlivesTheClient(t *testing.T) {
	for version, start := range versions {
		t.Run(version, func(t *testing.T) {
			quiet(t)
			g := start(Script(Write("a"), HalfOpen()))
			defer g.Close()
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, nil)
			require.NoError(t, err)
			resp, err := g.Client().Do(req)
			require.NoError(t, err)
			_, err = io.ReadFull(resp.Body, make([]byte, 1))
			require.NoError(t, err)
			cancel()
			_ = resp.Body.Close()
			g.Client().CloseIdleConnections()
			require.Never(t, func() bool { return g.Active() == 0 }, 50*time.Millisecond, time.Millisecond)
			g.Close()
			require.Zero(t, g.Active())
		})
	}
}

// endless is a body that has no end, and counts what was taken of it.
type endless struct{ taken chan int }

func (e endless) Read(b []byte) (int, error) {
	e.taken <- len(b)
	return len(b), nil
}

func TestUnreadUploadBlocks(t *testing.T) {
	for version, start := range versions {
		t.Run(version, func(t *testing.T) {
			quiet(t)
			g := start(HalfOpen())
			defer g.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			body := endless{make(chan int)}
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, body)
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() {
				_, err := g.Client().Do(req)
				done <- err
			}()
			// A connection takes its time on a busy machine, and until it is there nobody
			// takes a piece either.
			for here := false; !here; here = g.Active() == 1 && g.Count() == 1 {
				select {
				case <-body.taken:
				case err := <-done:
					require.Fail(t, "the upload has ended", "%v", err)
				case <-time.After(time.Millisecond):
				}
			}
			for blocked := false; !blocked; {
				select {
				case <-body.taken:
				case <-time.After(200 * time.Millisecond):
					blocked = true
				}
			}
			require.Equal(t, 1, g.Active())
			require.Equal(t, 1, g.Count())
			require.Empty(t, g.Requests()[0].Body)
			cancel()
			go func() { // the transport may take another piece
				for range body.taken {
				}
			}()
			require.ErrorIs(t, <-done, context.Canceled)
			g.Close()
			close(body.taken)
		})
	}
}

func TestFrozenGatewayAcceptsAndSaysNothing(t *testing.T) {
	for version, start := range versions {
		t.Run(version, func(t *testing.T) {
			quiet(t)
			g := start(OpenAI.Answer("hello"))
			defer g.Close()
			_, said, err := ask(t, g, nil)
			require.NoError(t, err)
			require.Contains(t, said, "hello")
			g.Freeze()
			for _, c := range []*http.Client{g.Client(), {Transport: g.Client().Transport.(*http.Transport).Clone()}} {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, nil)
				require.NoError(t, err)
				_, err = c.Do(req)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				cancel()
				c.CloseIdleConnections()
			}
			require.Equal(t, 1, g.Count())
		})
	}
}

func TestResetStreamSaysItsCode(t *testing.T) {
	quiet(t)
	g := NewHTTP2Gateway(Script(Write("a"), ResetStream(11)), Script(Write("b"), ResetStream(8)), Write("c"))
	defer g.Close()
	for _, says := range []string{"ENHANCE_YOUR_CALM", "CANCEL"} {
		resp, said, err := ask(t, g, nil)
		require.ErrorContains(t, err, says)
		require.Equal(t, 2, resp.ProtoMajor)
		require.Contains(t, "ab", said)
	}
	_, said, err := ask(t, g, nil)
	require.NoError(t, err, "the connection is left alone")
	require.Equal(t, "c", said)
	require.Equal(t, 1, g.Connections())
}

func TestResetStreamRefusesBeforeTheHeader(t *testing.T) {
	quiet(t)
	g := NewHTTP2Gateway(ResetStream(7), Write("b"))
	defer g.Close()
	_, said, err := ask(t, g, strings.NewReader("{}"))
	require.NoError(t, err, "a client may send again what was refused")
	require.Equal(t, "b", said)
	require.Equal(t, 2, g.Count())
}

func TestGoingAwayServesWhatCame(t *testing.T) {
	for version, start := range versions {
		t.Run(version, func(t *testing.T) {
			quiet(t)
			g := start(Script(GoingAway(0), Write("a"), Flush(), Write("b")))
			defer g.Close()
			for range 3 {
				_, said, err := ask(t, g, nil)
				require.NoError(t, err)
				require.Equal(t, "ab", said)
			}
			require.Equal(t, 3, g.Connections())
		})
	}
}

func TestEarlyHintsAndTrailer(t *testing.T) {
	for version, start := range versions {
		t.Run(version, func(t *testing.T) {
			quiet(t)
			g := start(Script(EarlyHints(), EarlyHints(), Trailer("X-Checksum", "9"), Write("a"), Flush(), EarlyHints(), Write("b")))
			defer g.Close()
			resp, said, err := ask(t, g, nil)
			require.NoError(t, err)
			require.Equal(t, "ab", said)
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.Equal(t, "9", resp.Trailer.Get("X-Checksum"))
		})
	}
}

func TestSlowRawBytes(t *testing.T) {
	quiet(t)
	g := NewGateway(Script(Slowly(0), Raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")))
	defer g.Close()
	_, said, err := ask(t, g, nil)
	require.NoError(t, err)
	require.Equal(t, "a", said)
}

// TestHandshakeFails shows the two ways that need no step.
func TestHandshakeFails(t *testing.T) {
	quiet(t)
	g := NewHTTP2Gateway(OpenAI.Answer("hello"))
	defer g.Close()
	stranger := &http.Client{Transport: &http.Transport{}}
	_, err := stranger.Get(g.URL)
	var unknown *tls.CertificateVerificationError
	require.ErrorAs(t, err, &unknown)

	plain := NewGateway(OpenAI.Answer("hello"))
	defer plain.Close()
	_, err = stranger.Get("https" + strings.TrimPrefix(plain.URL, "http"))
	require.Error(t, err)
	require.Zero(t, g.Count()+plain.Count())
}

func TestListenSpeaksBothVersions(t *testing.T) {
	quiet(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := Listen(l, Script(Write("a"), Reset()), Write("b"))
	defer g.Close()
	require.Equal(t, "http://"+l.Addr().String(), g.URL)
	_, _, err = ask(t, g, nil)
	require.Error(t, err)
	h2 := &http.Client{Transport: &http.Transport{Protocols: new(http.Protocols)}}
	h2.Transport.(*http.Transport).Protocols.SetUnencryptedHTTP2(true)
	defer h2.CloseIdleConnections()
	resp, err := h2.Post(g.URL, "text/plain", nil)
	require.NoError(t, err)
	require.Equal(t, 2, resp.ProtoMajor)
	require.NoError(t, resp.Body.Close())
}

func TestChooseReadsTheRequest(t *testing.T) {
	quiet(t)
	g := NewGateway(Choose(func(r *http.Request) Step {
		b, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Contains(b, []byte("please")) {
			return Document(http.StatusTeapot, "text/plain", "no")
		}
		return Document(http.StatusOK, "text/plain", string(b))
	}))
	defer g.Close()
	resp, _, err := ask(t, g, strings.NewReader("now"))
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, resp.StatusCode)
	_, said, err := ask(t, g, strings.NewReader("now, please"))
	require.NoError(t, err)
	require.Equal(t, "now, please", said)
	require.Equal(t, "now, please", string(g.Requests()[1].Body))
}

func TestUploadThatBreaksOffPlaysNothing(t *testing.T) {
	quiet(t)
	played := make(chan struct{}, 1)
	g := NewGateway(Choose(func(*http.Request) Step {
		return Script(Step{}, Handle(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { played <- struct{}{} })))
	}))
	defer g.Close()
	pr, pw := io.Pipe()
	go func() {
		_, _ = pw.Write([]byte("half"))
		_ = pw.CloseWithError(errors.New("the client has gone"))
	}()
	_, _, err := ask(t, g, pr)
	require.Error(t, err)
	g.Close()
	require.Empty(t, played)
	require.Zero(t, g.Count())
}

func TestWordsAndTokens(t *testing.T) {
	for _, w := range Wires() {
		require.NotEmpty(t, w.Word(endwell.FinishStop), w)
		require.True(t, strings.HasPrefix(w.Path(), "/"), w)
		back, ok := WireByName(w.String())
		require.True(t, ok)
		require.Equal(t, w, back)
		if w != Ollama && w != Cohere && w != CohereV1 {
			require.NotEmpty(t, w.Token(http.StatusTooManyRequests), w)
		}
	}
	_, ok := WireByName("telex")
	require.False(t, ok)
	require.Equal(t, "end_turn", Anthropic.Word(endwell.FinishStop))
	require.Equal(t, "RESOURCE_EXHAUSTED", Gemini.Token(429))
	require.Equal(t, "gemini", GeminiArray.Dialect())
	require.Empty(t, Ollama.Token(429))
}
