package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// asking is the body of a request that asks for a stream.
const asking = `{"model":"small","messages":[{"role":"user","content":"hi"}],"stream":true}`

// wrap returns the bench's client with a RoundTripper under it.
func (b *bench) wrap(cfg transport.WrapConfig) *http.Client {
	client := *b.client
	client.Transport = transport.Wrap(b.client.Transport, cfg)
	return &client
}

// ask posts a body as an SDK does.
func (b *bench) ask(ctx context.Context, client *http.Client, body io.Reader, header ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.URL+"/v1/chat/completions", body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return client.Do(req)
}

// stream asks for a stream with a given client and reads it.
func (b *bench) stream(t *testing.T, client *http.Client) (*http.Response, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	resp, err := b.ask(ctx, client, strings.NewReader(asking))
	if err != nil {
		require.NoError(t, ctx.Err(), "it hangs")
		return nil, "", err
	}
	got, err := b.readAll(resp.Body)
	require.NoError(t, ctx.Err(), "it hangs")
	return resp, got, err
}

// readAll reads a body to its end, which is nil for io.EOF, and closes it.
func (b *bench) readAll(body io.ReadCloser) (string, error) {
	defer func() { _ = body.Close() }()
	var got strings.Builder
	buf := make([]byte, 4<<10)
	for {
		n, err := body.Read(buf)
		got.Write(buf[:n])
		if strings.Contains(got.String(), "hel") {
			b.once.Do(func() { close(b.seen) })
		}
		if err == io.EOF {
			return got.String(), nil
		}
		if err != nil {
			return got.String(), err
		}
	}
}

// text is the answer text in a body.
func text(body string) string {
	var said strings.Builder
	for _, part := range strings.Split(body, `"content":"`)[1:] {
		word, _, _ := strings.Cut(part, `"`)
		said.WriteString(word)
	}
	return said.String()
}

// verdict names the fault and the category of an error, or that there is none.
func verdict(err error) string {
	var e *endwell.Error
	switch {
	case err == nil:
		return "whole"
	case errors.As(err, &e):
		return e.Fault.String() + " " + e.Category.String()
	default:
		return err.Error()
	}
}
