package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// readLines reads a body as many clients do: up to the sentinel, and without ever
// asking why there was no more.
func readLines(body io.ReadCloser) string {
	defer func() { _ = body.Close() }()
	var got strings.Builder
	buf := make([]byte, 4<<10)
	for !strings.Contains(got.String(), "[DONE]") {
		n, err := body.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			break
		}
	}
	return got.String()
}

// What a client keeps to itself, an Ending tells.
func TestWithEnding(t *testing.T) {
	for _, row := range []struct {
		name string
		body func(*exchange)
		want string
	}{
		{"whole", body(200, answer, "Content-Type", "text/event-stream"), "whole"},
		{"cut", body(200, hel, "Content-Type", "text/event-stream"), "truncated malformed_response"},
		{"says nothing, up to the sentinel", body(200, stop+done, "Content-Type", "text/event-stream"), "empty malformed_response"},
		{"a tool call without its end", body(200, halfCall+done, "Content-Type", "text/event-stream"), "truncated malformed_response"},
		{"an error frame", body(200, hel+errorFrame, "Content-Type", "text/event-stream"), "faulted server_error"},
		{"refused", body(401, `{"error":{"code":"invalid_api_key"}}`, "Content-Type", "application/json"), "refused auth_invalid"},
	} {
		for name, cfg := range map[string]transport.WrapConfig{"": {}, ", held": gated(2)} {
			t.Run(row.name+name, func(t *testing.T) {
				b := serve(t, false, row.body)
				ctx, ending := transport.WithEnding(t.Context())
				require.NoError(t, ending.Err())
				resp, err := b.ask(ctx, b.wrap(cfg), strings.NewReader(asking))
				require.NoError(t, err)
				got := readLines(resp.Body)
				require.Equal(t, row.want, verdict(ending.Err()))
				require.Equal(t, row.want == "whole", strings.Contains(got, "[DONE]"), got)
			})
		}
	}
}

// Who stops an answer is told so, and a call that reached nobody has an ending too.
func TestWithEndingOfCaller(t *testing.T) {
	open := func(t *testing.T) (*http.Response, func(), *transport.Ending) {
		b := serve(t, false, talkative)
		ctx, ending := transport.WithEnding(t.Context())
		ctx, stop := context.WithCancel(ctx)
		t.Cleanup(stop)
		resp, err := b.ask(ctx, b.wrap(transport.WrapConfig{}), strings.NewReader(asking))
		require.NoError(t, err)
		_, err = io.ReadFull(resp.Body, make([]byte, len(hel)))
		require.NoError(t, err)
		require.NoError(t, ending.Err())
		return resp, stop, ending
	}
	t.Run("closed", func(t *testing.T) {
		resp, _, ending := open(t)
		require.NoError(t, resp.Body.Close())
		require.True(t, ending.Err() == endwell.ErrClosed)
	})
	t.Run("canceled and closed", func(t *testing.T) {
		resp, cancel, ending := open(t)
		cancel()
		require.NoError(t, resp.Body.Close())
		require.True(t, ending.Err() == context.Canceled)
	})
	t.Run("canceled and read", func(t *testing.T) {
		resp, cancel, ending := open(t)
		cancel()
		_, err := resp.Body.Read(make([]byte, 8))
		require.Error(t, err)
		require.True(t, ending.Err() == context.Canceled)
		require.NoError(t, resp.Body.Close())
		require.True(t, ending.Err() == context.Canceled)
	})
	t.Run("reached nobody", func(t *testing.T) {
		base := roundTrip(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
		client := &http.Client{Transport: transport.Wrap(base, transport.WrapConfig{})}
		ctx, ending := transport.WithEnding(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://host.invalid/", strings.NewReader(asking))
		require.NoError(t, err)
		_, err = client.Do(req)
		require.Error(t, err)
		require.ErrorIs(t, ending.Err(), endwell.Unreachable)
	})
	t.Run("never watched", func(t *testing.T) {
		b := serve(t, false, body(500, "busy"))
		ctx, ending := transport.WithEnding(t.Context())
		resp, err := b.ask(ctx, b.wrap(transport.WrapConfig{}), strings.NewReader(`{}`))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.NoError(t, ending.Err())
	})
}

// Whoever closes what he reads has ended the answer, also where the Read that is at work
// returns what came in that instant.
func TestWithEndingOfCloseBesideRead(t *testing.T) {
	for name, chain := range map[string]endwell.Middleware{
		"":                 nil,
		"with a last word": func(next endwell.Next) endwell.Next { return lastWords{next} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body, _ := io.Pipe()
				base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(body), nil })
				ctx, ending := transport.WithEnding(t.Context())
				resp, err := transport.Wrap(base, transport.WrapConfig{Chain: chain}).RoundTrip(asks(ctx, "http://host.invalid/v1/chat/completions"))
				require.NoError(t, err)
				over := make(chan error)
				go func() {
					_, err := io.Copy(io.Discard, resp.Body)
					over <- err
				}()
				synctest.Wait()
				require.NoError(t, ending.Err())
				require.NoError(t, resp.Body.Close())
				require.ErrorIs(t, <-over, endwell.ErrClosed)
				require.ErrorIs(t, ending.Err(), endwell.ErrClosed)
			})
		})
	}
}

// lastWords hands on a chunk when it is closed.
type lastWords struct{ next endwell.Next }

func (l lastWords) Open(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
	st, err := l.next.Open(ctx, req)
	return &lastWord{Stream: st, closed: make(chan struct{})}, err
}

type lastWord struct {
	endwell.Stream
	closed chan struct{}
	said   bool
}

func (l *lastWord) Recv() (endwell.Chunk, error) {
	<-l.closed
	if l.said {
		return endwell.Chunk{}, endwell.ErrClosed
	}
	l.said = true
	return endwell.Chunk{Kind: endwell.KindKeepAlive, Raw: []byte(": closing\n\n")}, nil
}

func (l *lastWord) Close() error {
	close(l.closed)
	return l.Stream.Close()
}

// A client that never asks for the error gets it as a frame, and then the error.
func TestRoundTripReport(t *testing.T) {
	for name, row := range map[string]struct{ sent, want, verdict string }{
		"whole": {answer, "", "whole"},
		"cut":   {hel, `data: {"error":{`, "truncated malformed_response"},
		"empty": {stop + done, `data: {"error":{`, "empty malformed_response"},
	} {
		t.Run(name, func(t *testing.T) {
			b := serve(t, false, body(200, row.sent, "Content-Type", "text/event-stream"))
			_, got, err := b.stream(t, b.wrap(transport.WrapConfig{Report: true}))
			require.Equal(t, row.verdict, verdict(err))
			if row.want == "" {
				require.Equal(t, row.sent, got)
				return
			}
			require.Contains(t, got, row.want)
			require.NotContains(t, got, "[DONE]")
		})
	}
}
